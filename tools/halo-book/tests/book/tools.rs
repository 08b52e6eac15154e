//! The reference of the tools: the output of `--markdown-page`.

use crate::{Generated, cell, halo_tools};
use halo_book::pages;
use libtest_mimic::Failed;
use std::{
    collections::{HashMap, HashSet},
    fs,
    process::Command,
};

/// Tools on MLIR's drivers, which have more options than their help shows.
const DRIVERS: [&str; 2] = ["halo-opt", "halo-translate"];

/// Headings of help whose options have separate pages.
const PASSES: [(&str, &str); 2] = [
    (
        "Passes of Halo",
        "[Passes](../passes/index.md) have pages of their own.",
    ),
    (
        "Pipelines of Halo",
        "[Pipelines](../pipelines/index.md) too.",
    ),
];

/// The tools: the crates in `tools/` that have an executable, sorted.
fn tools() -> Result<Vec<String>, Failed> {
    let mut tools = Vec::new();
    for entry in fs::read_dir(pages::root().join("tools"))? {
        let entry = entry?;
        let manifest = fs::read_to_string(entry.path().join("Cargo.toml"));
        if manifest.is_ok_and(|manifest| manifest.contains("[[bin]]")) {
            tools.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    tools.sort();
    Ok(tools)
}

pub fn generate(pages: &mut Generated) -> Result<(), Failed> {
    let mut index = String::from(
        "# Tools\n\nAll tools take `--help`, `--version`, `--completions=<SHELL>` and `--man-page`, \
         and exit with 0, or after an error with 1. Errors are one line, or diagnostics with their \
         places, on standard error.\n\n| tool | |\n|---|---|\n",
    );
    for tool in tools()? {
        let page = page(&tool)?;
        // The first paragraph after the heading.
        let about = page.split("\n\n").nth(1).unwrap_or_default();
        index.push_str(&format!("| [`{tool}`]({tool}.md) | {} |\n", cell(about)));
        pages.insert(format!("docs/tools/{tool}.md"), page);
    }
    pages.insert("docs/tools/index.md".to_owned(), index);
    Ok(())
}

/// The output of a tool for an argument.
fn ask(tool: &str, argument: &str) -> Result<String, Failed> {
    let path = halo_tools()?.join(tool);
    let output = Command::new(&path).arg(argument).output().map_err(|error| {
        format!(
            "{}: {error} (`cargo build --workspace --bins` first)",
            path.display()
        )
    })?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(Failed::from(format!(
            "{tool} {argument}: {}",
            String::from_utf8_lossy(&output.stderr)
        )))
    }
}

fn page(tool: &str) -> Result<String, Failed> {
    let text = ask(tool, "--markdown-page")?;
    let mut page = String::new();
    for section in text.split("\n## ") {
        let heading = section.lines().next().unwrap_or_default();
        match PASSES.iter().find(|(name, _)| *name == heading) {
            // Text after the last table is not part of it.
            Some((_, link)) => {
                let rest = section.split_once("\n\n```text").map(|(_, rest)| rest);
                page.push_str(&format!("\n{link}\n"));
                if let Some(rest) = rest {
                    page.push_str(&format!("\n```text{rest}"));
                }
            }
            None if page.is_empty() => page.push_str(section),
            None => page.push_str(&format!("\n## {section}")),
        }
    }
    Ok(page)
}

/// The options of each tool.
pub fn options() -> Result<HashMap<String, HashSet<String>>, Failed> {
    tools()?
        .into_iter()
        .map(|tool| {
            let mut options = HashSet::from(["--completions".to_owned(), "--man-page".to_owned()]);
            let page = ask(&tool, "--markdown-page")?;
            options.extend(page.split('`').flat_map(names_in));
            if DRIVERS.contains(&tool.as_str()) {
                options.extend(ask(&tool, "--help-hidden")?.lines().flat_map(names_in));
            }
            Ok((tool, options))
        })
        .collect()
}

/// Halo's passes, with their hyphens, as `halo-opt --list-passes` groups them by folder.
pub fn passes() -> Result<Vec<String>, Failed> {
    let list = ask("halo-opt", "--list-passes")?;
    let own = list.split("\npipelines of Halo:").next();
    let lines = own.unwrap_or_default().lines();
    let names = lines.filter(|line| line.starts_with("  --"));
    Ok(names.map(|line| line.trim().to_owned()).collect())
}

/// The names of options in a text such as `-o, --output=<FILE>`.
fn names_in(text: &str) -> Vec<String> {
    let words = text.split([' ', ',', '=', '[']);
    let names = words.filter(|word| word.starts_with('-') && word.len() > 1);
    names.map(str::to_owned).collect()
}
