//! An adapter process and the lines it exchanges.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

use serde_json::{Value, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_checkpoint-formats-adapter");

/// A running adapter.
pub struct Adapter {
    pub child: Child,
    pub input: ChildStdin,
    pub output: BufReader<ChildStdout>,
}

impl Adapter {
    pub fn start() -> Self {
        Self::spawn(&mut Command::new(PROGRAM))
    }

    /// An adapter that can write no file beyond `blocks` blocks of 512 or 1024 bytes, as the shell counts them: the
    /// write that crosses the end is short, and the next one fails.
    pub fn start_with_short_files(blocks: u32) -> Self {
        let script = format!("trap '' XFSZ; ulimit -f {blocks} && exec \"$0\"");
        Self::spawn(Command::new("sh").args(["-c", &script, PROGRAM]))
    }

    fn spawn(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (
            child.stdin.take().unwrap(),
            BufReader::new(child.stdout.take().unwrap()),
        );
        Self { child, input, output }
    }

    pub fn send(&mut self, text: &[u8]) {
        self.input.write_all(text).unwrap();
    }

    pub fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "{line:?}");
        serde_json::from_str(&line).unwrap()
    }

    pub fn ask(&mut self, request: &str) -> Value {
        self.send(format!("{request}\n").as_bytes());
        self.answer()
    }

    pub fn run(&mut self, operation: &str, input: &Value) -> Value {
        let answer = self.ask(&json!({"cmd": "run", "id": "7", "op": operation, "input": input}).to_string());
        assert_eq!(answer["id"], "7");
        assert_eq!(answer.as_object().unwrap().len(), 2, "{answer}");
        answer
    }

    /// Closes the input; nothing more may come out.
    pub fn end(self) -> ExitStatus {
        let Self {
            mut child,
            input,
            mut output,
        } = self;
        drop(input);
        let mut rest = String::new();
        output.read_line(&mut rest).unwrap();
        assert_eq!(rest, "");
        child.wait().unwrap()
    }
}
