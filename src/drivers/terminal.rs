//! Diagnostics on terminals: with colors, and with the line of the program that they are
//! about. In files they are plain lines.

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::Path,
};

/// The number of characters of a long line that are shown before and after the caret.
const SHOWN: usize = 80;

/// The maximum size of a program whose lines are shown.
const LARGEST: u64 = 64 << 20;

/// Standard error for diagnostics.
pub fn stderr() -> Diagnostics<io::Stderr> {
    let stream = io::stderr();
    Diagnostics {
        // Honors NO_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM.
        has_colors: AutoStream::choice(&stream) != ColorChoice::Never,
        has_excerpts: stream.is_terminal(),
        stream,
        line: Vec::new(),
        place: None,
    }
}

/// A stream that detects diagnostics among the lines written to it.
pub struct Diagnostics<W: Write> {
    stream: W,
    has_colors: bool,
    has_excerpts: bool,
    /// The beginning of a line.
    line: Vec<u8>,
    /// The location of an error in the last line, if it is still to be shown.
    place: Option<Place>,
}

/// A line of a program, and the position of the caret below it.
struct Place {
    source: String,
    caret: String,
}

/// `file:line:column: error: message`.
struct Diagnostic<'a> {
    place: &'a str,
    severity: &'a str,
    message: &'a str,
}

impl<W: Write> Diagnostics<W> {
    fn complete(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches('\n');
        if let Some(place) = self.place.take() {
            // Some diagnostics contain their line.
            let is_excerpt = !text.trim().is_empty() && place.source.contains(text.trim());
            if !is_excerpt {
                self.show(&place)?;
            }
        }
        let Some(found) = parse(text) else {
            return self.stream.write_all(&line);
        };
        let (bold, color) = match (self.has_colors, found.severity) {
            (false, _) => (Style::new(), Style::new()),
            (true, "error") => (Style::new().bold(), AnsiColor::Red.on_default().bold()),
            (true, "warning") => (Style::new().bold(), AnsiColor::Magenta.on_default().bold()),
            (true, _) => (Style::new().bold(), AnsiColor::Cyan.on_default().bold()),
        };
        let Diagnostic {
            place,
            severity,
            message,
        } = found;
        writeln!(
            self.stream,
            "{bold}{place}:{bold:#} {color}{severity}:{color:#} {bold}{message}{bold:#}"
        )?;
        if self.has_excerpts && matches!(severity, "error" | "warning") {
            self.place = excerpt(place);
        }
        Ok(())
    }

    fn show(&mut self, place: &Place) -> io::Result<()> {
        let color = if self.has_colors {
            AnsiColor::Green.on_default().bold()
        } else {
            Style::new()
        };
        let Place { source, caret } = place;
        writeln!(self.stream, "{source}\n{color}{caret}{color:#}")
    }
}

impl<W: Write> Write for Diagnostics<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.complete()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl<W: Write> Drop for Diagnostics<W> {
    fn drop(&mut self) {
        // Errors of standard error are ignored.
        if !self.line.is_empty() {
            let _ = self.complete();
        }
        if let Some(place) = self.place.take() {
            let _ = self.show(&place);
        }
        let _ = self.stream.flush();
    }
}

fn parse(text: &str) -> Option<Diagnostic<'_>> {
    ["error", "warning", "note", "remark"]
        .into_iter()
        .filter_map(|severity| {
            let at = text.find(&format!(": {severity}: "))?;
            let message = text.get(at + severity.len() + 4..)?;
            let (place, severity) = (text.get(..at)?, text.get(at + 2..at + 2 + severity.len())?);
            Some(Diagnostic {
                place,
                severity,
                message,
            })
        })
        .min_by_key(|found| found.place.len())
}

/// The line of `file:line:column`, if it exists.
fn excerpt(place: &str) -> Option<Place> {
    let (rest, column) = place.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    let (line, column): (usize, usize) = (line.parse().ok()?, column.parse().ok()?);
    let path = Path::new(file);
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST {
        return None;
    }
    let content = fs::read(path).ok()?;
    let source = content.split(|byte| *byte == b'\n').nth(line.checked_sub(1)?)?;
    let source = std::str::from_utf8(source).ok()?.trim_end();
    let before = source.get(..column.checked_sub(1)?.min(source.len()))?;
    let skipped = before.chars().count().saturating_sub(SHOWN);
    let count = before.chars().count() - skipped + SHOWN;
    let shown: String = source.chars().skip(skipped).take(count).collect();
    if shown.chars().any(|c| c.is_control() && c != '\t') {
        return None;
    }
    // A tab stays a tab, so that the caret stands below its character.
    let below = before.chars().skip(skipped);
    let caret: String = below.map(|c| if c == '\t' { c } else { ' ' }).collect();
    Some(Place {
        source: shown,
        caret: format!("{caret}^"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, has_colors: bool, has_excerpts: bool) -> String {
        let mut written = Vec::new();
        let mut stream = Diagnostics {
            stream: &mut written,
            has_colors,
            has_excerpts,
            line: Vec::new(),
            place: None,
        };
        // In small pieces, as formatting writes.
        for part in text.as_bytes().chunks(7) {
            stream.write_all(part).unwrap();
        }
        drop(stream);
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn files_get_plain_lines() {
        let text = "a.mlir:1:2: error: wrong: error: still\nhalo-run: error: x\n\nrest";
        assert_eq!(shown(text, false, false), text);
    }

    #[test]
    fn terminals_show_the_line_once() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.mlir");
        fs::write(
            &path,
            format!("first\n\t  wrong here\n{}x\n", "y".repeat(99)),
        )
        .unwrap();
        let path = path.display();
        let error = format!("{path}:2:4: error: wrong\n");
        let excerpt = "\t  wrong here\n\t  ^\n";
        assert_eq!(shown(&error, false, true), format!("{error}{excerpt}"));
        // The diagnostic has it, with the tab or its expansion.
        let complete = format!("{error}   wrong here\n   ^\n");
        assert_eq!(shown(&complete, false, true), complete);
        let two = format!("{error}{path}:1:1: note: here\n");
        let expected = format!("{error}{excerpt}{path}:1:1: note: here\n");
        assert_eq!(shown(&two, false, true), expected);
        // A long line is cut.
        let error = format!("{path}:3:100: error: wrong\n");
        let expected = format!("{error}{}x\n{}^\n", "y".repeat(80), " ".repeat(80));
        assert_eq!(shown(&error, false, true), expected);
        // Nonexistent positions are not shown.
        for place in ["9:1", "2:999999", "0:0", "1"] {
            let error = format!("{path}:{place}: error: wrong\n");
            assert!(shown(&error, false, true).starts_with(&error));
        }
    }

    #[test]
    fn colors_end_with_the_line() {
        let text = shown("a.mlir:1:2: warning: odd\n", true, false);
        let expected = "\u{1b}[1ma.mlir:1:2:\u{1b}[0m \u{1b}[1m\u{1b}[35mwarning:\u{1b}[0m \
                        \u{1b}[1modd\u{1b}[0m\n";
        assert_eq!(text, expected);
    }
}
