//! The adapter as a harness meets it: a process with lines in and lines out.

mod on_disk;
mod process;
mod protocol;
