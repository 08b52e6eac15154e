//! The documentation of one pass or pipeline.

use super::{
    documentation, folder_of, one_line,
    options::{of_halo, of_upstream, write_options},
    plugin_with,
};
use crate::Plugin;
use halo_ir::pass::{Listed, Registered, all_passes, describe_pass, registered};
use std::fmt::Write;

/// The documentation of a pass or a pipeline, whose name may be prefixed by hyphens.
///
/// # Errors
/// Returns an error if the name is unknown: one line, with similar names.
pub(crate) fn explain(name: &str, plugins: &[Plugin]) -> Result<String, String> {
    let name = name.trim_start_matches('-');
    let all = all_passes();
    let Some(listed) = all.iter().find(|listed| listed.argument == name) else {
        let names = all.iter().map(|listed| listed.argument.as_str());
        let near = nearest(name, names);
        let hint = if near.is_empty() {
            " (see --list-passes)".to_owned()
        } else {
            format!("; did you mean {}?", near.join(" or "))
        };
        return Err(format!("there is no pass or pipeline '{name}'{hint}"));
    };
    let own = registered();
    let own = own.iter().find(|registered| registered.argument == name);
    Ok(describe(listed, own, plugins))
}

fn describe(listed: &Listed, own: Option<&Registered>, plugins: &[Plugin]) -> String {
    let name = listed.argument.as_str();
    let mut text = format!("--{name}\n    {}\n", one_line(&listed.summary));
    let known = describe_pass(name).unwrap_or_default();
    let kind = if listed.is_pipeline {
        "pipeline"
    } else {
        "pass"
    };
    let origin = match (own, plugin_with(plugins, name)) {
        (_, Some(plugin)) => format!("of the plug-in {}", plugin.name),
        (Some(pass), _) => match folder_of(pass, plugins) {
            Some(folder) => format!("of Halo, {folder}"),
            None if listed.is_pipeline => "of Halo".to_owned(),
            None => "of a plug-in".to_owned(),
        },
        (None, _) => "of upstream".to_owned(),
    };
    section(&mut text, "Kind", &format!("{kind} {origin}"));
    let declaration = own.and_then(|own| own.declaration);
    if let Some(declaration) = declaration {
        let anchor = match declaration.anchor {
            "" => "any op",
            anchor => anchor,
        };
        section(&mut text, "Runs on", anchor);
    }
    if listed.is_pipeline && !known.pipeline.is_empty() {
        section(&mut text, "Passes", &known.pipeline);
    }
    let options = match own {
        Some(own) => of_halo(own.options),
        None => of_upstream(name),
    };
    if !options.is_empty() {
        text.push_str("\nOptions:\n");
        write_options(&mut text, &options, 4);
    }
    let dialects: Vec<&str> = match declaration {
        Some(declaration) => declaration.dependent_dialects.to_vec(),
        None => known.dialects.iter().map(String::as_str).collect(),
    };
    if !dialects.is_empty() {
        section(&mut text, "Dependent dialects", &dialects.join(", "));
    }
    let statistics = declaration.map_or(&[][..], |declaration| declaration.statistics);
    if !statistics.is_empty() {
        text.push_str("\nStatistics:\n");
        for statistic in statistics {
            let _ = writeln!(text, "    {}  {}", statistic.name, statistic.description);
        }
    }
    if let Some(documentation) = own.and_then(documentation) {
        let _ = write!(text, "\nDescription:\n\n{documentation}");
    }
    text
}

fn section(text: &mut String, heading: &str, content: &str) {
    let _ = write!(text, "\n{heading}:\n    {content}\n");
}

/// The maximum number of suggested names.
const PROPOSED: usize = 3;

/// The names that are near to another, the nearest first.
fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let limit = 1 + name.chars().count() / 4;
    let mut near: Vec<(usize, &str)> = names
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        // A name without its prefix matches as well.
        .map(|(distance, known)| match known.strip_prefix("halo-") {
            Some(rest) => (distance.min(strsim::damerau_levenshtein(name, rest)), known),
            None => (distance, known),
        })
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    near.sort();
    let near = near.into_iter().take(PROPOSED);
    near.map(|(_, known)| format!("'{known}'")).collect()
}
