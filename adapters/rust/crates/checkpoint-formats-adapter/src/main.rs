//! Adapter of the `checkpoint-formats` crate: conformance protocol 1 over standard input and output.
//!
//! One JSON object a line in, one out, in order. A request that is no request is answered with `error`; it never ends
//! the process.

mod operations;
mod protocol;
mod wire;

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::process::ExitCode;

use protocol::Reply;

/// The longest line a request may have, its LF included.
const MAX_LINE_BYTES: u64 = 64 << 20;
const BUFFER_BYTES: usize = 1 << 16;

fn main() -> ExitCode {
    match serve(io::stdin().lock(), io::stdout().lock()) {
        Ok(code) => code,
        // A harness that has gone away needs no further answers.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("checkpoint-formats-adapter: standard input or output failed: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(input: impl Read, output: impl Write) -> io::Result<ExitCode> {
    let mut input = BufReader::with_capacity(BUFFER_BYTES, input);
    let mut output = BufWriter::with_capacity(BUFFER_BYTES, output);
    let mut line = Vec::new();
    loop {
        // Answers are flushed before a read that may wait, so that no one waits for an answer that lies in the buffer.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
        let reply = match read_line(&mut input, &mut line)? {
            Line::End => break,
            Line::TooLong => Reply::Answer(protocol::error(None, "the request line is longer than 64 MiB")),
            Line::Read => protocol::reply(&line),
        };
        match reply {
            Reply::Answer(answer) => write_line(&mut output, &answer)?,
            Reply::Stop => break,
            Reply::Refuse(answer) => {
                write_line(&mut output, &answer)?;
                output.flush()?;
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn write_line(output: &mut impl Write, answer: &serde_json::Value) -> io::Result<()> {
    serde_json::to_writer(&mut *output, answer)?;
    output.write_all(b"\n")
}

enum Line {
    Read,
    TooLong,
    End,
}

/// Reads up to an LF, which alone ends a line, or to the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    if input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', line)? == 0 {
        return Ok(Line::End);
    }
    if line.len() as u64 == MAX_LINE_BYTES && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Line::TooLong);
    }
    Ok(Line::Read)
}
