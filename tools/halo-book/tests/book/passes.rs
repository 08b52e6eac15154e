//! The pages of passes: declarations, and the documentation of their files, with IR before and
//! after.

use crate::{Generated, cell, pipelines};
use halo::{
    compiler::registry::PASSES,
    ir::pass::{ANY_OPERATION, PassDeclaration},
};
use halo_book::pages;
use libtest_mimic::Failed;
use std::{collections::BTreeMap, fmt::Write, fs};

pub fn generate(pages: &mut Generated) -> Result<(), Failed> {
    let mut folders: BTreeMap<String, Vec<&PassDeclaration>> = BTreeMap::new();
    for pass in PASSES.iter().chain(halo_opt_passes::PASSES).copied() {
        folders.entry(folder_of(pass)?).or_default().push(pass);
    }
    let mut index = String::from(
        "# Passes\n\nHalo's passes by the folders of their files, which these pages are made of. \
         `halo-opt --explain-pass=NAME` prints the same. Each is an option of \
         [`halo-opt`](../tools/halo-opt.md); [pipelines](../pipelines/index.md) say which \
         backends run it, and when. Upstream's passes are documented on \
         [mlir.llvm.org](https://mlir.llvm.org/docs/Passes/).\n",
    );
    for (folder, passes) in &folders {
        let page = page_name(folder);
        write!(
            index,
            "\n## [`{folder}`]({page})\n\n| pass | |\n|---|---|\n"
        )?;
        let below = if folder.starts_with("tools/") {
            ""
        } else {
            "src/"
        };
        let mut text = format!("# Passes of `{below}{folder}`\n");
        for pass in passes {
            let name = pass.argument;
            writeln!(
                index,
                "| [`--{name}`]({page}#--{name}) | {} |",
                cell(pass.summary)
            )?;
            text.push_str(&entry(pass)?);
        }
        pages.insert(format!("docs/passes/{page}"), text);
    }
    pages.insert("docs/passes/index.md".to_owned(), index);
    Ok(())
}

/// The link to a pass from a page in another folder.
pub fn link(pass: &PassDeclaration) -> Result<String, Failed> {
    let name = pass.argument;
    Ok(format!(
        "../passes/{}#--{name}",
        page_name(&folder_of(pass)?)
    ))
}

/// The folder of a pass: below `src/`, or a crate in `tools/`.
fn folder_of(pass: &PassDeclaration) -> Result<String, Failed> {
    let wrong = || Failed::from(format!("{} is declared in {}", pass.argument, pass.file));
    let (folder, _) = pass.file.rsplit_once('/').ok_or_else(wrong)?;
    let folder = folder.strip_prefix("src/").unwrap_or(folder);
    Ok(folder.to_owned())
}

fn page_name(folder: &str) -> String {
    format!("{}.md", folder.replace('/', "-"))
}

/// The entry of a pass in a page.
fn entry(pass: &'static PassDeclaration) -> Result<String, Failed> {
    let mut text = format!("\n## `--{}`\n\n", pass.argument);
    text.push_str(&documentation(pass)?);
    let anchor = match pass.anchor {
        ANY_OPERATION => "any op".to_owned(),
        anchor => format!("`{anchor}`"),
    };
    write!(text, "\nRuns on {anchor}.")?;
    let users = pipelines::users_of(pass);
    if !users.is_empty() {
        write!(text, " In the phases {}.", users.join(", "))?;
    }
    let dialects: Vec<String> =
        pass.dependent_dialects.iter().map(|name| format!("`{name}`")).collect();
    if !dialects.is_empty() {
        write!(text, " Makes ops of {}.", dialects.join(", "))?;
    }
    text.push('\n');
    if !pass.options.is_empty() {
        text.push_str("\n| option | default | |\n|---|---|---|\n");
        for option in pass.options {
            let default = match option.default {
                "" => String::new(),
                default => format!("`{default}`"),
            };
            writeln!(
                text,
                "| `{}=<{}>` | {default} | {} |",
                option.name,
                cell(&option.kind.value_name()),
                cell(option.description)
            )?;
        }
    }
    if !pass.statistics.is_empty() {
        text.push_str("\n| statistic | |\n|---|---|\n");
        for statistic in pass.statistics {
            writeln!(
                text,
                "| `{}` | {} |",
                statistic.name,
                cell(statistic.description)
            )?;
        }
    }
    Ok(text)
}

/// The documentation of the file that declares a pass, with intra-doc links replaced by plain text.
fn documentation(pass: &PassDeclaration) -> Result<String, Failed> {
    let source = fs::read_to_string(pages::root().join(pass.file))?;
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let mut text = String::new();
    let mut is_code = false;
    for line in lines {
        let line = line.strip_prefix(' ').unwrap_or(line);
        is_code ^= line.starts_with("```");
        if is_code {
            writeln!(text, "{line}")?;
        } else if line.starts_with('#') {
            writeln!(text, "##{line}")?;
        } else if !is_link_definition(line) {
            writeln!(text, "{}", without_links(line))?;
        }
    }
    Ok(format!("{}\n", text.trim_end()))
}

/// Returns true for a link definition: [`a`]: super::a
fn is_link_definition(line: &str) -> bool {
    line.starts_with('[') && line.contains("]: ")
}

/// A line with intra-doc links replaced by their text.
fn without_links(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("[`") {
        let Some((name, after)) = after.split_once("`]") else {
            break;
        };
        write!(text, "{before}`{name}`").unwrap_or_default();
        rest = match after.strip_prefix('(') {
            Some(target) => target.split_once(')').map_or(after, |(_, rest)| rest),
            None => after,
        };
    }
    text + rest
}
