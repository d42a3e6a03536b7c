//! Records the compiler's version, which the handshake names as the runtime.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output();
    let version = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    println!(
        "cargo::rustc-env=COMPILER_VERSION={}",
        version.as_deref().map_or("rustc", str::trim)
    );
}
