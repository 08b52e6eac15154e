//! Checks of all documents.

use crate::{fail_if_any, halo_tools, llvm_tools, tools};
use halo_book::{
    commands::Known,
    markdown,
    pages::{self, Page, SUMMARY, is_generated},
    paths,
    transcript::{self, Difference},
};
use libtest_mimic::{Failed, Trial};
use std::{
    collections::{HashMap, HashSet},
    env, fs,
    path::PathBuf,
};

/// Pages whose code blocks have separate tests (`src/halo/tests/programs.rs`).
const TESTED_ELSEWHERE: [&str; 2] = ["docs/first_pass.md", "docs/schedules.md"];

pub fn summary_lists_all_pages(pages: &[Page]) -> Result<(), Failed> {
    let summary = pages.iter().find(|page| page.path == SUMMARY);
    let summary = summary.ok_or("the book has no table of contents")?;
    let listed = pages::listed(&summary.text);
    let mut wrong = Vec::new();
    for page in pages.iter().filter(|page| page.is_of_book()) {
        match listed.iter().filter(|path| **path == page.path).count() {
            1 => {}
            count => wrong.push(format!("{SUMMARY} lists {} {count} times", page.path)),
        }
    }
    for path in &listed {
        if !pages.iter().any(|page| page.path == *path) {
            wrong.push(format!("{SUMMARY} lists {path}, which is no page"));
        }
    }
    fail_if_any(&wrong, "the table of contents lists each page once")
}

/// Each op of `docs/ops.md` and each pass that `halo-opt` lists has an entry.
pub fn generated_pages_are_complete(pages: &[Page]) -> Result<(), Failed> {
    let mut headings: HashSet<(&str, String)> = HashSet::new();
    for page in pages.iter().filter(|page| page.is_generated()) {
        let folder = page.path.split('/').nth(1).unwrap_or_default();
        let anchors = markdown::read(&page.text).anchors;
        headings.extend(anchors.into_iter().map(|anchor| (folder, anchor)));
    }
    let table = pages.iter().find(|page| page.path == "docs/ops.md");
    let table = table.ok_or("docs/ops.md is missing")?;
    let ops = table
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("| [`")?.split('`').next())
        .map(|op| ("language", op.to_owned()));
    let passes = tools::passes()?;
    let passes = passes.into_iter().map(|pass| ("passes", pass));
    let entries: Vec<(&str, String)> = ops.chain(passes).collect();
    assert!(entries.len() > 250, "{} ops and passes", entries.len());
    let missing: Vec<String> = entries
        .into_iter()
        .filter(|(folder, name)| !headings.contains(&(*folder, markdown::anchor_of(name))))
        .map(|(folder, name)| format!("no page in docs/{folder} documents {name}"))
        .collect();
    fail_if_any(&missing, "tools/halo-book/tests/book generates the pages")
}

pub fn links_lead_somewhere(pages: &[Page]) -> Result<(), Failed> {
    let documents: HashMap<&str, markdown::Document> = pages
        .iter()
        .map(|page| (page.path.as_str(), markdown::read(&page.text)))
        .collect();
    let root = pages::root();
    let mut wrong = Vec::new();
    let mut checked = 0;
    for page in pages {
        for link in &documents[page.path.as_str()].links {
            if link.target.contains("://") || link.target.starts_with("mailto:") {
                continue;
            }
            checked += 1;
            let place = format!("{}:{}: [{}]", page.path, link.line, link.target);
            let (file, anchor) = pages::resolve(&page.path, &link.target);
            let exists = documents.contains_key(file.as_str()) || root.join(&file).exists();
            if !exists {
                wrong.push(format!("{place} leads to no file"));
                continue;
            }
            let Some(anchor) = anchor else { continue };
            let target = documents.get(file.as_str());
            if !target.is_some_and(|target| target.anchors.contains(anchor)) {
                wrong.push(format!("{place} leads to no heading"));
            }
        }
    }
    assert!(checked > 100, "{checked} links");
    fail_if_any(&wrong, "links are relative to their page")
}

/// Links of the repository's documents also work without generated pages. Only mdBook reads the
/// table of contents.
pub fn tracked_pages_link_to_tracked_files(pages: &[Page]) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    let tracked = pages.iter().filter(|page| !page.is_generated());
    for page in tracked.filter(|page| page.path != SUMMARY) {
        for link in markdown::read(&page.text).links {
            let (path, _) = pages::resolve(&page.path, &link.target);
            if is_generated(&path) {
                wrong.push(format!("{}:{}: [{}]", page.path, link.line, link.target));
            }
        }
    }
    fail_if_any(
        &wrong,
        "expected links to tracked files, got generated pages: link to their sources",
    )
}

/// Each path in a sentence is the path of a file, or the end of one. The changelog may also name
/// files of the past.
pub fn paths_exist(pages: &[Page]) -> Result<(), Failed> {
    let files = paths::all(&pages::root())?;
    let mut wrong = Vec::new();
    let mut checked = 0;
    let tracked = pages.iter().filter(|page| !page.is_generated());
    for page in tracked.filter(|page| page.path != "CHANGELOG.md") {
        for (text, line) in markdown::read(&page.text).inline_code {
            for path in paths::named(&text) {
                checked += 1;
                if !paths::has(&files, &path) {
                    wrong.push(format!("{}:{line}: {path}", page.path));
                }
            }
        }
    }
    assert!(checked > 300, "{checked} paths");
    fail_if_any(
        &wrong,
        "expected the path of a file, or its last components",
    )
}

/// Each block with a note `<!-- excerpt: FILE -->` is a part of the file.
pub fn excerpts_are_of_files(pages: &[Page]) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for page in pages {
        for block in markdown::read(&page.text).blocks {
            let note = block.note.as_deref().unwrap_or_default();
            let Some(file) = note.strip_prefix("excerpt: ") else {
                continue;
            };
            checked += 1;
            let place = format!("{}:{}", page.path, block.line);
            match fs::read_to_string(pages::root().join(file)) {
                Ok(source) if paths::is_excerpt(&block.text, &source) => {}
                Ok(_) => wrong.push(format!("{place} is no part of {file}")),
                Err(error) => wrong.push(format!("{place}: {file}: {error}")),
            }
        }
    }
    assert!(checked > 8, "{checked} excerpts");
    fail_if_any(&wrong, "copy the lines from the file")
}

pub fn commands_exist(pages: &[Page]) -> Result<(), Failed> {
    let root = pages::root();
    let makefile = fs::read_to_string(root.join("Makefile"))?;
    let targets = makefile.lines().filter_map(|line| {
        let (name, _) = line.split_once(':')?;
        (!name.contains([' ', '\t', '=', '.'])).then(|| name.to_owned())
    });
    let known = Known {
        tools: tools::options()?,
        crates: crates()?,
        targets: targets.collect(),
    };
    let mut wrong = Vec::new();
    let mut checked = 0;
    for page in pages {
        for block in markdown::read(&page.text).blocks {
            if block.language != "sh" {
                continue;
            }
            checked += 1;
            let place = format!("{}:{}", page.path, block.line);
            let told = known.check(&block.text, |file| root.join(file).exists());
            wrong.extend(told.into_iter().map(|what| format!("{place}: {what}")));
        }
    }
    assert!(checked > 20, "{checked} blocks");
    fail_if_any(&wrong, "commands of `sh` blocks name what exists")
}

/// The names of the crates of the workspace.
fn crates() -> Result<HashSet<String>, Failed> {
    let root = pages::root();
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    let members = manifest.split("members = [").nth(1).unwrap_or_default();
    let members = members.split(']').next().unwrap_or_default().lines();
    let folders = members.filter_map(|line| {
        let name = line.trim().trim_matches([',', '"']);
        (!name.is_empty()).then_some(name)
    });
    folders
        .map(|folder| {
            let manifest = fs::read_to_string(root.join(folder).join("Cargo.toml"))?;
            let name = manifest.lines().find_map(|line| line.strip_prefix("name = "));
            let name = name.ok_or(format!("{folder}/Cargo.toml has no name"))?;
            Ok(name.trim_matches('"').to_owned())
        })
        .collect()
}

/// Each block of Rust in the README of a crate is in a test or an example of the crate.
pub fn examples_of_crates_are_files(pages: &[Page]) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for page in pages {
        let Some(folder) = page.path.strip_suffix("/README.md") else {
            continue;
        };
        let folder = pages::root().join(folder);
        if !folder.join("Cargo.toml").exists() {
            continue;
        }
        let mut files = Vec::new();
        for place in ["examples", "tests"] {
            let Ok(entries) = fs::read_dir(folder.join(place)) else {
                continue;
            };
            for entry in entries {
                files.push(fs::read_to_string(entry?.path()).unwrap_or_default());
            }
        }
        for block in markdown::read(&page.text).blocks {
            if block.language != "rust" {
                continue;
            }
            checked += 1;
            if !files.iter().any(|file| file.contains(block.text.trim_end())) {
                wrong.push(format!("{}:{}", page.path, block.line));
            }
        }
    }
    assert!(checked > 3, "{checked} blocks");
    fail_if_any(
        &wrong,
        "a file in the crate's tests or examples has the code",
    )
}

/// A test for each page with transcripts: its commands print the shown output.
pub fn transcripts(pages: &[Page]) -> Vec<Trial> {
    let mut trials = Vec::new();
    for page in pages {
        let blocks = markdown::read(&page.text).blocks;
        let has_any = blocks.iter().any(|block| block.language == "console");
        if !has_any || TESTED_ELSEWHERE.contains(&page.path.as_str()) {
            continue;
        }
        let path = page.path.clone();
        let is_generated = page.is_generated();
        trials.push(Trial::test(format!("transcript {path}"), move || {
            let own = env::var_os("PATH").unwrap_or_default();
            let folders = [halo_tools()?, llvm_tools()];
            let folders = folders.into_iter().chain(env::split_paths(&own));
            let links = [
                ("examples", pages::root().join("examples")),
                ("libmiscompile.so", plugin()?),
            ];
            let wrong = transcript::run(&blocks, &links, &env::join_paths(folders)?)?;
            if env::var_os("HALO_BLESS").is_some() && !is_generated {
                return bless(&path, &wrong);
            }
            let wrong: Vec<String> = wrong.iter().map(|what| format!("{path}:{what}")).collect();
            fail_if_any(&wrong, "HALO_BLESS=1 writes it into the page")
        }));
    }
    trials
}

/// The plug-in of wrong passes, next to this executable.
fn plugin() -> Result<PathBuf, Failed> {
    let name = format!("libmiscompile{}", env::consts::DLL_SUFFIX);
    Ok(env::current_exe()?.with_file_name(name))
}

/// Writes the output of commands into their page.
fn bless(path: &str, wrong: &[Difference]) -> Result<(), Failed> {
    let file = pages::root().join(path);
    let mut text = fs::read_to_string(&file)?;
    let mut left = Vec::new();
    for difference in wrong {
        match difference.accepted(&text) {
            Some(accepted) => text = accepted,
            None => left.push(format!("{path}:{difference}")),
        }
    }
    fs::write(file, text)?;
    fail_if_any(&left, "write it into the page by hand")
}
