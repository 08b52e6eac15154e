//! An open document: its text, and positions in it.
//!
//! Clients count the characters of a line in UTF-16 unless both sides support UTF-8; upstream
//! always counts bytes. Here all positions are bytes.

use lsp_types::{Position, Range};

/// The position encoding of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Utf16,
}

/// The language of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Mlir,
    Hlo,
}

/// A document, as the client has it.
#[derive(Debug)]
pub struct Document {
    pub language: Language,
    pub version: i64,
    text: String,
    /// The byte offset of each line.
    lines: Vec<usize>,
}

impl Document {
    pub fn new(language: Language, version: i64, text: String) -> Self {
        let lines = line_starts(&text);
        Self {
            language,
            version,
            text,
            lines,
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Replaces all of the text, or a range in the client's positions.
    pub fn change(&mut self, range: Option<Range>, text: &str, encoding: Encoding) {
        match range {
            None => text.clone_into(&mut self.text),
            Some(range) => {
                let start = self.offset(self.client_to_bytes(range.start, encoding));
                let end = self.offset(self.client_to_bytes(range.end, encoding));
                self.text.replace_range(start..end.max(start), text);
            }
        }
        self.lines = line_starts(&self.text);
    }

    /// A line without its end.
    pub fn line(&self, line: u32) -> &str {
        let line = line as usize;
        let start = self.lines.get(line).copied().unwrap_or(self.text.len());
        let end = self.lines.get(line + 1).copied();
        let text = self.text.get(start..end.unwrap_or(self.text.len()));
        text.unwrap_or_default().trim_end_matches(['\n', '\r'])
    }

    /// The byte offset of a position, or of the end of its line.
    pub fn offset(&self, position: Position) -> usize {
        let Some(start) = self.lines.get(position.line as usize) else {
            return self.text.len();
        };
        let line = self.line(position.line);
        start + floor_char_boundary(line, position.character as usize)
    }

    /// The position of a byte.
    pub fn position(&self, offset: usize) -> Position {
        let line = self.lines.partition_point(|start| *start <= offset);
        let line = line.saturating_sub(1);
        let start = self.lines.get(line).copied().unwrap_or_default();
        Position::new(number(line), number(offset.saturating_sub(start)))
    }

    /// The position for a line and a column in characters, both counted from 1.
    pub fn of_column(&self, line: u32, column: u32) -> Position {
        let line = line.saturating_sub(1);
        let characters = self.line(line).chars();
        let before = characters.take(column.saturating_sub(1) as usize);
        Position::new(line, number(before.map(char::len_utf8).sum()))
    }

    /// Converts a position of the client to bytes.
    pub fn client_to_bytes(&self, position: Position, encoding: Encoding) -> Position {
        let line = self.line(position.line);
        let character = match encoding {
            Encoding::Utf8 => floor_char_boundary(line, position.character as usize),
            Encoding::Utf16 => {
                let mut units = 0;
                let fits = |(_, character): &(usize, char)| {
                    units += character.len_utf16();
                    units > position.character as usize
                };
                let mut characters = line.char_indices();
                characters.find(fits).map_or(line.len(), |(byte, _)| byte)
            }
        };
        Position::new(position.line, number(character))
    }

    /// Converts a position in bytes for the client.
    pub fn to_client(&self, position: Position, encoding: Encoding) -> Position {
        if encoding == Encoding::Utf8 {
            return position;
        }
        let line = self.line(position.line);
        let end = floor_char_boundary(line, position.character as usize);
        let before = line.get(..end).unwrap_or_default();
        Position::new(position.line, number(before.encode_utf16().count()))
    }

    /// The range of the word at a position, whose characters satisfy a predicate.
    pub fn word_at(&self, position: Position, is_part: impl Fn(char) -> bool) -> Range {
        let line = self.line(position.line);
        let (before, after) = line.split_at(floor_char_boundary(line, position.character as usize));
        let start = before.trim_end_matches(&is_part).len();
        let end = line.len() - after.trim_start_matches(&is_part).len();
        let at = |byte| Position::new(position.line, number(byte));
        Range::new(at(start), at(end))
    }

    /// The text of a range within one line.
    pub fn slice(&self, range: Range) -> &str {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        self.text.get(start..end).unwrap_or_default()
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    std::iter::once(0).chain(ends.map(|(offset, _)| offset + 1)).collect()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `é` is two bytes and one unit of UTF-16, `𝛼` four bytes and two units.
    fn document() -> Document {
        Document::new(Language::Mlir, 1, "é𝛼x\r\nsecond\n".to_owned())
    }

    #[test]
    fn positions_are_translated() {
        let document = document();
        for (bytes, units) in [(0, 0), (2, 1), (6, 3), (7, 4)] {
            let (bytes, units) = (Position::new(0, bytes), Position::new(0, units));
            assert_eq!(document.to_client(bytes, Encoding::Utf16), units);
            assert_eq!(document.client_to_bytes(units, Encoding::Utf16), bytes);
            assert_eq!(document.to_client(bytes, Encoding::Utf8), bytes);
        }
        // Within a character, and after the end.
        let inside = Position::new(0, 2);
        let found = document.client_to_bytes(inside, Encoding::Utf16);
        assert_eq!(found, Position::new(0, 2));
        let beyond = Position::new(9, 9);
        assert_eq!(document.offset(beyond), document.text().len());
        assert_eq!(document.of_column(1, 3), Position::new(0, 6));
        assert_eq!(document.position(10), Position::new(1, 1));
    }

    #[test]
    fn texts_change_by_ranges() {
        let mut document = document();
        let range = |line, from, to| {
            Some(Range::new(
                Position::new(line, from),
                Position::new(line, to),
            ))
        };
        document.change(range(0, 1, 3), "β\n", Encoding::Utf16);
        assert_eq!(document.text(), "éβ\nx\r\nsecond\n");
        document.change(range(2, 6, 99), "!", Encoding::Utf16);
        assert_eq!(document.text(), "éβ\nx\r\nsecond!\n");
        document.change(range(2, 3, 1), "", Encoding::Utf16);
        document.change(range(99, 0, 0), "end", Encoding::Utf8);
        assert_eq!(document.text(), "éβ\nx\r\nsecond!\nend");
        document.change(None, "new", Encoding::Utf8);
        assert_eq!((document.text(), document.line(1)), ("new", ""));
    }

    #[test]
    fn words_are_found() {
        let document = Document::new(Language::Mlir, 1, "  %0 = arith.addf %a".to_owned());
        let is_part = |c: char| c.is_alphanumeric() || c == '.';
        for (character, expected) in [(8, "arith.addf"), (17, "arith.addf"), (2, ""), (20, "a")] {
            let range = document.word_at(Position::new(0, character), is_part);
            assert_eq!(document.slice(range), expected);
        }
    }
}
