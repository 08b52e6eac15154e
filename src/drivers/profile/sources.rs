//! The ops of the user's program at given locations.

use std::collections::BTreeSet;

/// The text of a program.
pub struct Sources<'a> {
    name: &'a str,
    lines: Vec<&'a str>,
}

impl<'a> Sources<'a> {
    /// A program as text; other formats have no locations.
    pub fn new(name: &'a str, code: &'a [u8]) -> Self {
        let lines = std::str::from_utf8(code).map(|text| text.lines().collect());
        Self {
            name,
            lines: lines.unwrap_or_default(),
        }
    }

    /// The names of the ops at locations `file:line:column` of MLIR's text, each once, in the order
    /// of the locations.
    pub fn ops(&self, places: &[String]) -> Vec<&'a str> {
        let mut seen = BTreeSet::new();
        let ops = places.iter().filter_map(|place| self.op(place));
        ops.filter(|op| seen.insert(*op)).collect()
    }

    fn op(&self, place: &str) -> Option<&'a str> {
        let mut parts = place.rsplitn(3, ':');
        let column: usize = parts.next()?.parse().ok()?;
        let line: usize = parts.next()?.parse().ok()?;
        if parts.next()? != self.name {
            return None;
        }
        let text = self.lines.get(line.checked_sub(1)?)?;
        let text = text.get(column.checked_sub(1)?..)?;
        // If the location belongs to the results, the op follows them.
        let text = match text.strip_prefix('%') {
            Some(results) => results.split_once('=')?.1,
            None => text,
        };
        let text = text.trim_start().trim_start_matches('"');
        let is_of_name = |letter: char| letter.is_alphanumeric() || "._$".contains(letter);
        let end = text.find(|letter| !is_of_name(letter));
        let name = &text[..end.unwrap_or(text.len())];
        let (_, short) = name.split_once('.')?;
        Some(match name.split_once('.') {
            Some(("stablehlo", short)) => short,
            _ if short.is_empty() => return None,
            _ => name,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %x, %x : tensor<f32>
  %1 = \"chlo.erf\"(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
";

    #[test]
    fn ops_are_found_by_their_places() {
        let sources = Sources::new("a:b.mlir", TEXT.as_bytes());
        let ops = |places: &[&str]| {
            let places: Vec<String> = places.iter().map(|place| (*place).to_owned()).collect();
            sources.ops(&places)
        };
        assert_eq!(
            ops(&["a:b.mlir:2:8", "a:b.mlir:3:3", "a:b.mlir:2:8"]),
            ["add", "chlo.erf"]
        );
        // Another file, a line without an op, a line or column out of range, no location.
        let wrong = [
            "c.mlir:2:8",
            "a:b.mlir:4:3",
            "a:b.mlir:5:1",
            "a:b.mlir:9:1",
            "a:b.mlir:2:99",
            "a:b.mlir:0:0",
            "a:b.mlir",
            "",
        ];
        assert!(ops(&wrong).is_empty());
        let bytes = Sources::new("a.mlir", b"ML\xefR");
        assert!(bytes.ops(&["a.mlir:1:1".to_owned()]).is_empty());
    }
}
