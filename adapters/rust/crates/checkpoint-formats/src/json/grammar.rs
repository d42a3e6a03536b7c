//! JSON-GRAMMAR and JSON-DEPTH: is the whole text one value, and how deep does it nest?
//!
//! Iterative with one byte a level, so that a megabyte of `[` is refused in a megabyte of memory.

use super::lexer::{Lexer, SyntaxFault, Token};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Array,
    Object,
}

/// What the grammar allows next.
#[derive(Clone, Copy)]
enum Expect {
    Value,
    ValueOrEnd,
    Name,
    NameOrEnd,
    Colon,
    CommaOrEnd,
}

/// The deepest nesting of arrays and objects (0 for a scalar), or the first place where the text is not JSON.
pub(super) fn depth_of_text(text: &str) -> Result<usize, SyntaxFault> {
    let mut lexer = Lexer::new(text);
    let mut open = Vec::new();
    let mut deepest = 0;
    let mut expect = Expect::Value;
    loop {
        let before = lexer.position();
        let Some(token) = lexer.next_token()? else {
            return Err(lexer.fault("the rest of the value"));
        };
        expect = match (expect, token) {
            (Expect::Value | Expect::ValueOrEnd, Token::BeginArray) => {
                open.push(Container::Array);
                Expect::ValueOrEnd
            }
            (Expect::Value | Expect::ValueOrEnd, Token::BeginObject) => {
                open.push(Container::Object);
                Expect::NameOrEnd
            }
            (
                Expect::Value | Expect::ValueOrEnd,
                Token::Null | Token::True | Token::False | Token::Number(_) | Token::String(_),
            ) => Expect::CommaOrEnd,
            (Expect::Name | Expect::NameOrEnd, Token::String(_)) => Expect::Colon,
            (Expect::Colon, Token::Colon) => Expect::Value,
            (Expect::CommaOrEnd, Token::Comma) => match open.last() {
                Some(Container::Array) => Expect::Value,
                Some(Container::Object) => Expect::Name,
                None => {
                    return Err(SyntaxFault {
                        byte: before,
                        expected: "the end of the text",
                    });
                }
            },
            (Expect::ValueOrEnd | Expect::CommaOrEnd, Token::EndArray) if open.last() == Some(&Container::Array) => {
                open.pop();
                Expect::CommaOrEnd
            }
            (Expect::NameOrEnd | Expect::CommaOrEnd, Token::EndObject) if open.last() == Some(&Container::Object) => {
                open.pop();
                Expect::CommaOrEnd
            }
            (expect, _) => {
                return Err(SyntaxFault {
                    byte: before,
                    expected: expectation(expect),
                });
            }
        };
        deepest = deepest.max(open.len());
        if open.is_empty() {
            return match lexer.next_token()? {
                None => Ok(deepest),
                Some(_) => Err(SyntaxFault {
                    byte: lexer.position(),
                    expected: "the end of the text",
                }),
            };
        }
    }
}

fn expectation(expect: Expect) -> &'static str {
    match expect {
        Expect::Value => "a value",
        Expect::ValueOrEnd => "a value or the end of the array",
        Expect::Name => "a member name",
        Expect::NameOrEnd => "a member name or the end of the object",
        Expect::Colon => "a colon",
        Expect::CommaOrEnd => "a comma or the end of the container",
    }
}
