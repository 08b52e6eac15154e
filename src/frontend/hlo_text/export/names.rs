//! Names of computations and instructions.

use std::collections::{HashMap, HashSet};

/// The used names.
#[derive(Debug, Default)]
pub struct Names {
    taken: HashSet<String>,
    /// The next number to try after a name.
    next: HashMap<String, u32>,
}

impl Names {
    /// A unique name: this one, or with a number after a dot.
    pub fn unique(&mut self, name: &str) -> String {
        let name = sanitized(name);
        if self.taken.insert(name.clone()) {
            return name;
        }
        let base = match name.rsplit_once('.') {
            Some((base, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => base,
            _ => name.as_str(),
        };
        let next = self.next.entry(base.to_owned()).or_insert(1);
        loop {
            let candidate = format!("{base}.{next}");
            *next += 1;
            if self.taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

/// A name in the character set of HLO text: letters, digits, `_`, `-`, `.`, the first of them a
/// letter or `_`.
pub fn sanitized(name: &str) -> String {
    let legal =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.');
    let mut result: String = name
        .chars()
        .map(|character| if legal(character) { character } else { '_' })
        .collect();
    if !result.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        result.insert(0, '_');
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        let mut names = Names::default();
        assert_eq!(names.unique("add"), "add");
        assert_eq!(names.unique("add"), "add.1");
        assert_eq!(names.unique("add.1"), "add.2");
        assert_eq!(names.unique("a/b c"), "a_b_c");
        assert_eq!(names.unique("1"), "_1");
        assert_eq!(names.unique(""), "_");
    }
}
