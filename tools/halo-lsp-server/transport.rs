//! JSON-RPC messages on a stream, each after a header with its length.

use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};

/// The maximum length of a message.
const MAX_LENGTH: u64 = 1 << 30;

/// The maximum length of a header line.
const MAX_HEADER: u64 = 8 << 10;

/// The error of reading a message.
#[derive(Debug)]
pub enum ReadError {
    /// Reading cannot continue.
    Stream(String),
    /// The content is not JSON; reading can continue with the next message.
    Content(String),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Stream(error.to_string())
    }
}

/// Reads the next message; `None` at the end of the stream.
///
/// # Errors
/// Returns an error if the stream fails or ends within a message, the header has no length, or the
/// content is not JSON.
pub fn read(stream: &mut impl BufRead) -> Result<Option<Value>, ReadError> {
    let Some(length) = read_header(stream)? else {
        return Ok(None);
    };
    // Memory grows with the received bytes, not with the length in the header.
    let mut content = Vec::new();
    let count = stream.take(length).read_to_end(&mut content)?;
    if (count as u64) < length {
        let message = format!("the input ends {count} bytes into a message of {length}");
        return Err(ReadError::Stream(message));
    }
    serde_json::from_slice(&content)
        .map(Some)
        .map_err(|error| ReadError::Content(error.to_string()))
}

/// Reads a header; returns the length of the content.
fn read_header(stream: &mut impl BufRead) -> Result<Option<u64>, ReadError> {
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        stream.take(MAX_HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() && is_first {
            return Ok(None);
        }
        is_first = false;
        let text = String::from_utf8_lossy(&line);
        let Some(text) = text.strip_suffix('\n') else {
            return Err(ReadError::Stream("the input ends in a header".to_owned()));
        };
        let text = text.trim_end();
        if text.is_empty() {
            break;
        }
        let field = text.split_once(':');
        let Some((name, value)) = field else {
            return Err(ReadError::Stream(format!("not a header: {text:?}")));
        };
        if name.eq_ignore_ascii_case("content-length") {
            let value = value.trim().parse().ok();
            length = value.filter(|length| *length <= MAX_LENGTH);
            if length.is_none() {
                return Err(ReadError::Stream(format!("not a length: {text:?}")));
            }
        }
    }
    match length {
        Some(length) => Ok(Some(length)),
        None => Err(ReadError::Stream(
            "a header has no Content-Length".to_owned(),
        )),
    }
}

/// Writes a message.
///
/// # Errors
/// Returns an error if the stream fails.
pub fn write(stream: &mut impl Write, message: &Value) -> io::Result<()> {
    let content = message.to_string();
    write!(stream, "Content-Length: {}\r\n\r\n{content}", content.len())?;
    stream.flush()
}

/// A request.
pub fn request(id: i64, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// A notification.
pub fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// The response to a request: its result or error.
pub fn response(id: Value, result: Result<Value, Failure>) -> Value {
    match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(Failure { code, message }) => json!({
            "jsonrpc": "2.0",
            "id": id,
            "error": { "code": code, "message": message },
        }),
    }
}

/// An error of JSON-RPC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub code: i64,
    pub message: String,
}

impl Failure {
    pub const PARSE_ERROR: i64 = -32700;
    pub const INVALID_REQUEST: i64 = -32600;
    pub const METHOD_NOT_FOUND: i64 = -32601;
    pub const INVALID_PARAMS: i64 = -32602;
    pub const INTERNAL_ERROR: i64 = -32603;
    pub const NOT_INITIALIZED: i64 = -32002;

    pub fn new(code: i64, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, message }
    }

    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(Self::INVALID_PARAMS, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(mut input: &[u8]) -> Vec<Result<Value, ReadError>> {
        let mut found = Vec::new();
        loop {
            match read(&mut input) {
                Ok(Some(message)) => found.push(Ok(message)),
                Ok(None) => return found,
                Err(error @ ReadError::Content(_)) => found.push(Err(error)),
                Err(error) => {
                    found.push(Err(error));
                    return found;
                }
            }
        }
    }

    #[test]
    fn messages_are_read_as_they_are_written() {
        let mut stream = Vec::new();
        for number in 0..3 {
            write(&mut stream, &request(number, "é", Value::Null)).unwrap();
        }
        let read = read_all(&stream);
        assert_eq!(read.len(), 3);
        assert!(matches!(&read[2], Ok(message) if message["id"] == 2 && message["method"] == "é"));
    }

    #[test]
    fn content_that_is_not_json_ends_nothing() {
        let read = read_all(b"Content-Length: 1\r\n\r\n{content-length: 2\r\nX: y\r\n\r\n{}");
        assert!(matches!(&read[0], Err(ReadError::Content(_))));
        assert!(matches!(&read[1], Ok(message) if *message == json!({})));
    }

    #[test]
    fn headers_without_a_length_end_the_stream() {
        for (input, expected) in [
            ("{}\n", "not a header: \"{}\""),
            ("X: y\r\n\r\n{}", "a header has no Content-Length"),
            ("Content-Length: 2", "the input ends in a header"),
            (
                "Content-Length: -2\r\n",
                "not a length: \"Content-Length: -2\"",
            ),
            (
                "Content-Length: 99999999999\r\n",
                "not a length: \"Content-Length: 99999999999\"",
            ),
            (
                "Content-Length: 999999999\r\n\r\n{}",
                "the input ends 2 bytes into a message of 999999999",
            ),
        ] {
            let read = read_all(input.as_bytes());
            let [Err(ReadError::Stream(message))] = &read[..] else {
                panic!("{input}: {read:?}");
            };
            assert_eq!(message, expected);
        }
    }
}
