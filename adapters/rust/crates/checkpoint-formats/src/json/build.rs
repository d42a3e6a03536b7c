//! JSON-UNIQUE and JSON-FINITE: the value of a text whose grammar and depth are already judged.
//!
//! Recursive on purpose: the depth has been proved to be at most [`super::MAX_DEPTH`].

use std::collections::btree_map::Entry;

use super::lexer::{Lexer, SyntaxFault, Token};
use super::{Number, Object, Value};

/// Faults that do not stop the reading, because an earlier class may still turn up.
#[derive(Default)]
pub(super) struct Findings {
    /// The first name that an object has twice.
    pub(super) duplicate: Option<String>,
    /// The first number that rounds to infinity.
    pub(super) infinite: Option<String>,
}

pub(super) struct Builder<'a> {
    lexer: Lexer<'a>,
    pub(super) findings: Findings,
}

impl<'a> Builder<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            lexer: Lexer::new(text),
            findings: Findings::default(),
        }
    }

    pub(super) fn value(&mut self) -> Result<Value, SyntaxFault> {
        let token = self.token()?;
        self.value_from(token)
    }

    fn token(&mut self) -> Result<Token<'a>, SyntaxFault> {
        self.lexer.next_token()?.ok_or_else(|| self.lexer.fault("a value"))
    }

    fn value_from(&mut self, token: Token<'a>) -> Result<Value, SyntaxFault> {
        match token {
            Token::Null => Ok(Value::Null),
            Token::True => Ok(Value::Bool(true)),
            Token::False => Ok(Value::Bool(false)),
            Token::Number(text) => self.number(text),
            Token::String(text) => Ok(Value::String(unescape(text))),
            Token::BeginArray => self.array(),
            Token::BeginObject => self.object(),
            Token::EndArray | Token::EndObject | Token::Colon | Token::Comma => Err(self.lexer.fault("a value")),
        }
    }

    fn number(&mut self, text: &str) -> Result<Value, SyntaxFault> {
        let number = Number::from_token(text).ok_or_else(|| self.lexer.fault("a number"))?;
        if number.as_f64().is_infinite() && self.findings.infinite.is_none() {
            self.findings.infinite = Some(text.chars().take(40).collect());
        }
        Ok(Value::Number(number))
    }

    fn array(&mut self) -> Result<Value, SyntaxFault> {
        let mut elements = Vec::new();
        let mut token = self.token()?;
        while token != Token::EndArray {
            if token == Token::Comma {
                token = self.token()?;
            }
            elements.push(self.value_from(token)?);
            token = self.token()?;
        }
        Ok(Value::Array(elements))
    }

    fn object(&mut self) -> Result<Value, SyntaxFault> {
        let mut members = Object::new();
        loop {
            match self.token()? {
                Token::EndObject => return Ok(Value::Object(members)),
                Token::String(name) => {
                    let name = unescape(name);
                    self.token()?; // the colon
                    let value = self.value()?;
                    match members.entry(name) {
                        Entry::Vacant(member) => {
                            member.insert(value);
                        }
                        Entry::Occupied(member) => {
                            self.findings.duplicate.get_or_insert_with(|| member.key().clone());
                        }
                    }
                }
                _ => {} // the comma before the next name
            }
        }
    }
}

/// The text of a string token. Escapes are already known to be well formed and surrogates to be paired.
fn unescape(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((plain, escaped)) = rest.split_once('\\') {
        text.push_str(plain);
        let mut characters = escaped.chars();
        match characters.next() {
            Some('b') => text.push('\u{8}'),
            Some('f') => text.push('\u{c}'),
            Some('n') => text.push('\n'),
            Some('r') => text.push('\r'),
            Some('t') => text.push('\t'),
            Some('u') => {
                let first = unit(escaped, 1);
                // The low half sits behind `uXXXX\u`.
                let pair = [
                    first,
                    if (0xD800..0xDC00).contains(&first) {
                        unit(escaped, 7)
                    } else {
                        0
                    },
                ];
                text.extend(char::decode_utf16(pair).next().and_then(Result::ok));
                characters = escaped
                    .get(if pair[1] == 0 { 5 } else { 11 }..)
                    .unwrap_or_default()
                    .chars();
            }
            Some(itself) => text.push(itself),
            None => {}
        }
        rest = characters.as_str();
    }
    text.push_str(rest);
    text
}

fn unit(escaped: &str, start: usize) -> u16 {
    escaped
        .get(start..start + 4)
        .and_then(|digits| u16::from_str_radix(digits, 16).ok())
        .unwrap_or_default()
}
