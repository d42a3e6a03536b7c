//! Lines in and lines out, whatever the operation.

use std::io::BufRead as _;

use serde_json::{Value, json};

use crate::process::Adapter;

pub fn coordinate() -> Value {
    json!({
        "shard_id": 1, "byte_offset": "18446744073709551615", "row_group_idx": 0, "page_idx": 0,
        "row_offset_in_page": 0, "global_row_idx": "2",
    })
}

#[test]
fn the_handshake_names_every_operation() {
    let mut adapter = Adapter::start();
    let answer = adapter.ask(r#"{"cmd":"start","protocol":1}"#);
    assert_eq!(answer["protocol"], 1);
    assert_eq!(answer["implementation"]["name"], "checkpoint-formats");
    assert_eq!(answer["implementation"]["language"], "rust");
    let operations = answer["operations"].as_array().unwrap();
    assert_eq!(operations.len(), 21);
    for operation in operations {
        let answer = adapter.run(operation.as_str().unwrap(), &json!({}));
        assert!(
            answer["error"]["message"].as_str().unwrap().contains("missing"),
            "{answer}"
        );
    }
    assert!(adapter.end().success());
}

#[test]
fn another_protocol_is_refused_in_words() {
    let mut adapter = Adapter::start();
    let answer = adapter.ask(r#"{"cmd":"start","protocol":2}"#);
    assert!(answer["error"]["message"].as_str().unwrap().contains("protocol 1"));
    assert!(!adapter.end().success());
}

#[test]
fn stop_ends_at_once_and_well() {
    let mut adapter = Adapter::start();
    adapter.send(b"{\"cmd\":\"stop\"}\n");
    assert!(adapter.child.wait().unwrap().success());
}

#[test]
fn each_format_answers_in_the_protocol_s_spelling() {
    let mut adapter = Adapter::start();
    let encoded = adapter.run("lmdl.coordinate.encode", &json!({"value": coordinate()}));
    assert_eq!(
        encoded["ok"],
        json!({"data": "AQAAAP//////////AAAAAAAAAAAAAAAAAgAAAAAAAAA="})
    );
    let decoded = adapter.run("lmdl.coordinate.decode", &encoded["ok"]);
    assert_eq!(
        decoded["ok"],
        json!({"value": coordinate(), "data": encoded["ok"]["data"]})
    );

    // {"a":1} written into an envelope, and the one payload back out of it.
    let manifest = json!({"manifest": "eyJhIjoxfQ==", "payloads": [{"name": "p", "data": "AAEC"}]});
    let envelope = adapter.run("flysess1.encode", &manifest);
    let payload = adapter.run(
        "flysess1.payload",
        &json!({"data": envelope["ok"]["data"], "name": "p"}),
    );
    assert_eq!(payload["ok"], json!({"data": "AAEC"}));
    let incomplete = adapter.run("flysess1.layout", &envelope["ok"]);
    assert_eq!(incomplete["reject"]["reason"], "manifest-field-missing");
    assert_eq!(incomplete["reject"]["at"], "/envelopeVersion");

    let metadata = json!({
        "accepted_time": "1e-05", "accepted_increment": 1, "method_identity": "m",
        "domain": {
            "global_dimensions": [1, 1, 1], "physical_origin": ["0.0", "-0.0", "1.0"],
            "grid_spacing": ["1.0", "1.0", "1.0"], "periodic": [true, true, false],
        },
        "boundary_conditions": [{"config": "{ \"b\": 1E2, \"a\": [] }", "state": "null"}],
    });
    let text = adapter.run("pfc.metadata.encode", &json!({"value": metadata}));
    let mut expected = metadata.clone();
    expected["format_version"] = 2.into();
    expected["result_counter"] = 0.into();
    expected["boundary_conditions"][0]["config"] = r#"{"a":[],"b":100.0}"#.into();
    assert_eq!(adapter.run("pfc.metadata.decode", &text["ok"])["ok"]["value"], expected);
}

#[test]
fn numbers_of_any_size_reach_the_library() {
    let mut adapter = Adapter::start();
    let wide = coordinate().to_string();
    for (from, to, place) in [
        ("\"shard_id\":1", "\"shard_id\":4294967296", "coordinate/shard_id"),
        ("\"page_idx\":0", "\"page_idx\":-1", "coordinate/page_idx"),
        (
            "\"page_idx\":0",
            "\"page_idx\":100000000000000000000000000000000000000000",
            "coordinate/page_idx",
        ),
        (
            "\"18446744073709551615\"",
            "\"18446744073709551616\"",
            "coordinate/byte_offset",
        ),
        (
            "\"2\"",
            "\"-100000000000000000000000000000000000000000\"",
            "coordinate/global_row_idx",
        ),
    ] {
        assert!(wide.contains(from), "{from}");
        let value = wide.replace(from, to);
        let answer = adapter.ask(&format!(
            r#"{{"cmd":"run","id":1,"op":"lmdl.coordinate.encode","input":{{"value":{value}}}}}"#
        ));
        assert_eq!(answer["reject"]["reason"], "field-out-of-range", "{to}");
        assert_eq!(answer["reject"]["at"], place);
    }
}

#[test]
fn texts_too_deep_to_read_are_the_library_s_to_refuse() {
    let mut adapter = Adapter::start();
    let deep = "[".repeat(1000) + &"]".repeat(1000);
    let value = json!({
        "accepted_time": "0.0", "accepted_increment": 0, "method_identity": "",
        "domain": {
            "global_dimensions": [1, 1, 1], "physical_origin": ["0.0", "0.0", "0.0"],
            "grid_spacing": ["1.0", "1.0", "NaN"], "periodic": [true, true, true],
        },
        "boundary_conditions": [{"config": deep, "state": "null"}],
    });
    let answer = adapter.run("pfc.metadata.encode", &json!({"value": value}));
    assert_eq!(answer["reject"]["at"], "/domain/grid_spacing/2");
    let mut finite = value.clone();
    finite["domain"]["grid_spacing"][2] = "1.0".into();
    let answer = adapter.run("pfc.metadata.encode", &json!({"value": finite}));
    assert_eq!(answer["reject"]["reason"], "metadata-too-deep");
}

#[test]
fn malformed_requests_are_errors_and_end_nothing() {
    let mut adapter = Adapter::start();
    for line in [
        "",
        "{",
        "[]",
        "null",
        "{}",
        r#"{"cmd":"dance"}"#,
        "\u{2028}",
        r#"{"cmd":"run"}"#,
        r#"{"cmd":"run","op":1}"#,
    ] {
        assert!(adapter.ask(line)["error"]["message"].is_string(), "{line}");
    }
    adapter.send(b"\xff\xfe\n");
    assert!(adapter.answer()["error"]["message"].is_string());
    for (operation, input) in [
        ("lmdl.nothing", json!({})),
        ("lmdl.open", json!({"path": 1})),
        ("lmdl.commit_file", json!({"path": "/", "batch_id": 1})),
        ("flysess1.commit", json!({"store": null})),
        ("lmdl.hash", json!({})),
        ("lmdl.hash", json!({"data": "AA="})),
        ("lmdl.hash", json!({"data": "AB=="})),
        ("lmdl.hash", json!({"data": "AA=="  .to_owned() + "\n"})),
        ("lmdl.hash", json!({"data": "-_-_"})),
        ("lmdl.hash", json!({"data": {"path": "/nowhere/at/all"}})),
        ("lmdl.hash", json!({"data": {"path": "/dev/zero"}})),
        ("lmdl.recover", json!({"meta": null, "log_length": 0})),
        ("lmdl.recover", json!({"meta": null, "log_length": "-1"})),
        ("lmdl.recover", json!({"meta": null, "log_length": "00"})),
        ("lmdl.recover", json!({"log_length": "0"})),
        (
            "pfc.brick.assemble",
            json!({"global_dimensions": [1, 0, 1], "parts": []}),
        ),
        (
            "pfc.brick.assemble",
            json!({"global_dimensions": [1, 1.0, 1], "parts": []}),
        ),
        ("pfc.brick.assemble", json!({"global_dimensions": [1, 1], "parts": []})),
    ] {
        let answer = adapter.run(operation, &input);
        assert!(answer["error"]["message"].is_string(), "{operation} {input}: {answer}");
    }
    assert_eq!(
        adapter.run("lmdl.hash", &json!({"data": ""}))["ok"],
        json!({"hash": "3244421341483603138"})
    );
    assert!(adapter.end().success());
}

#[test]
fn a_line_beyond_64_mib_is_one_error_and_the_next_is_read() {
    let mut adapter = Adapter::start();
    let part = vec![b' '; 1 << 20];
    for _ in 0..65 {
        adapter.send(&part);
    }
    adapter.send(b"\n");
    assert!(
        adapter.answer()["error"]["message"]
            .as_str()
            .unwrap()
            .contains("64 MiB")
    );
    assert_eq!(
        adapter.run("lmdl.hash", &json!({"data": ""}))["ok"]["hash"],
        "3244421341483603138"
    );
}

#[test]
fn answers_come_out_while_half_a_request_lies_in_the_input() {
    let mut adapter = Adapter::start();
    let whole = r#"{"cmd":"run","id":"1","op":"lmdl.hash","input":{"data":""}}"#;
    let (head, tail) = whole.split_at(20);
    adapter.send(format!("{whole}\n{whole}\n{head}").as_bytes());
    assert_eq!(
        (adapter.answer()["id"].clone(), adapter.answer()["id"].clone()),
        (json!("1"), json!("1"))
    );
    adapter.send(tail.as_bytes());
    // The end of the input ends the last line as well.
    drop(adapter.input);
    let mut line = String::new();
    adapter.output.read_line(&mut line).unwrap();
    assert!(line.contains("3244421341483603138"));
    assert!(adapter.child.wait().unwrap().success());
}

#[test]
fn bytes_may_come_from_a_file() {
    let mut adapter = Adapter::start();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/abc.txt");
    let answer = adapter.run("lmdl.hash", &json!({"data": {"path": path}}));
    assert_eq!(answer["ok"]["hash"], 0x78af_5f94_892f_3950_u64.to_string());
}
