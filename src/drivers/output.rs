//! Results on standard output, errors on standard error.

use std::io::{self, ErrorKind, Write};

use halo_runtime::Error;

/// The reason for which a tool stops early.
pub enum Stop {
    Error(Error),
    /// The reader of its output has closed it.
    Closed,
}

impl<E: Into<Error>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

/// Converts the result of writing to standard output.
///
/// # Errors
/// Returns [`Stop`] if the output cannot be written to, or its reader has closed it.
pub fn written(result: io::Result<()>) -> Result<(), Stop> {
    result.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Stop::Closed,
        _ => Stop::Error(Error::execution(format!(
            "cannot write to standard output: {error}"
        ))),
    })
}

/// Prints to standard output.
///
/// # Errors
/// Returns the errors of [`written`].
pub fn print(out: &mut dyn Write, text: std::fmt::Arguments<'_>) -> Result<(), Stop> {
    written(out.write_fmt(text))
}

/// Ends a tool: flushes its output, and reports the error, if any. Returns the exit code.
pub fn finish(
    tool: &str,
    result: Result<(), Stop>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let flushed = written(out.flush());
    let error = match result.and(flushed) {
        Ok(()) | Err(Stop::Closed) => return 0,
        Err(Stop::Error(error)) => error,
    };
    let prefix = if error.names_location() {
        String::new()
    } else {
        format!("{tool}: error: ")
    };
    // Errors of standard error are ignored.
    let _ = writeln!(err, "{prefix}{error}");
    1
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_core::Position;

    /// A stream that accepts output and fails on flush, as a buffered one does.
    struct Failing(ErrorKind);

    impl Write for Failing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(self.0.into())
        }
    }

    fn end(result: Result<(), Stop>, out: &mut dyn Write) -> (u8, String) {
        let mut err = Vec::new();
        let code = finish("tool", result, out, &mut err);
        (code, String::from_utf8(err).unwrap())
    }

    #[test]
    fn nothing_is_lost_in_silence() {
        let mut full = Failing(ErrorKind::StorageFull);
        let message = "tool: error: cannot write to standard output: no storage space\n";
        assert_eq!(end(Ok(()), &mut full), (1, message.to_owned()));
    }

    #[test]
    fn a_reader_may_go_away() {
        let mut closed = Failing(ErrorKind::BrokenPipe);
        assert_eq!(end(Ok(()), &mut closed), (0, String::new()));
        assert_eq!(end(Err(Stop::Closed), &mut Vec::new()), (0, String::new()));
        // An error of the tool itself is still reported.
        let error = Err(Error::invalid("wrong").into());
        assert_eq!(
            end(error, &mut closed),
            (1, "tool: error: wrong\n".to_owned())
        );
    }

    #[test]
    fn an_error_that_names_its_place_needs_no_other() {
        let error = Error::invalid_at(Position::new("a.mlir", 1, 2), "wrong");
        let ended = end(Err(error.into()), &mut Vec::new());
        assert_eq!(ended, (1, "a.mlir:1:2: error: wrong\n".to_owned()));
    }
}
