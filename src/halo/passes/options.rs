//! Options of passes, of Halo and upstream.

use super::one_line;
use halo_ir::pass::{PassOption, describe_pass};
use std::fmt::Write;

/// An option of a pass.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Described {
    pub name: String,
    /// The kind of the value, or the values; empty for upstream's flags.
    pub value: String,
    pub default: String,
    pub description: String,
    /// Upstream's values, each with its description.
    pub values: Vec<(String, String)>,
}

/// The options of a declaration.
pub(super) fn of_halo(options: &[PassOption]) -> Vec<Described> {
    let described = options.iter().map(|option| Described {
        name: option.name.to_owned(),
        value: option.kind.value_name(),
        default: option.default.to_owned(),
        description: option.description.to_owned(),
        values: Vec::new(),
    });
    described.collect()
}

/// The options of a pass or a pipeline in MLIR's help, with the defaults of the pipeline that its
/// name stands for.
pub(super) fn of_upstream(name: &str) -> Vec<Described> {
    let Some(description) = describe_pass(name) else {
        return Vec::new();
    };
    let mut options = parse_help(&description.help);
    let names: Vec<String> = options.iter().map(|option| option.name.clone()).collect();
    for (name, default) in defaults(&description.pipeline, name, &names) {
        if let Some(option) = options.iter_mut().find(|option| option.name == name) {
            option.default = default;
        }
    }
    options
}

/// Parses lines `--name=<value>  -  description` after the first one, which is the pass, and
/// `=word  -  description` below options whose values are words.
fn parse_help(help: &str) -> Vec<Described> {
    let mut options: Vec<Described> = Vec::new();
    for line in help.lines().skip(1) {
        let (head, description) = match line.split_once(" - ") {
            Some((head, description)) => (head.trim(), one_line(description)),
            None => (line.trim(), String::new()),
        };
        // `-O <uint>`, a letter, has no second hyphen.
        if let Some(option) = head.strip_prefix("--").or(head.strip_prefix('-')) {
            // An optional value is in brackets.
            let (name, value) = option.split_once(['=', ' ', '[']).unwrap_or((option, ""));
            options.push(Described {
                name: name.to_owned(),
                value: value.trim_matches(['<', '>', '[', ']', '=']).to_owned(),
                default: String::new(),
                description,
                values: Vec::new(),
            });
        } else if let (Some(word), Some(option)) = (head.strip_prefix('='), options.last_mut()) {
            option.values.push((word.to_owned(), description));
        }
    }
    options
}

/// The values in `pass{name=value other=value}`, of the first occurrence of the pass.
fn defaults(pipeline: &str, pass: &str, names: &[String]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let start = pipeline.find(&format!("{pass}{{"));
    let Some(text) = start.and_then(|start| pipeline.get(start + pass.len() + 1..)) else {
        return found;
    };
    let text = text.split('}').next().unwrap_or_default();
    for word in text.split_whitespace() {
        match word.split_once('=') {
            Some((name, value)) if names.iter().any(|known| known == name) => {
                found.push((name.to_owned(), value.to_owned()));
            }
            _ => {
                if let Some((_, value)) = found.last_mut() {
                    let _ = write!(value, " {word}");
                }
            }
        }
    }
    found
}

/// Appends the options, each on a line with its description.
pub(super) fn write_options(text: &mut String, options: &[Described], indent: usize) {
    for option in options {
        let _ = write!(text, "{:indent$}{}", "", option.name);
        if !option.value.is_empty() {
            let _ = write!(text, "=<{}>", option.value);
        }
        if !option.default.is_empty() {
            let _ = write!(text, "  (default {})", option.default);
        }
        let _ = writeln!(text, "  {}", option.description);
        for (word, description) in &option.values {
            let _ = writeln!(text, "{:indent$}    {word}  {description}", "");
        }
    }
}
