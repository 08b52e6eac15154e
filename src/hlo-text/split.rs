//! Several modules in one file.

/// The texts between lines `// -----`, each with the number of lines before it. Texts of only white
/// space and comments are left out.
pub fn split(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let mut line = 0;
    let mut start = (0, 0);
    let mut offset = 0;
    for full in text.split_inclusive('\n') {
        let end = offset + full.len();
        line += 1;
        if full.trim_end() == "// -----" {
            parts.push((start.0, text.get(start.1..offset).unwrap_or_default()));
            start = (line, end);
        }
        offset = end;
    }
    parts.push((start.0, text.get(start.1..).unwrap_or_default()));
    if parts.iter().any(|(_, part)| !is_blank(part)) {
        parts.retain(|(_, part)| !is_blank(part));
    }
    parts
}

/// Returns true if a text has only white space and comments.
fn is_blank(text: &str) -> bool {
    blank(text) == text.len()
}

/// The length of the leading white space and comments, including comments of protocol buffers.
pub(crate) fn blank(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let length = crate::parser::blank(rest);
        let rest = rest.get(length..).unwrap_or_default();
        at += length;
        if !rest.starts_with('#') {
            return at;
        }
        at += rest.find('\n').unwrap_or(rest.len());
    }
}
