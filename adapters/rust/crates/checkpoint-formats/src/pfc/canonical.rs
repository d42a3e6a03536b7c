//! PFC-CANONICAL: the one text of a value (bundle document, On-disk layout, `metadata.json`).

use crate::json::{Number, Value, pfc_text, write_string};

/// How the parts of a text are set apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Two spaces a level, every element on its own line, a final newline: `metadata.json`.
    Lines,
    /// One line without spaces: comparisons and messages.
    Compact,
}

/// The canonical text: members sorted by UTF-8 bytes, integer tokens in `[-2^63, 2^64)` as integers, every other number
/// as its binary64.
#[must_use]
pub fn canonical_text(value: &Value, style: Style) -> String {
    let mut writer = Writer {
        out: String::new(),
        style,
        level: 0,
    };
    writer.value(value);
    if style == Style::Lines {
        writer.out.push('\n');
    }
    writer.out
}

struct Writer {
    out: String,
    style: Style,
    level: usize,
}

impl Writer {
    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.out.push_str("null"),
            Value::Bool(true) => self.out.push_str("true"),
            Value::Bool(false) => self.out.push_str("false"),
            Value::Number(number) => self.out.push_str(&number_text(number)),
            Value::String(text) => write_string(text, &mut self.out),
            Value::Array(elements) => self.container('[', ']', elements, |writer, element| writer.value(element)),
            Value::Object(members) => self.container('{', '}', members, |writer, (name, member)| {
                write_string(name, &mut writer.out);
                writer
                    .out
                    .push_str(if writer.style == Style::Lines { ": " } else { ":" });
                writer.value(member);
            }),
        }
    }

    fn container<T>(
        &mut self,
        open: char,
        close: char,
        items: impl IntoIterator<Item = T>,
        write: impl Fn(&mut Self, T),
    ) {
        self.out.push(open);
        self.level += 1;
        let mut empty = true;
        for item in items {
            if !empty {
                self.out.push(',');
            }
            empty = false;
            self.line_break();
            write(self, item);
        }
        self.level -= 1;
        if !empty {
            self.line_break();
        }
        self.out.push(close);
    }

    fn line_break(&mut self) {
        if self.style == Style::Lines {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n("  ", self.level));
        }
    }
}

fn number_text(number: &Number) -> String {
    number
        .as_integer()
        .map_or_else(|| pfc_text(number.as_f64()), |value| value.to_string())
}
