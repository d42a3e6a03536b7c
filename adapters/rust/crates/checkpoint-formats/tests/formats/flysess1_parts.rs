//! Writing an envelope, its ids, and reading one payload of it.

use checkpoint_formats::flysess1::{Envelope, Payload, encode, is_id, payload};
use checkpoint_formats::json;

use crate::envelope::{FIRST_PAYLOAD, FOOTER, TABLE, envelope};
use crate::refusal::{at, plain, refusal};

fn set(at: usize, bytes: &[u8]) -> impl FnOnce(&mut Vec<u8>) {
    move |file| file[at..at + bytes.len()].copy_from_slice(bytes)
}

#[test]
fn writing_judges_payloads_then_the_manifest() {
    let names: Vec<String> = (0..65).map(|index| format!("p{index}")).collect();
    let many: Vec<_> = names.iter().map(|name| Payload { name, data: b"" }).collect();
    assert_eq!(refusal(encode(b"?", &many)), plain("too-many-payloads"));
    assert_eq!(encode(b"null", &many[..64]).unwrap().len(), 32 + 8 + 64 * 112 + 48);
    let empty = |name| Payload { name, data: b"" };
    assert_eq!(
        refusal(encode(b"?", &[empty("a"), empty("A"), empty("a")])),
        at("name-not-id", "payloads/1")
    );
    assert_eq!(
        refusal(encode(b"?", &[empty("a"), empty("a")])),
        at("name-duplicate", "payloads/1")
    );
    assert_eq!(refusal(encode(b"?", &[])), plain("manifest-not-json"));
    assert_eq!(refusal(encode(b"1e16", &[])), plain("manifest-number-range"));
    let deep = Envelope {
        manifest: (0..128).fold(json::Value::Null, |inner, _| json::Value::Array(vec![inner])),
        payloads: vec![],
    };
    assert_eq!(refusal(deep.encode()), plain("manifest-too-deep"));
    // An empty payload takes no room; the footer stands where it would have stood.
    let file = encode(b"{}", &[empty("a")]).unwrap();
    assert_eq!(file.len(), 40 + 112 + 48);
    assert_eq!(payload(&file, "a"), Ok(&b""[..]));
}

#[test]
fn ids_are_matched_whole() {
    let longest = "x".repeat(64);
    for id in ["a", "0", "a.b_c-d", longest.as_str()] {
        assert!(is_id(id.as_bytes()), "{id}");
        assert_eq!(
            payload(&encode(b"0", &[Payload { name: id, data: b"1" }]).unwrap(), id),
            Ok(&b"1"[..])
        );
    }
    for id in [
        "",
        "A",
        "-a",
        ".a",
        "_a",
        "a b",
        "a\n",
        "é",
        "a\0",
        "x".repeat(65).as_str(),
    ] {
        assert!(!is_id(id.as_bytes()), "{id:?}");
    }
}

#[test]
fn one_payload_is_read_without_the_rest() {
    let file = envelope();
    assert_eq!(payload(&file, "b-2"), Ok(&b"01234567"[..]));
    assert_eq!(refusal(payload(&file, "b")), plain("payload-unknown"));
    assert_eq!(refusal(payload(&file, "b-2\0")), plain("payload-unknown"));
    // The manifest, the other payload and the prefix digest are not looked at.
    let mut broken = file.clone();
    broken[40] = 0xff;
    broken[FIRST_PAYLOAD] = b'?';
    assert_eq!(payload(&broken, "b-2"), Ok(&b"01234567"[..]));
    assert_eq!(
        refusal(payload(&broken, "a")),
        at("payload-digest-mismatch", "payloads/0")
    );

    let edited = |at: usize, bytes: &[u8], name: &str| {
        let mut file = envelope();
        set(at, bytes)(&mut file);
        refusal(payload(&file, name))
    };
    assert_eq!(edited(FOOTER, &[0], "a"), plain("file-bytes-mismatch"));
    assert_eq!(edited(24, &[0], "a"), plain("table-misplaced"));
    assert_eq!(edited(20, &[6], "a"), plain("table-outside"));
    assert_eq!(edited(TABLE + 70, b"\x01", "a"), at("payload-misplaced", "payloads/0"));
    assert_eq!(edited(TABLE + 2, b"x", "a"), at("name-after-terminator", "payloads/0"));
    assert_eq!(edited(TABLE, b"A", "A"), at("name-not-id", "payloads/0"));
    assert_eq!(
        edited(TABLE + 112 + 73, &[1], "b-2"),
        at("payload-outside", "payloads/1")
    );
    // The declared end of the entry before it, exact even where it overflows.
    assert_eq!(
        edited(TABLE + 64, &[0xff; 16], "b-2"),
        at("payload-misplaced", "payloads/1")
    );
    // Of two entries of one name the first is the one.
    let mut twins = envelope();
    set(TABLE + 112, b"a\0\0")(&mut twins);
    assert_eq!(payload(&twins, "a"), Ok(&b"xyz"[..]));
}
