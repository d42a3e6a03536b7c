//! Commands, the handshake and the envelope of answers.

use serde_json::{Map, Value, json};

use crate::operations::{self, Refusal};

const PROTOCOL: u64 = 1;

/// What a request line leads to.
pub enum Reply {
    /// Write this line and go on.
    Answer(Value),
    /// Write this line and end: the harness speaks another protocol.
    Refuse(Value),
    /// End.
    Stop,
}

/// Answers one line, with or without its line end.
pub fn reply(line: &[u8]) -> Reply {
    let request: Map<String, Value> = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(fault) => return Reply::Answer(error(None, format!("the request is no JSON object: {fault}"))),
    };
    match request.get("cmd").and_then(Value::as_str) {
        Some("start") => start(&request),
        Some("run") => Reply::Answer(run(&request)),
        Some("stop") => Reply::Stop,
        _ => Reply::Answer(error(request.get("id"), "cmd is none of start, run, stop")),
    }
}

/// An answer that is the adapter's own fault or the request's, never a verdict on the input.
pub fn error(id: Option<&Value>, message: impl Into<String>) -> Value {
    answer(id, "error", json!({ "message": message.into() }))
}

fn answer(id: Option<&Value>, kind: &str, content: Value) -> Value {
    let mut answer = Map::new();
    if let Some(id) = id {
        answer.insert("id".into(), id.clone());
    }
    answer.insert(kind.into(), content);
    Value::Object(answer)
}

fn start(request: &Map<String, Value>) -> Reply {
    let protocol = request.get("protocol");
    if protocol.and_then(Value::as_u64) != Some(PROTOCOL) {
        let found = protocol.map_or("none".into(), Value::to_string);
        return Reply::Refuse(error(
            None,
            format!("this adapter speaks protocol {PROTOCOL}, the harness {found}"),
        ));
    }
    Reply::Answer(json!({
        "protocol": PROTOCOL,
        "implementation": {
            "name": "checkpoint-formats",
            "version": env!("CARGO_PKG_VERSION"),
            "language": "rust",
            "runtime": env!("COMPILER_VERSION"),
        },
        "operations": operations::names().collect::<Vec<_>>(),
    }))
}

fn run(request: &Map<String, Value>) -> Value {
    let id = request.get("id");
    let Some(operation) = request.get("op").and_then(Value::as_str) else {
        return error(id, "op is no text");
    };
    let Some(Value::Object(input)) = request.get("input") else {
        return error(id, "input is no object");
    };
    match operations::answer(operation, input) {
        Ok(value) => answer(id, "ok", value),
        Err(Refusal::Rejected(rejection)) => {
            let mut content = json!({ "reason": rejection.reason.as_str(), "detail": rejection.detail });
            if let Some(at) = rejection.at {
                content["at"] = at.into();
            }
            answer(id, "reject", content)
        }
        Err(Refusal::Malformed(message)) => error(id, message),
    }
}
