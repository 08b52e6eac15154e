//! The reference of a tool as a page of the book, generated from the declaration of its command
//! line. It does not depend on the width of a terminal.

use clap::{Arg, Command};
use std::fmt::Write;

/// The heading of options without one.
const OPTIONS: &str = "Options";
const ARGUMENTS: &str = "Arguments";

/// The page, in Markdown: the summary of the tool, its usage, and a table for each heading of its
/// help.
pub(crate) fn markdown_page(command: &Command) -> String {
    let mut command = command.clone();
    command.build();
    let mut text = format!("# {}\n", command.get_name());
    let about = command.get_long_about().or(command.get_about());
    if let Some(about) = about {
        let _ = write!(text, "\n{}\n", about.to_string().trim_end());
    }
    let usage = command.render_usage().to_string();
    let usage = usage.trim().trim_start_matches("Usage:").trim();
    let _ = write!(text, "\n```text\n{usage}\n```\n");
    let mut headings: Vec<&str> = Vec::new();
    for argument in shown(&command) {
        let heading = heading(argument);
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    for wanted in headings {
        let _ = write!(
            text,
            "\n## {wanted}\n\n| {} | |\n|---|---|\n",
            wanted.to_lowercase()
        );
        for argument in shown(&command).filter(|argument| heading(argument) == wanted) {
            let _ = writeln!(
                text,
                "| `{}` | {} |",
                cell(&form(argument)),
                cell(&meaning(argument))
            );
        }
    }
    if let Some(after) = command.get_after_help() {
        let _ = write!(text, "\n```text\n{}\n```\n", after.to_string().trim_end());
    }
    text
}

fn shown(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|argument| !argument.is_hide_set())
}

fn heading(argument: &Arg) -> &str {
    match argument.get_help_heading() {
        Some(heading) => heading,
        None if argument.is_positional() => ARGUMENTS,
        None => OPTIONS,
    }
}

/// The syntax of an option: `-o, --output=<FILE>`, `--bench[=<N>]`.
fn form(argument: &Arg) -> String {
    let mut names = Vec::new();
    names.extend(argument.get_short().map(|letter| format!("-{letter}")));
    names.extend(argument.get_long().map(|name| format!("--{name}")));
    let aliases = argument.get_visible_aliases().unwrap_or_default();
    names.extend(aliases.iter().map(|name| format!("--{name}")));
    let takes_value = argument.get_action().takes_values();
    let values = argument.get_value_names().unwrap_or_default();
    let value = values.first().map_or("VALUE", |name| name.as_str());
    let may_lack_value = argument.get_num_args().is_some_and(|count| count.min_values() == 0);
    match (argument.is_positional(), takes_value) {
        (true, _) => value.to_owned(),
        (false, false) => names.join(", "),
        (false, true) if may_lack_value => format!("{}[=<{value}>]", names.join(", ")),
        // A short option without a long one.
        (false, true) if argument.get_long().is_none() => {
            format!("{} <{value}>", names.join(", "))
        }
        (false, true) => format!("{}=<{value}>", names.join(", ")),
    }
}

/// The help of an option, with its default and its possible values.
fn meaning(argument: &Arg) -> String {
    let help = argument.get_long_help().or(argument.get_help());
    let mut text = help.map(ToString::to_string).unwrap_or_default();
    if !argument.get_action().takes_values() {
        return text;
    }
    let quoted = |words: Vec<String>| {
        let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        words.join(", ")
    };
    let values: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| value.get_name().to_owned())
        .collect();
    if !values.is_empty() {
        let _ = write!(text, " [one of {}]", quoted(values));
    }
    let defaults: Vec<String> = argument
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    if !defaults.is_empty() {
        let _ = write!(text, " [default: {}]", quoted(defaults));
    }
    text
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    /// Does this and that.
    ///
    /// Reads a file.
    #[derive(Parser)]
    #[command(name = "tool", version)]
    #[allow(dead_code, reason = "only the declaration is used")]
    struct Cli {
        /// The file
        file: String,
        /// How often | when
        #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_value = "3")]
        bench: Option<u32>,
        /// Which way
        #[arg(short = 'w', long, value_parser = ["fast", "slow"], help_heading = "Ways")]
        way: Option<String>,
        /// Hidden option
        #[arg(long, hide = true)]
        hidden: bool,
    }

    #[test]
    fn a_page_has_a_table_for_each_heading() {
        use clap::CommandFactory;
        let page = markdown_page(&Cli::command());
        let expected = "# tool

Does this and that.

Reads a file.

```text
tool [OPTIONS] <FILE>
```

## Arguments

| arguments | |
|---|---|
| `FILE` | The file |

## Options

| options | |
|---|---|
| `--bench[=<N>]` | How often \\| when [default: `3`] |
| `-h, --help` | Print help (see a summary with '-h') |
| `-V, --version` | Print version |

## Ways

| ways | |
|---|---|
| `-w, --way=<WAY>` | Which way [one of `fast`, `slow`] |
";
        assert_eq!(page, expected);
    }
}
