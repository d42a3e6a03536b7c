//! JSON-GRAMMAR, lexical half: RFC 8259 tokens, judged byte by byte.

/// One token; strings are still escaped and without their quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    BeginArray,
    EndArray,
    BeginObject,
    EndObject,
    Colon,
    Comma,
    Null,
    True,
    False,
    Number(&'a str),
    String(&'a str),
}

/// Where the text stops being JSON, and what could have stood there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SyntaxFault {
    pub(super) byte: usize,
    pub(super) expected: &'static str,
}

pub(super) struct Lexer<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, position: 0 }
    }

    /// The offset of the first byte no token has taken yet.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    pub(super) fn fault(&self, expected: &'static str) -> SyntaxFault {
        SyntaxFault {
            byte: self.position,
            expected,
        }
    }

    /// The next token, or `None` at the end of the text.
    pub(super) fn next_token(&mut self) -> Result<Option<Token<'a>>, SyntaxFault> {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.position += 1;
        }
        let Some(first) = self.peek() else { return Ok(None) };
        let token = match first {
            b'[' => self.punctuation(Token::BeginArray),
            b']' => self.punctuation(Token::EndArray),
            b'{' => self.punctuation(Token::BeginObject),
            b'}' => self.punctuation(Token::EndObject),
            b':' => self.punctuation(Token::Colon),
            b',' => self.punctuation(Token::Comma),
            b'n' => self.word("null", Token::Null)?,
            b't' => self.word("true", Token::True)?,
            b'f' => self.word("false", Token::False)?,
            b'"' => self.string()?,
            b'-' | b'0'..=b'9' => self.number()?,
            _ => return Err(self.fault("a JSON token")),
        };
        Ok(Some(token))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn punctuation(&mut self, token: Token<'a>) -> Token<'a> {
        self.position += 1;
        token
    }

    fn word(&mut self, word: &'static str, token: Token<'a>) -> Result<Token<'a>, SyntaxFault> {
        let rest = self.text.as_bytes().get(self.position..).unwrap_or_default();
        if !rest.starts_with(word.as_bytes()) {
            return Err(self.fault(word));
        }
        self.position += word.len();
        Ok(token)
    }

    fn slice(&self, start: usize, end: usize) -> Result<&'a str, SyntaxFault> {
        self.text.get(start..end).ok_or_else(|| self.fault("a character"))
    }

    fn number(&mut self) -> Result<Token<'a>, SyntaxFault> {
        let start = self.position;
        if self.peek() == Some(b'-') {
            self.position += 1;
        }
        if self.peek() == Some(b'0') {
            self.position += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.position += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.position += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.position += 1;
            }
            self.digits()?;
        }
        // A further digit can only follow a leading zero: `01` would otherwise lex as two numbers.
        if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return Err(self.fault("no digit behind a leading zero"));
        }
        Ok(Token::Number(self.slice(start, self.position)?))
    }

    fn digits(&mut self) -> Result<(), SyntaxFault> {
        let start = self.position;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.position += 1;
        }
        if self.position == start {
            Err(self.fault("a digit"))
        } else {
            Ok(())
        }
    }

    fn string(&mut self) -> Result<Token<'a>, SyntaxFault> {
        self.position += 1;
        let start = self.position;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.escape()?,
                Some(0x20..) => self.position += 1,
                Some(_) => return Err(self.fault("an escape: control characters never stand raw in a string")),
                None => return Err(self.fault("the closing quote")),
            }
        }
        let text = self.slice(start, self.position)?;
        self.position += 1;
        Ok(Token::String(text))
    }

    fn escape(&mut self) -> Result<(), SyntaxFault> {
        self.position += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.position += 1;
                Ok(())
            }
            Some(b'u') => match self.unit()? {
                0xD800..=0xDBFF => self.low_half(),
                0xDC00..=0xDFFF => Err(self.fault("a high surrogate before this low one")),
                _ => Ok(()),
            },
            _ => Err(self.fault("one of the escapes \" \\ / b f n r t u")),
        }
    }

    /// R-JSON-2: half a surrogate pair is no character, so the text is not JSON.
    fn low_half(&mut self) -> Result<(), SyntaxFault> {
        if self.peek() == Some(b'\\') {
            self.position += 1;
            if self.peek() == Some(b'u') && (0xDC00..=0xDFFF).contains(&self.unit()?) {
                return Ok(());
            }
        }
        Err(self.fault("the escape of a low surrogate"))
    }

    /// Reads `uXXXX` and returns the UTF-16 code unit.
    fn unit(&mut self) -> Result<u16, SyntaxFault> {
        self.position += 1;
        let mut unit = 0u16;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let digit = digit
                .and_then(|digit| u16::try_from(digit).ok())
                .ok_or_else(|| self.fault("a hex digit"))?;
            unit = unit << 4 | digit;
            self.position += 1;
        }
        Ok(unit)
    }
}
