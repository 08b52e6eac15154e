//! `--list-passes` and `--explain-pass=`: the documentation of the passes and pipelines of a tool.
//!
//! The data of Halo's passes comes from their declarations and from the documentation of the
//! declaring file, which the build script collects. The data of upstream's passes comes from MLIR's
//! registry.

mod explain;
mod options;

use crate::Plugin;
use halo_ir::pass::{Listed, Registered, all_passes, registered};
use options::{of_halo, of_upstream, write_options};
use std::{collections::BTreeMap, fmt::Write};

pub(crate) use explain::explain;

/// Files below `src/` that declare a pass, with their documentation, sorted.
static DOCUMENTATION: &[(&str, &str)] =
    include!(concat!(env!("OUT_DIR"), "/pass_documentation.rs"));

/// The names of the groups other than folders.
const PIPELINES: &str = "pipelines of Halo";
const UPSTREAM: &str = "passes of upstream";
const UPSTREAM_PIPELINES: &str = "pipelines of upstream";

/// All passes and pipelines, one per line, with their options below: Halo's passes by the folders
/// of their files, then pipelines, plug-ins, and upstream passes.
pub(crate) fn list(plugins: &[Plugin]) -> String {
    let own: BTreeMap<&str, Registered> = registered()
        .into_iter()
        .map(|registered| (registered.argument, registered))
        .collect();
    // Folders, then the others in this order.
    let mut groups: BTreeMap<(u8, String), Vec<String>> = BTreeMap::new();
    for listed in all_passes() {
        let name = listed.argument.as_str();
        let group = match (own.get(name), plugin_with(plugins, name)) {
            (_, Some(plugin)) => (2, format!("plug-in {}", plugin.name)),
            (Some(pass), _) if pass.is_pipeline => (1, PIPELINES.to_owned()),
            (Some(pass), _) => match folder_of(pass, plugins) {
                Some(folder) => (0, folder.to_owned()),
                // It was added by an edit of a pipeline.
                None => (2, "plug-ins".to_owned()),
            },
            (None, _) if listed.is_pipeline => (4, UPSTREAM_PIPELINES.to_owned()),
            (None, _) => (3, UPSTREAM.to_owned()),
        };
        let entry = entry(&listed, own.get(name));
        groups.entry(group).or_default().push(entry);
    }
    let mut text = String::new();
    for ((_, group), entries) in groups {
        let _ = write!(text, "{group}:\n{}\n", entries.concat());
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn entry(listed: &Listed, own: Option<&Registered>) -> String {
    let mut text = format!(
        "  --{}\n      {}\n",
        listed.argument,
        one_line(&listed.summary)
    );
    let options = match own {
        Some(pass) => of_halo(pass.options),
        None => of_upstream(&listed.argument),
    };
    write_options(&mut text, &options, 8);
    text
}

/// A text whose white space is single spaces.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The file that declares a pass of Halo, relative to `src/`, with its documentation.
fn documented(pass: &Registered) -> Option<(&'static str, &'static str)> {
    let file = pass.declaration?.file;
    // The file of a pass is relative to the workspace, or a full path.
    let found = DOCUMENTATION.iter().find(|(known, _)| {
        file.strip_suffix(known)
            .is_some_and(|rest| rest == "src/" || rest.ends_with("/src/"))
    });
    found.copied()
}

/// The documentation of a pass of Halo or a plug-in.
fn documentation(pass: &Registered) -> Option<String> {
    if let Some((_, text)) = documented(pass) {
        return Some(text.to_owned());
    }
    let source = pass.declaration?.source;
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let lines = lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line)));
    Some(lines.collect()).filter(|text: &String| !text.is_empty())
}

/// The folder with the file of a pass of Halo: below `src/`, or the folder of a crate with passes
/// of one tool.
fn folder_of(pass: &Registered, plugins: &[Plugin]) -> Option<&'static str> {
    let is_of_tool = |plugin: &Plugin| plugin.name.is_empty() && plugin.adds(pass.argument);
    let file = match documented(pass) {
        Some((file, _)) => file,
        None if plugins.iter().any(is_of_tool) => pass.declaration?.file,
        None => return None,
    };
    Some(file.rsplit_once('/')?.0)
}

/// The plug-in of a pass or a pipeline that is not Halo's.
pub(crate) fn plugin_with<'p>(plugins: &'p [Plugin], name: &str) -> Option<&'p Plugin> {
    let mut others = plugins.iter().filter(|plugin| !plugin.name.is_empty());
    others.find(|plugin| plugin.adds(name))
}

impl Plugin {
    /// Returns true if it has a pass or a pipeline of this name.
    pub(crate) fn adds(&self, name: &str) -> bool {
        self.passes.iter().any(|pass| pass.argument == name)
            || self.pipelines.iter().any(|named| named.argument == name)
    }
}
