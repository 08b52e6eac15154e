//! Lines of IR, cut into the names of values and what is left.
//!
//! That is done by the text of MLIR's printer: a name before `=` at the begin of a line, in
//! `scf.for %arg0 = `, or right before `:` as in `%arg0: index`, is defined there. Names of
//! attributes stand outside of functions (`#map = affine_map<...>`), in what a record keeps as
//! a function without a name.

use halo_runtime::compilation_record::{CompilationRecord, Step};
use std::collections::HashMap;

/// No names of attributes.
const NONE: u32 = u32::MAX;

/// A name of a value in a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Name {
    /// The number of its text.
    pub text: u32,
    pub is_defined: bool,
}

/// The lines of a record.
pub struct Lines<'a> {
    record: &'a CompilationRecord,
    texts: HashMap<String, u32>,
    /// The values of names of attributes, by the function that has them.
    attributes: HashMap<u32, HashMap<&'a str, &'a str>>,
    /// What is left of a line, by its number, and the function that has the names of its
    /// attributes.
    skeletons: HashMap<(u32, u32), u32>,
    names: HashMap<u32, Vec<Name>>,
}

impl<'a> Lines<'a> {
    pub fn new(record: &'a CompilationRecord) -> Self {
        Self {
            record,
            texts: HashMap::new(),
            attributes: HashMap::new(),
            skeletons: HashMap::new(),
            names: HashMap::new(),
        }
    }

    fn line(&self, number: u32) -> &'a str {
        let line = self.record.lines.get(number as usize);
        line.map_or("", |line| &line[..])
    }

    /// Reads the names of attributes of a step, and returns the function that has them.
    pub fn attributes(&mut self, step: &Step) -> u32 {
        let functions = &self.record.functions;
        let found = step.functions.iter().find_map(|number| {
            let function = functions.get(*number as usize)?;
            function.name.is_empty().then_some((*number, function))
        });
        let Some((number, function)) = found else {
            return NONE;
        };
        if !self.attributes.contains_key(&number) {
            let lines = function.lines.iter().map(|line| self.line(*line));
            let named = lines.filter_map(|line| line.strip_prefix('#')?.split_once(" = "));
            let named = named.collect();
            self.attributes.insert(number, named);
        }
        number
    }

    /// What is left of a line without names, as a number: equal ones have the same.
    /// `attributes` is what [`attributes`](Self::attributes) returns.
    pub fn skeleton(&mut self, line: u32, attributes: u32) -> u32 {
        let has_attributes = self.line(line).contains('#');
        let key = (line, if has_attributes { attributes } else { NONE });
        if let Some(skeleton) = self.skeletons.get(&key) {
            return *skeleton;
        }
        let (mut skeleton, names) = self.cut(self.line(line));
        if has_attributes {
            skeleton = self.with_attributes(&skeleton, attributes);
        }
        let skeleton = self.text(&skeleton);
        self.skeletons.insert(key, skeleton);
        self.names.insert(line, names);
        skeleton
    }

    /// The names in a line whose skeleton was asked for.
    pub fn names(&self, line: u32) -> &[Name] {
        self.names.get(&line).map_or(&[], |names| &names[..])
    }

    fn text(&mut self, text: &str) -> u32 {
        if let Some(number) = self.texts.get(text) {
            return *number;
        }
        let number = self.texts.len() as u32 + 1;
        self.texts.insert(text.to_owned(), number);
        number
    }

    fn cut(&mut self, line: &str) -> (String, Vec<Name>) {
        let mut skeleton = String::with_capacity(line.len());
        let mut names = Vec::new();
        // Ops that move into a loop are the same.
        let mut rest = line.trim_start();
        let mut are_results = rest.starts_with('%');
        let mut is_quoted = false;
        while let Some(start) = rest.find(['%', '"', '=']) {
            skeleton.push_str(&rest[..start]);
            let sign = rest.as_bytes()[start];
            rest = &rest[start + 1..];
            if sign != b'%' || is_quoted {
                skeleton.push(char::from(sign));
                is_quoted ^= sign == b'"';
                are_results &= sign != b'=';
                continue;
            }
            let end = rest.find(|letter| !is_of_name(letter));
            let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
            skeleton.push('%');
            rest = after;
            let is_defined = are_results || rest.starts_with(": ") || rest.starts_with(" = ");
            names.push(Name {
                text: self.text(name),
                is_defined,
            });
        }
        skeleton.push_str(rest);
        (skeleton, names)
    }

    /// A text with the values of attributes in place of their names, and without the name
    /// that it gives.
    fn with_attributes(&self, text: &str, attributes: u32) -> String {
        let values = self.attributes.get(&attributes);
        let mut replaced = String::with_capacity(text.len());
        let mut rest = text;
        if text.starts_with('#')
            && let Some((_, value)) = text.split_once(" = ")
        {
            rest = value;
        }
        while let Some(start) = rest.find('#') {
            let (before, after) = rest.split_at(start + 1);
            replaced.push_str(before);
            let end = after.find(|letter| !is_of_name(letter));
            let (name, after) = after.split_at(end.unwrap_or(after.len()));
            let value = values.and_then(|values| values.get(name).copied());
            replaced.push_str(value.unwrap_or(name));
            rest = after;
        }
        replaced + rest
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_$.-".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_runtime::compilation_record::FunctionText;

    fn cut(line: &str) -> (String, Vec<bool>) {
        let record = CompilationRecord::default();
        let (skeleton, names) = Lines::new(&record).cut(line);
        (skeleton, names.iter().map(|name| name.is_defined).collect())
    }

    #[test]
    fn names_of_values_are_cut_out() {
        assert_eq!(
            cut("  %0:2, %1 = a.a %arg0, %2#1 : f32"),
            (
                "%:2, % = a.a %, %#1 : f32".to_owned(),
                vec![true, true, false, false]
            )
        );
        assert_eq!(
            cut("scf.for %i = %c0 to %c1 iter_args(%a = %b) {"),
            (
                "scf.for % = % to % iter_args(% = %) {".to_owned(),
                vec![true, false, false, true, false]
            )
        );
        assert_eq!(cut("^bb0(%in: f32, %out: f32):").1, [true, true]);
        assert_eq!(cut("ins(%0 : f32)").1, [false]);
        assert_eq!(
            cut("a.a \"%0 = %1\" = %2"),
            ("a.a \"%0 = %1\" = %".to_owned(), vec![false])
        );
    }

    #[test]
    fn names_of_attributes_are_what_they_name() {
        let lines = [
            "#map = affine_map<(d0) -> (d0)>",
            "#map1 = affine_map<(d0) -> (0)>",
            "#map = affine_map<(d0) -> (0)>",
            "a.a {maps = [#map]}",
            "a.a {maps = [#map1]}",
            "a.a %0#1",
        ];
        let mut record = CompilationRecord {
            lines: lines.map(str::to_owned).into(),
            ..CompilationRecord::default()
        };
        for lines in [vec![0, 1], vec![2]] {
            record.functions.push(FunctionText {
                origins: vec![0; lines.len()],
                lines,
                ..FunctionText::default()
            });
        }
        let mut lines = Lines::new(&record);
        let steps = [0, 1].map(|function| Step {
            functions: vec![function],
            ..Step::default()
        });
        let [old, new] = [&steps[0], &steps[1]].map(|step| lines.attributes(step));
        assert_eq!((old, new), (0, 1));
        assert_ne!(lines.skeleton(3, old), lines.skeleton(3, new));
        assert_eq!(lines.skeleton(4, old), lines.skeleton(3, new));
        assert_eq!(lines.skeleton(1, old), lines.skeleton(2, new));
        assert_eq!(lines.skeleton(5, old), lines.skeleton(5, new));
    }
}
