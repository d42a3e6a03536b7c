//! The flysess1 format against envelopes laid out by hand; faults behind step 2 are resealed.

use checkpoint_formats::flysess1::{EntryLayout, Envelope, EnvelopeLayout, Payload, decode, encode, layout};
use checkpoint_formats::json;

use crate::envelope::{
    FIRST_PAYLOAD, FOOTER, MANIFEST_END, SECOND_PAYLOAD, TABLE, envelope, hex, manifest, reseal, sha256, with_manifest,
};
use crate::refusal::{Refusal, at, plain, refusal};

/// What [`decode`] says to the valid envelope after `edit` and a reseal.
fn after(edit: impl FnOnce(&mut Vec<u8>)) -> Refusal {
    let mut file = envelope();
    edit(&mut file);
    refusal(decode(&reseal(file)))
}

fn set(at: usize, bytes: &[u8]) -> impl FnOnce(&mut Vec<u8>) {
    move |file| file[at..at + bytes.len()].copy_from_slice(bytes)
}

fn manifest_refusal(text: &str) -> Refusal {
    refusal(decode(&with_manifest(text)))
}

#[test]
fn a_valid_envelope_reads_and_writes_back() {
    let file = envelope();
    assert_eq!(
        (file[32..].len() - 48, file.len()),
        (FOOTER - 32, FOOTER + 48),
        "the fixture is where it says"
    );
    let read = decode(&file).unwrap();
    let payloads = vec![
        Payload {
            name: "a",
            data: b"xyz",
        },
        Payload {
            name: "b-2",
            data: b"01234567",
        },
    ];
    assert_eq!(
        read,
        Envelope {
            manifest: json::parse(manifest("0").as_bytes()).unwrap(),
            payloads: payloads.clone()
        }
    );
    assert_eq!(read.encode(), Ok(file.clone()));
    let spaced = manifest("0")
        .replace(':', " :\n")
        .replace("\"agents\"", "\"\\u0061gents\"")
        .replace(" :\n0", ": -0.0e5");
    assert_eq!(encode(spaced.as_bytes(), &payloads), Ok(file));
}

#[test]
fn a_layout_says_where_everything_is() {
    let entry = |name: &str, offset, byte_length, data| EntryLayout {
        name: name.into(),
        offset,
        byte_length,
        digest: sha256(data),
    };
    let expected = EnvelopeLayout {
        manifest_offset: 32,
        manifest_bytes: manifest("0").len() as u64,
        table_offset: TABLE as u64,
        entries: vec![
            entry("a", FIRST_PAYLOAD as u64, 3, b"xyz"),
            entry("b-2", SECOND_PAYLOAD as u64, 8, b"01234567"),
        ],
        footer_offset: FOOTER as u64,
        total_bytes: FOOTER as u64 + 48,
    };
    assert_eq!(layout(&envelope()), Ok(expected));
    assert_eq!(refusal(layout(b"FLYSESS1")), plain("too-short"));
}

#[test]
fn step_1_judges_the_header() {
    let file = envelope();
    assert_eq!(refusal(decode(&file[..79])), plain("too-short"));
    assert_eq!(refusal(decode(&[])), plain("too-short"));
    assert_eq!(after(set(0, b"FLYSIM01")), plain("bad-magic"));
    assert_eq!(after(set(8, &[2])), plain("unsupported-version"));
    assert_eq!(after(set(12, &[33])), plain("bad-header-bytes"));
    assert_eq!(after(set(31, &[1])), plain("reserved-not-zero"));
    assert_eq!(after(set(20, &[65])), plain("too-many-payloads"));
    // Each of two faults hides the later one.
    assert_eq!(
        after(set(20, &[65, 0, 0, 0, 0, 0, 0, 0, 1])),
        plain("reserved-not-zero")
    );
    assert_eq!(after(set(8, &[0, 0, 0, 0, 0])), plain("unsupported-version"));
}

#[test]
fn step_2_judges_the_footer() {
    let edited = |at: usize, bytes: &[u8]| {
        let mut file = envelope();
        set(at, bytes)(&mut file);
        refusal(decode(&file))
    };
    assert_eq!(edited(FOOTER + 47, b"E"), plain("bad-footer-magic"));
    assert_eq!(edited(FOOTER + 7, &[1]), plain("file-bytes-mismatch"));
    assert_eq!(
        edited(FOOTER + 8, &[envelope()[FOOTER + 8] ^ 1]),
        plain("prefix-digest-mismatch")
    );
    assert_eq!(edited(40, b"?"), plain("prefix-digest-mismatch"));
    assert_eq!(refusal(decode(&envelope()[..FOOTER + 47])), plain("bad-footer-magic"));
}

#[test]
fn step_3_judges_the_manifest_text() {
    let room = (FOOTER - 32) as u32;
    assert_eq!(after(set(16, &(room + 1).to_le_bytes())), plain("manifest-outside"));
    assert_eq!(after(set(16, &u32::MAX.to_le_bytes())), plain("manifest-outside"));
    assert_eq!(after(set(16, &[0; 4])), plain("manifest-not-json"));
    assert_eq!(after(set(34, &[0xff])), plain("manifest-not-utf8"));
    assert_eq!(manifest_refusal(&manifest("nul")), plain("manifest-not-json"));
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(decode(&with_manifest(&manifest(&nested(126)))).is_ok());
    assert_eq!(manifest_refusal(&manifest(&nested(127))), plain("manifest-too-deep"));
    assert_eq!(
        manifest_refusal(&manifest(r#"{"a":1,"a":1}"#)),
        plain("manifest-duplicate-key")
    );
    assert_eq!(
        manifest_refusal(&manifest("1e400")),
        plain("manifest-number-not-finite")
    );
    for number in [
        "9007199254740992",
        "9007199254740993",
        "-9007199254740992",
        "1e+21",
        "1e21",
        "9.007199254740992e15",
    ] {
        assert_eq!(
            manifest_refusal(&manifest(&format!("[{number}]"))),
            plain("manifest-number-range"),
            "{number}"
        );
    }
    for text in [
        "9007199254740991",
        "-9007199254740991",
        "4503599627370495.5",
        "1e-7",
        r#"{"😀":0,"｡":0}"#,
        r#"["\u001f/é"]"#,
    ] {
        assert!(decode(&with_manifest(&manifest(text))).is_ok(), "{text}");
    }
    for text in [
        " 0",
        "0 ",
        "-0",
        "1.0",
        "1E2",
        "1e2",
        r#"{"｡":0,"😀":0}"#,
        r#"{"b":0,"a":0}"#,
        r#""\u00e9""#,
        r#""\/""#,
        r#""\u001F""#,
    ] {
        assert_eq!(
            manifest_refusal(&manifest(text)),
            plain("manifest-not-canonical"),
            "{text}"
        );
    }
    assert_eq!(manifest_refusal("[]\n"), plain("manifest-not-canonical"));
}

#[test]
fn step_4_judges_the_table_place() {
    assert_eq!(
        after(set(24, &(TABLE as u32 + 8).to_le_bytes())),
        plain("table-misplaced")
    );
    assert_eq!(after(set(24, &0u32.to_le_bytes())), plain("table-misplaced"));
    // Six entries end behind the footer's start.
    assert_eq!(after(set(20, &[6])), plain("table-outside"));
    assert_eq!(after(set(20, &[64])), plain("table-outside"));
}

#[test]
fn step_5_judges_entry_by_entry() {
    let second = TABLE + 112;
    assert_eq!(after(set(TABLE + 63, b"x")), at("name-after-terminator", "payloads/0"));
    assert_eq!(after(set(second + 4, b"x")), at("name-after-terminator", "payloads/1"));
    for name in [b"A", b"-", b".", b"\0", b" "] {
        assert_eq!(after(set(TABLE, name)), at("name-not-id", "payloads/0"));
    }
    assert_eq!(after(set(second, b"a\0\0")), at("name-duplicate", "payloads/1"));
    assert_eq!(after(set(TABLE + 64, &[0; 8])), at("payload-misplaced", "payloads/0"));
    assert_eq!(
        after(set(second + 64, &[0xff; 8])),
        at("payload-misplaced", "payloads/1")
    );
    assert_eq!(after(set(second + 72, &[9])), at("payload-outside", "payloads/1"));
    assert_eq!(after(set(second + 72, &[0xff; 8])), at("payload-outside", "payloads/1"));
    assert_eq!(
        after(set(TABLE + 72, &[4])),
        at("payload-digest-mismatch", "payloads/0")
    );
    assert_eq!(
        after(set(SECOND_PAYLOAD, b"?")),
        at("payload-digest-mismatch", "payloads/1")
    );
    // The first entry is judged whole before the second.
    let both = |file: &mut Vec<u8>| {
        set(FIRST_PAYLOAD, b"?")(file);
        set(second, b"?")(file);
    };
    assert_eq!(after(both), at("payload-digest-mismatch", "payloads/0"));
}

#[test]
fn step_6_judges_gap_and_padding() {
    let gap = |extra: usize| {
        let mut file = envelope();
        file.resize(FOOTER + extra + 48, 0);
        refusal(decode(&reseal(file)))
    };
    assert_eq!([gap(1), gap(8)], [plain("trailing-gap"), plain("trailing-gap")]);
    for byte in FIRST_PAYLOAD + 3..SECOND_PAYLOAD {
        assert_eq!(after(set(byte, &[1])), plain("padding-not-zero"));
    }
    for byte in MANIFEST_END..TABLE {
        assert_eq!(after(set(byte, &[1])), plain("padding-not-zero"));
    }
    let mut file = encode(manifest("0").as_bytes(), &[]).unwrap();
    file[MANIFEST_END + 3] = 1;
    assert_eq!(refusal(decode(&reseal(file))), plain("padding-not-zero"));
    let mut file = encode(
        b"{}",
        &[Payload {
            name: "a",
            data: b"xyz",
        }],
    )
    .unwrap();
    let last_before_footer = file.len() - 49;
    file[last_before_footer] = 1;
    assert_eq!(refusal(decode(&reseal(file))), plain("padding-not-zero"));
}

#[test]
fn step_7_judges_the_manifest_fields_in_order() {
    assert_eq!(manifest_refusal("[]"), plain("manifest-not-object"));
    assert_eq!(manifest_refusal("{}"), at("manifest-field-missing", "/envelopeVersion"));
    assert_eq!(
        manifest_refusal(r#"{"envelopeVersion":1}"#),
        at("manifest-field-missing", "/checkpointId")
    );
    for field in ["agents", "portMap", "payloads", "environment", "helperState"] {
        let renamed = manifest("0").replace(&format!("\"{field}\""), &format!("\"{field}0\""));
        assert_eq!(
            manifest_refusal(&renamed),
            at("manifest-field-missing", &format!("/{field}")),
            "{field}"
        );
    }
    for version in ["2", "\"1\"", "true", "null", "1.5"] {
        let text = manifest("0").replace("\"envelopeVersion\":1", &format!("\"envelopeVersion\":{version}"));
        assert_eq!(
            manifest_refusal(&text),
            at("manifest-version", "/envelopeVersion"),
            "{version}"
        );
    }
}

#[test]
fn step_7_compares_the_payload_list_with_the_table() {
    let changed = |from: &str, to: &str| {
        let text = manifest("0");
        assert!(text.contains(from));
        manifest_refusal(&text.replace(from, to))
    };
    assert_eq!(
        changed("\"payloads\":[", "\"payloads\":[0,"),
        at("manifest-payloads", "/payloads")
    );
    let list = manifest("0");
    let list = &list[list.find("[{").unwrap()..=list.find("}]").unwrap() + 1];
    assert_eq!(changed(list, "{}"), at("manifest-payloads", "/payloads"));
    assert_eq!(changed(list, "[0,0]"), at("manifest-payloads", "/payloads/0"));
    assert_eq!(
        changed("\"name\":\"a\"", "\"name\":\"A\""),
        at("manifest-payloads", "/payloads/0")
    );
    assert_eq!(
        changed("\"byteLength\":\"8\"", "\"byteLength\":8"),
        at("manifest-payloads", "/payloads/1")
    );
    assert_eq!(
        changed("\"byteLength\":\"8\"", "\"byteLength\":\"08\""),
        at("manifest-payloads", "/payloads/1")
    );
    let digest = hex(&sha256(b"xyz"));
    assert_eq!(
        changed(&digest, &digest.to_uppercase()),
        at("manifest-payloads", "/payloads/0")
    );
    // More members than the three are no fault.
    let more = manifest("0").replace("\"name\":\"a\"", "\"name\":\"a\",\"note\":0");
    assert!(decode(&with_manifest(&more)).is_ok());
}
