//! The pages of dialects, which `mlir-tblgen` generates from ODS.

use crate::{Generated, cell, llvm_tools};
use halo_book::{markdown::anchor_of, pages};
use libtest_mimic::Failed;
use std::{fmt::Write, process::Command};

/// The dialects in the order of the book, and the files that include all of each.
const DIALECTS: [(&str, &str); 7] = [
    ("stablehlo", "stablehlo/Ops.td"),
    ("chlo", "chlo/Ops.td"),
    ("check", "check/CheckOps.td"),
    ("interpreter", "interpreter/InterpreterOps.td"),
    ("mhlo", "mhlo/Ops.td"),
    ("sdy", "sdy/Ops.td"),
    ("halo", "halo/Ops.td"),
];

/// The URL of the specification's sections.
const SPECIFICATION: &str = "https://github.com/openxla/stablehlo/blob/main/docs/spec.md";

pub fn generate(pages: &mut Generated) -> Result<(), Failed> {
    let mut index = String::from(
        "# Dialects\n\nHalo's dialects are declared in `dialects/`; these pages are made of the \
         declarations. [ops.md](../ops.md) says what each op has: a verifier, folding, backends. \
         Passes also use upstream's dialects, which are documented on \
         [mlir.llvm.org](https://mlir.llvm.org/docs/Dialects/).\n\n| dialect | |\n|---|---|\n",
    );
    for (dialect, file) in DIALECTS {
        let text = document(dialect, file)?;
        let summary = summary_behind(&text, &format!("# '{dialect}' Dialect"));
        writeln!(
            index,
            "| [`{dialect}`]({dialect}.md) | {} |",
            cell(summary.unwrap_or_default())
        )?;
        pages.insert(format!("docs/language/{dialect}.md"), page(dialect, &text)?);
    }
    pages.insert("docs/language/index.md".to_owned(), index);
    Ok(())
}

/// Returns the output of `mlir-tblgen`.
fn document(dialect: &str, file: &str) -> Result<String, Failed> {
    let tool = llvm_tools().join("mlir-tblgen");
    let dialects = pages::root().join("dialects");
    let include = llvm_tools().join("../include");
    let output = Command::new(&tool)
        .arg("--gen-dialect-doc")
        .arg(format!("--dialect={dialect}"))
        .arg("-I")
        .arg(&dialects)
        .arg("-I")
        .arg(include)
        .arg(dialects.join(file))
        .output()
        .map_err(|error| format!("{}: {error}", tool.display()))?;
    if output.status.success() {
        Ok(String::from_utf8(output.stdout)?)
    } else {
        Err(Failed::from(String::from_utf8_lossy(&output.stderr)))
    }
}

/// The line in italics after a heading.
fn summary_behind<'t>(text: &'t str, heading: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("{heading}\n\n_"))?;
    rest.split_once("_\n").map(|(summary, _)| summary)
}

/// The page of a dialect: TableGen's output, with an index of ops, links to the specification, and
/// without C++ names.
fn page(dialect: &str, document: &str) -> Result<String, Failed> {
    let mut page = String::new();
    let mut is_code = false;
    let mut is_table = false;
    for line in document.lines().map(str::trim_end) {
        if line.starts_with("```") {
            // A code block without a language is the syntax of an op or an attribute.
            page.push_str(if !is_code && line == "```" {
                "```text"
            } else {
                line
            });
            page.push('\n');
            is_code = !is_code;
            continue;
        }
        if is_code {
            writeln!(page, "{line}")?;
            continue;
        }
        is_table |= line.starts_with("<table>");
        if line.starts_with("<!--") || line == "[TOC]" {
            continue;
        } else if line.starts_with("# ") {
            writeln!(page, "# The dialect `{dialect}`")?;
        } else if line == "## Operations" {
            write!(page, "## Ops\n\n{}", index(document)?)?;
        } else if let Some(heading) = line.strip_prefix("#### ") {
            writeln!(page, "**{}**", heading.trim_end_matches(':'))?;
        } else if let Some(heading) = line.strip_prefix("### ") {
            let name = heading.split(" (").next().unwrap_or(heading);
            writeln!(page, "### {name}")?;
        } else if let Some(traits) = line.strip_prefix("Traits: ") {
            // Traits of Halo only call verifiers.
            let traits: Vec<&str> =
                traits.split(", ").filter(|name| !name.starts_with("`Hlo_")).collect();
            if !traits.is_empty() {
                writeln!(page, "Traits: {}", traits.join(", "))?;
            }
        } else if line.starts_with("Interfaces: ") {
            continue;
        } else if let Some(effects) = line.strip_prefix("Effects: ") {
            let kinds: Vec<&str> = (["Read", "Write", "Allocate", "Free"].into_iter())
                .filter(|kind| effects.contains(&format!("MemoryEffects::{kind} ")))
                .collect();
            if !kinds.is_empty() {
                writeln!(page, "Effects: {}", kinds.join(", ").to_lowercase())?;
            }
        } else if let Some(name) = section_of_specification(line) {
            writeln!(page, "Specification: [`{name}`]({SPECIFICATION}#{name}).")?;
        } else if !(line.is_empty() && (page.ends_with("\n\n") || is_table)) {
            // C++ type names, in tables.
            writeln!(page, "{}", line.replace("::mlir::", ""))?;
        }
        is_table &= !line.starts_with("</table>");
    }
    Ok(page)
}

/// The section in a line such as "Specification: `abs`."
fn section_of_specification(line: &str) -> Option<&str> {
    let name = line.strip_prefix("Specification: `")?.strip_suffix("`.")?;
    name.chars()
        .all(|letter| letter == '_' || letter.is_ascii_alphanumeric())
        .then_some(name)
}

/// A table of all ops.
fn index(document: &str) -> Result<String, Failed> {
    let mut table = String::from("| op | |\n|---|---|\n");
    for heading in document.lines().filter(|line| line.starts_with("### `")) {
        let name = heading.split('`').nth(1).unwrap_or_default();
        let summary = summary_behind(document, heading).unwrap_or_default();
        writeln!(
            table,
            "| [`{name}`](#{}) | {} |",
            anchor_of(name),
            cell(summary)
        )?;
    }
    Ok(table)
}
