//! Strict JSON and number text. Expectations come from RFC 8259, RFC 8785 and the rules, worked out by hand.

use checkpoint_formats::json::{Fault, MAX_DEPTH, Value, ecmascript_text, parse, pfc_text};

fn fault(text: &[u8]) -> Option<Fault> {
    parse(text).err().map(|error| error.fault)
}

fn nested(depth: usize) -> String {
    "[".repeat(depth) + &"]".repeat(depth)
}

fn string(text: &str) -> String {
    parse(text.as_bytes()).unwrap().as_str().unwrap().to_owned()
}

#[test]
fn well_formed_utf8_only() {
    let bad: [&[u8]; 7] = [
        b"\"\xc0\xaf\"",
        b"\"\xed\xa0\x80\"",
        b"\"\xf4\x90\x80\x80\"",
        b"\"\xe2\x82\"",
        b"\"\x80\"",
        b"\xff",
        b"\"\xf5\"",
    ];
    for text in bad {
        assert_eq!(fault(text), Some(Fault::NotUtf8), "{}", text.escape_ascii());
    }
    assert_eq!(string("\"\u{10ffff}\u{fffe}\""), "\u{10ffff}\u{fffe}");
}

#[test]
fn exactly_one_value() {
    let bad = [
        "",
        " ",
        "\u{feff}1",
        "1 2",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\" 1}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{1:2}",
        "[}",
        "{]",
        "[",
        "{",
        "\"",
        "]",
        ",",
        ":",
        "nul",
        "nulll",
        "True",
        "NaN",
        "Infinity",
        "-Infinity",
        "+1",
        "01",
        "-01",
        "00",
        "-",
        "1.",
        ".5",
        "1.e1",
        "1e",
        "1e+",
        "0x1",
        "1_0",
        "--1",
        "// c\n1",
        "/**/1",
        "'a'",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u+123\"",
        "\"\\u12\"",
        "\"\n\"",
        "\"\t\"",
        "\"\u{0}\"",
        "\"\u{1f}\"",
        "\u{a0}1",
        "1\u{2028}",
        "\u{b}1",
        "[1]]",
        "{\"a\":1}}",
        "\"\\",
        "\"a\\\"",
    ];
    for text in bad {
        assert_eq!(fault(text.as_bytes()), Some(Fault::NotJson), "{text:?}");
    }
    for text in [
        "0",
        "-0",
        "0.0e-0",
        "1E+2",
        " \t\r\n[ ] \n",
        "{ \"\" : null }",
        "\"\u{7f}\u{2028}\"",
        "true",
        "\"\\u0000\"",
    ] {
        assert_eq!(fault(text.as_bytes()), None, "{text:?}");
    }
}

#[test]
fn surrogate_escapes_come_in_pairs() {
    let bad = [
        r#""\ud800""#,
        r#""\udc00""#,
        r#""\udc00\ud800""#,
        r#""\ud800\ud800""#,
        r#""\ud800x""#,
        r#""\ud800\n""#,
        r#""\ud800\u0041""#,
        r#"{"\udbff":1}"#,
        r#""\ud800\\udc00""#,
    ];
    for text in bad {
        assert_eq!(fault(text.as_bytes()), Some(Fault::NotJson), "{text}");
    }
    assert_eq!(string(r#""\ud83d\uDE00!\ud834\udd1e""#), "\u{1f600}!\u{1d11e}");
    assert_eq!(
        string(r#""a\"\\\/\b\f\n\r\t\u0000\u00e9\uffffz""#),
        "a\"\\/\u{8}\u{c}\n\r\t\0\u{e9}\u{ffff}z"
    );
}

#[test]
fn at_most_127_levels() {
    assert_eq!(MAX_DEPTH, 127);
    assert_eq!(fault(nested(127).as_bytes()), None);
    assert_eq!(fault(nested(128).as_bytes()), Some(Fault::TooDeep));
    let objects = "{\"a\":".repeat(127) + "1" + &"}".repeat(127);
    assert_eq!(fault(objects.as_bytes()), None);
    assert_eq!(fault(format!("[{objects}]").as_bytes()), Some(Fault::TooDeep));
    // Siblings do not add up.
    assert_eq!(fault(format!("[{}]", vec!["[[]]"; 100].join(",")).as_bytes()), None);
}

#[test]
fn a_megabyte_of_brackets_neither_crashes_nor_hides_its_class() {
    let open = "[".repeat(1 << 20);
    assert_eq!(fault(open.as_bytes()), Some(Fault::NotJson));
    assert_eq!(fault("{\"a\":".repeat(1 << 18).as_bytes()), Some(Fault::NotJson));
    assert_eq!(fault(nested(1 << 20).as_bytes()), Some(Fault::TooDeep));
}

#[test]
fn names_are_unique_after_unescaping() {
    for text in [
        r#"{"a":1,"a":1}"#,
        r#"{"a":1,"\u0061":2}"#,
        r#"[{"x":{"":1,"":2}}]"#,
        r#"{"__proto__":1,"__proto__":2}"#,
    ] {
        assert_eq!(fault(text.as_bytes()), Some(Fault::DuplicateKey), "{text}");
    }
    let value = parse(br#"{"__proto__":1,"constructor":2,"toString":3,"":4,"A":5,"a":{"A":6}}"#).unwrap();
    assert_eq!(value.as_object().unwrap().len(), 6);
}

#[test]
fn numbers_are_finite() {
    let long = "9".repeat(400);
    for text in [
        "1.7976931348623159e308",
        "1e400",
        "-1e400",
        long.as_str(),
        "[0,{\"a\":1E999}]",
    ] {
        assert_eq!(fault(text.as_bytes()), Some(Fault::NumberNotFinite), "{text}");
    }
    for text in [
        "1.7976931348623158e308",
        "1e-400",
        "0e999999999999999999",
        "1e-99999999999999999999",
    ] {
        assert_eq!(fault(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn the_first_class_of_the_whole_text_is_reported() {
    let deep = nested(128);
    let faults = ["\"\u{fffd}\"", "x", deep.as_str(), r#"{"a":1,"a":1}"#, "1e400"];
    let classes = [
        Fault::NotUtf8,
        Fault::NotJson,
        Fault::TooDeep,
        Fault::DuplicateKey,
        Fault::NumberNotFinite,
    ];
    for (first, class) in classes.into_iter().enumerate() {
        for later in &faults[first..] {
            // The later class stands first in the text.
            let text = format!("[{later},{}]", faults[first]).into_bytes();
            // Replace the placeholder by a byte that no UTF-8 has.
            let text = if first == 0 {
                text.iter()
                    .map(|byte| if *byte == 0xbf { 0xff } else { *byte })
                    .collect()
            } else {
                text
            };
            assert_eq!(fault(&text), Some(class), "{}", text.escape_ascii());
        }
    }
}

#[test]
fn numbers_keep_kind_and_value() {
    let number = |text: &str| parse(text.as_bytes()).unwrap().as_number().unwrap().to_owned();
    assert_eq!(number("-0").as_integer(), Some(0));
    assert!(number("-0").as_f64().is_sign_negative());
    assert_eq!(number("18446744073709551615").as_integer(), Some(u64::MAX.into()));
    assert_eq!(number("18446744073709551616").as_integer(), None);
    assert!(number("18446744073709551616").is_integer());
    assert_eq!(number("-9223372036854775808").as_integer(), Some(i64::MIN.into()));
    assert_eq!(number("-9223372036854775809").as_integer(), None);
    assert!(!number("5.0").is_integer() && !number("1e0").is_integer() && !number("1E0").is_integer());
    assert_eq!(number("1E2"), number("100.0"));
    assert_ne!(number("100"), number("100.0"));
    // Ties to even: 2^53 + 1 lies half-way between 2^53 and 2^53 + 2.
    assert_eq!(number("9007199254740993").as_f64(), 9_007_199_254_740_992.0);
}

#[test]
fn depth_counts_containers() {
    let depth = |text: &str| parse(text.as_bytes()).unwrap().depth();
    assert_eq!([depth("1"), depth("[]"), depth("{\"a\":[{}],\"b\":[]}")], [0, 1, 3]);
    assert_eq!(Value::Null.depth(), 0);
}

/// Bits and text; the first group are the witnesses of JSON-DIGITS, worked out exactly.
const DIGITS: [(u64, &str, &str); 15] = [
    (0x4314_3ff3_c1cb_0959, "1424953923781206.2", "1.4249539237812062e+15"),
    (0x3e60_0000_0000_0000, "2.9802322387695312e-8", "2.9802322387695312e-08"),
    (
        0x45a0_0000_0000_0000,
        "2.4758800785707605e+27",
        "2.4758800785707605e+27",
    ),
    (0x0000_0000_0000_0001, "5e-324", "5e-324"),
    (
        0x7fef_ffff_ffff_ffff,
        "1.7976931348623157e+308",
        "1.7976931348623157e+308",
    ),
    (0x0000_0000_0000_0000, "0", "0.0"),
    (0x8000_0000_0000_0000, "0", "-0.0"),
    (0x3ff0_0000_0000_0000, "1", "1.0"),
    (0xbff8_0000_0000_0000, "-1.5", "-1.5"),
    (0x42d6_bcc4_1e90_0000, "100000000000000", "100000000000000.0"),
    (0x430c_6bf5_2634_0000, "1000000000000000", "1e+15"),
    (0x3f1a_36e2_eb1c_432d, "0.0001", "0.0001"),
    (0x3ee4_f8b5_88e3_68f1, "0.00001", "1e-05"),
    (0x444b_1ae4_d6e2_ef50, "1e+21", "1e+21"),
    (0x4415_af1d_78b5_8c40, "100000000000000000000", "1e+20"),
];

#[test]
fn digits_are_the_shortest_then_closest_then_even() {
    for (bits, ecmascript, pfc) in DIGITS {
        let value = f64::from_bits(bits);
        assert_eq!(ecmascript_text(value), ecmascript);
        assert_eq!(pfc_text(value), pfc);
    }
    // Ties: the last digit is even.
    let tie: f64 = "2200546244643836.25".parse().unwrap();
    assert_eq!(
        [ecmascript_text(tie), pfc_text(tie)],
        ["2200546244643836.2", "2.2005462446438362e+15"]
    );
    let tie: f64 = "599938067598935.25".parse().unwrap();
    assert_eq!(
        [ecmascript_text(tie), pfc_text(tie)],
        ["599938067598935.2", "599938067598935.2"]
    );
    assert_eq!(pfc_text(117.633_311_394_000_17), "117.63331139400017");
    assert_eq!(pfc_text(-123.25), "-123.25");
    assert_eq!(pfc_text(1.25e-7), "1.25e-07");
    assert_eq!(pfc_text(1e100), "1e+100");
    assert_eq!([pfc_text(f64::NAN), pfc_text(f64::NEG_INFINITY)], ["NaN", "-Infinity"]);
}

/// What the value of a number is does not depend on how many digits and how large an exponent spell it.
#[test]
fn numbers_of_any_length_are_the_nearest_binary64() {
    let many = 700_000;
    let zeros = "0".repeat(many);
    let ones = "1".repeat(many);
    for (text, expected) in [
        (format!("{ones}e-{many}"), 1.0 / 9.0),
        (format!("-{ones}.5E-{many}"), -1.0 / 9.0),
        (format!("0.{zeros}1e{}", many + 1), 1.0),
        (format!("5{zeros}e-{}", many + 324), 5e-324),
        (format!("0.{zeros}1e+{zeros}{}", many + 309), 1e308),
        (format!("0.{zeros}e9{zeros}"), 0.0),
        (format!("1e-9{zeros}"), 0.0),
        // 2^53 + 1 is a tie between 2^53 and 2^53 + 2, and the least excess decides it.
        (format!("9007199254740993.{zeros}"), 9_007_199_254_740_992.0),
        (format!("9007199254740993.{zeros}1"), 9_007_199_254_740_994.0),
        (format!("9007199254740993{zeros}e-{many}"), 9_007_199_254_740_992.0),
    ] {
        let shown = &text[..20];
        let Ok(Value::Number(number)) = parse(text.as_bytes()) else {
            panic!("{shown} is read as a number");
        };
        assert_eq!(number.as_f64().to_bits(), f64::to_bits(expected), "{shown}");
    }
    for text in [format!("{ones}e-{}", many - 400), format!("1e9{zeros}"), ones] {
        assert_eq!(fault(text.as_bytes()), Some(Fault::NumberNotFinite), "{}", &text[..20]);
    }
}
