//! PFC-MEMBERS, PFC-CANONICAL, PFC-ENCODE.

use checkpoint_formats::json::{Number, Value};
use checkpoint_formats::pfc::{BoundaryCondition, Decomposition, Domain, Metadata, is_field_id};

use crate::refusal::{Refusal, at, plain, refusal};

const DOMAIN: &str = r#""global_dimensions":[4,3,2],"physical_origin":[0,-0.5,1e-5],"grid_spacing":[1,0.1,2.5]"#;

/// A version 2 text with `more` members, each as `,"name":value`.
fn text(more: &str) -> String {
    format!(
        r#"{{"format_version":2,"accepted_time":1.25,"accepted_increment":5,"method_identity":"euler",
        "domain":{{{DOMAIN},"periodic":[true,false,true]}}{more}}}"#
    )
}

fn decoded(text: &str) -> Metadata {
    Metadata::decode(text.as_bytes()).unwrap()
}

/// The refusal of [`text`] after replacing `from` by `to`.
fn replaced(from: &str, to: &str) -> Refusal {
    let good = text("");
    assert!(good.contains(from), "{from}");
    refusal(Metadata::decode(good.replace(from, to).as_bytes()))
}

fn with(more: &str) -> Refusal {
    refusal(Metadata::decode(text(more).as_bytes()))
}

fn value() -> Metadata {
    Metadata {
        format_version: 2,
        accepted_time: 1.25,
        accepted_increment: 5,
        result_counter: 0,
        domain: Domain {
            global_dimensions: [4, 3, 2],
            physical_origin: [0.0, -0.5, 1e-5],
            grid_spacing: [1.0, 0.1, 2.5],
            periodic: [true, false, true],
        },
        decomposition: None,
        method_identity: "euler".into(),
        fields: None,
        boundary_conditions: None,
    }
}

#[test]
fn both_versions_read() {
    assert_eq!(decoded(&text("")), value());
    let version_1 = text("")
        .replace(":2,", ":1,")
        .replace(r#","periodic":[true,false,true]"#, "");
    let mut expected = value();
    expected.format_version = 1;
    expected.domain.periodic = [true; 3];
    assert_eq!(decoded(&version_1), expected);
    expected.format_version = 2;
    assert_eq!(
        decoded(std::str::from_utf8(&decoded(&version_1).encode().unwrap()).unwrap()),
        expected
    );
}

#[test]
fn the_canonical_text_is_exactly_this() {
    let number = |value| Value::Number(Number::from_f64(value).unwrap());
    let metadata = Metadata {
        accepted_time: -0.0,
        result_counter: 7,
        decomposition: Some(Decomposition {
            mpi_size: 2,
            local_size: [1, 2, 3],
            local_offset: [0, 0, 1],
        }),
        method_identity: "\u{e9}\"\\/\u{7f}\u{1f}\n".into(),
        fields: Some(vec![]),
        boundary_conditions: Some(vec![BoundaryCondition {
            config: Value::Array(vec![number(100.0), Value::Number(Number::from(100))]),
            state: Value::Null,
        }]),
        ..value()
    };
    let expected = r#"{
  "accepted_increment": 5,
  "accepted_time": -0.0,
  "boundary_conditions": [
    {
      "config": [
        100.0,
        100
      ],
      "state": null
    }
  ],
  "decomposition": {
    "local_offset": [
      0,
      0,
      1
    ],
    "local_size": [
      1,
      2,
      3
    ],
    "mpi_size": 2
  },
  "domain": {
    "global_dimensions": [
      4,
      3,
      2
    ],
    "grid_spacing": [
      1.0,
      0.1,
      2.5
    ],
    "periodic": [
      true,
      false,
      true
    ],
    "physical_origin": [
      0.0,
      -0.5,
      1e-05
    ]
  },
  "fields": [],
  "format_version": 2,
  "method_identity": "é\"\\/DEL\u001f\n",
  "result_counter": 7
}
"#
    .replace("DEL", "\u{7f}");
    assert_eq!(String::from_utf8(metadata.encode().unwrap()).unwrap(), expected);
    assert_eq!(decoded(&expected).encode().unwrap(), expected.as_bytes());
}

#[test]
fn configs_keep_integers_and_sort_by_utf8() {
    let config = r#"{"｡":1E2,"😀":-9223372036854775808,"":[18446744073709551615,18446744073709551616],"a":-0}"#;
    let read = decoded(&text(&format!(
        r#","boundary_conditions":[{{"config":{config},"state":{{}}}}]"#
    )));
    let written = String::from_utf8(read.encode().unwrap())
        .unwrap()
        .replace([' ', '\n'], "");
    let expected = r#"{"":[18446744073709551615,1.8446744073709552e+19],"a":0,"｡":100.0,"😀":-9223372036854775808}"#;
    assert!(
        written.contains(&format!(r#"[{{"config":{expected},"state":{{}}}}]"#)),
        "{written}"
    );
}

#[test]
fn strict_json_comes_first() {
    assert_eq!(refusal(Metadata::decode(b"\xff")), plain("metadata-not-utf8"));
    assert_eq!(refusal(Metadata::decode(b"")), plain("metadata-not-json"));
    let deep = format!("{{\"dropped\":{}{}}}", "[".repeat(127), "]".repeat(127));
    assert_eq!(refusal(Metadata::decode(deep.as_bytes())), plain("metadata-too-deep"));
    assert_eq!(with(r#","unknown":{"a":1,"a":1}"#), plain("metadata-duplicate-key"));
    assert_eq!(with(r#","unknown":[1e400]"#), plain("metadata-number-not-finite"));
    assert_eq!(refusal(Metadata::decode(b"[]")), plain("metadata-not-object"));
    assert_eq!(refusal(Metadata::decode(b"null")), plain("metadata-not-object"));
}

#[test]
fn required_members_are_missed_in_the_order_of_the_table() {
    assert_eq!(
        refusal(Metadata::decode(b"{}")),
        at("member-missing", "/format_version")
    );
    assert_eq!(
        refusal(Metadata::decode(br#"{"format_version":2}"#)),
        at("member-missing", "/accepted_time")
    );
    assert_eq!(
        replaced("\"accepted_increment\"", "\"x\""),
        at("member-missing", "/accepted_increment")
    );
    assert_eq!(replaced("\"domain\"", "\"x\""), at("member-missing", "/domain"));
    for member in ["global_dimensions", "physical_origin", "grid_spacing", "periodic"] {
        assert_eq!(
            replaced(&format!("\"{member}\""), "\"x\""),
            at("member-missing", &format!("/domain/{member}"))
        );
    }
    assert_eq!(
        replaced("\"method_identity\"", "\"x\""),
        at("member-missing", "/method_identity")
    );
}

#[test]
fn versions() {
    for version in ["0", "3", "-1", "99999999999999999999"] {
        let found = replaced("\"format_version\":2", &format!("\"format_version\":{version}"));
        assert_eq!(found, at("version-unsupported", "/format_version"), "{version}");
    }
    for version in ["2.0", "2e0", "\"2\"", "true", "null"] {
        let found = replaced("\"format_version\":2", &format!("\"format_version\":{version}"));
        assert_eq!(found, at("member-type", "/format_version"), "{version}");
    }
    assert_eq!(
        replaced("\"format_version\":2", "\"format_version\":1"),
        at("version-1-periodic", "/domain/periodic")
    );
}

#[test]
fn integers_have_no_fraction_and_fit_int32() {
    for (number, reason) in [
        ("5.0", "member-type"),
        ("5e0", "member-type"),
        ("true", "member-type"),
        ("null", "member-type"),
        ("-1", "member-range"),
        ("2147483648", "member-range"),
        ("-99999999999999999999", "member-range"),
        ("99999999999999999999", "member-range"),
    ] {
        let more = format!(r#","result_counter":{number}"#);
        assert_eq!(with(&more), at(reason, "/result_counter"), "{number}");
        let found = replaced("\"accepted_increment\":5", &format!("\"accepted_increment\":{number}"));
        assert_eq!(found, at(reason, "/accepted_increment"), "{number}");
    }
    assert_eq!(decoded(&text(r#","result_counter":-0"#)).result_counter, 0);
    assert_eq!(
        decoded(&text(r#","result_counter":2147483647"#)).result_counter,
        2_147_483_647
    );
    assert_eq!(replaced("1.25", "\"1.25\""), at("member-type", "/accepted_time"));
}

#[test]
fn triples_are_judged_by_list_count_types_then_ranges() {
    let dimensions = |list: &str| replaced("[4,3,2]", list);
    assert_eq!(dimensions("4"), at("member-type", "/domain/global_dimensions"));
    assert_eq!(dimensions("[4,3]"), at("member-type", "/domain/global_dimensions"));
    assert_eq!(dimensions("[4,3,2,1]"), at("member-type", "/domain/global_dimensions"));
    assert_eq!(
        dimensions("[0,3,2.0]"),
        at("member-type", "/domain/global_dimensions/2")
    );
    assert_eq!(
        dimensions("[4,0,-1]"),
        at("member-range", "/domain/global_dimensions/1")
    );
    assert_eq!(
        dimensions("[4,3,2147483648]"),
        at("member-range", "/domain/global_dimensions/2")
    );
    // 2^20 x 2^20 x 2^20 x 8 is exactly 2^63.
    assert_eq!(
        dimensions("[1048576,1048576,1048576]"),
        at("member-range", "/domain/global_dimensions")
    );
    assert!(Metadata::decode(text("").replace("[4,3,2]", "[1048576,1048576,1048575]").as_bytes()).is_ok());
    assert_eq!(
        replaced("[0,-0.5,1e-5]", "[0,null,1]"),
        at("member-type", "/domain/physical_origin/1")
    );
    assert_eq!(replaced("[1,0.1,2.5]", "{}"), at("member-type", "/domain/grid_spacing"));
    assert_eq!(
        replaced("[true,false,true]", "[true,false,1]"),
        at("member-type", "/domain/periodic/2")
    );
    let not_object = format!(r#""domain":{{{DOMAIN},"periodic":[true,false,true]}}"#);
    assert_eq!(replaced(&not_object, r#""domain":[]"#), at("member-type", "/domain"));
}

#[test]
fn only_decomposition_takes_null_for_absent() {
    assert_eq!(decoded(&text(r#","decomposition":null"#)).decomposition, None);
    let good = r#"{"mpi_size":2,"local_size":[1,2,3],"local_offset":[0,0,1]}"#;
    let expected = Decomposition {
        mpi_size: 2,
        local_size: [1, 2, 3],
        local_offset: [0, 0, 1],
    };
    assert_eq!(
        decoded(&text(&format!(r#","decomposition":{good}"#))).decomposition,
        Some(expected)
    );
    let changed = |from: &str, to: &str| with(&format!(r#","decomposition":{}"#, good.replace(from, to)));
    assert_eq!(with(r#","decomposition":[]"#), at("member-type", "/decomposition"));
    assert_eq!(
        with(r#","decomposition":{}"#),
        at("member-missing", "/decomposition/mpi_size")
    );
    assert_eq!(changed("2,", "0,"), at("member-range", "/decomposition/mpi_size"));
    // The range of an earlier member before the type of a later one.
    assert_eq!(
        changed("[1,2,3],\"local_offset\"", "[1,0,3],\"x\""),
        at("member-range", "/decomposition/local_size/1")
    );
    assert_eq!(
        changed("[0,0,1]", "[0,-1,1]"),
        at("member-range", "/decomposition/local_offset/1")
    );
    for member in ["result_counter", "fields", "boundary_conditions"] {
        assert_eq!(
            with(&format!(r#","{member}":null"#)),
            at("member-type", &format!("/{member}"))
        );
    }
}

#[test]
fn field_lists() {
    assert_eq!(decoded(&text(r#","fields":[]"#)).fields, Some(vec![]));
    assert_eq!(with(r#","fields":["-",1]"#), at("member-type", "/fields/1"));
    assert_eq!(with(r#","fields":["a","b","a","-"]"#), at("member-range", "/fields/2"));
    assert_eq!(with(r#","fields":["a","-","a"]"#), at("member-range", "/fields/1"));
    let longest = "x".repeat(128);
    for id in ["a", "_", "0", "A.b-c", longest.as_str()] {
        assert!(is_field_id(id), "{id}");
    }
    for id in ["", "-a", ".a", "a/b", "a\n", "é", "x".repeat(129).as_str()] {
        assert!(!is_field_id(id), "{id:?}");
    }
}

#[test]
fn boundary_conditions_are_all_objects_before_any_is_judged() {
    let conditions = |list: &str| with(&format!(r#","boundary_conditions":{list}"#));
    assert_eq!(conditions("{}"), at("member-type", "/boundary_conditions"));
    assert_eq!(conditions("[{},1]"), at("member-type", "/boundary_conditions/1"));
    assert_eq!(
        conditions(r#"[{"state":1},{}]"#),
        at("member-missing", "/boundary_conditions/0/config")
    );
    assert_eq!(
        conditions(r#"[{"config":null}]"#),
        at("member-missing", "/boundary_conditions/0/state")
    );
}

#[test]
fn writing_judges_in_the_order_of_reading() {
    let mut metadata = value();
    let nest = |depth| (0..depth).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    // Top level, list and entry are three levels.
    let condition = |depth| {
        Some(vec![BoundaryCondition {
            config: nest(depth),
            state: Value::Null,
        }])
    };
    metadata.boundary_conditions = condition(124);
    assert!(metadata.encode().is_ok());
    metadata.boundary_conditions = condition(125);
    assert_eq!(refusal(metadata.encode()), plain("metadata-too-deep"));
    metadata.fields = Some(vec!["a".into(), "a".into()]);
    assert_eq!(refusal(metadata.encode()), at("member-range", "/fields/1"));
    metadata.decomposition = Some(Decomposition {
        mpi_size: 1,
        local_size: [1, 1, 1],
        local_offset: [0, 0, -1],
    });
    assert_eq!(
        refusal(metadata.encode()),
        at("member-range", "/decomposition/local_offset/2")
    );
    metadata.domain.grid_spacing[1] = f64::NAN;
    assert_eq!(refusal(metadata.encode()), at("member-range", "/domain/grid_spacing/1"));
    metadata.domain.physical_origin[0] = f64::NEG_INFINITY;
    assert_eq!(
        refusal(metadata.encode()),
        at("member-range", "/domain/physical_origin/0")
    );
    metadata.domain.global_dimensions = [i64::MAX; 3];
    assert_eq!(
        refusal(metadata.encode()),
        at("member-range", "/domain/global_dimensions/0")
    );
    metadata.result_counter = -1;
    assert_eq!(refusal(metadata.encode()), at("member-range", "/result_counter"));
    metadata.accepted_increment = 1 << 31;
    assert_eq!(refusal(metadata.encode()), at("member-range", "/accepted_increment"));
    metadata.accepted_time = f64::INFINITY;
    assert_eq!(refusal(metadata.encode()), at("member-range", "/accepted_time"));
    metadata.format_version = 3;
    assert_eq!(refusal(metadata.encode()), at("version-unsupported", "/format_version"));
}
