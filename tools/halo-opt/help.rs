//! The output of `--help`.

use halo_ir::pass::{Registered, registered};
use halo_tools::{OptionHelp, ToolHelp, common_options};

/// The most common options of upstream: name, value, summary.
const OPTIONS: &[(&str, &str, &str)] = &[
    (
        "pass-pipeline",
        "TEXT",
        "Passes with the ops that they run on, such as 'builtin.module(func.func(cse))'",
    ),
    ("emit-bytecode", "", "Write bytecode in place of text"),
    (
        "mlir-print-op-generic",
        "",
        "Print all ops in their generic form",
    ),
    (
        "mlir-elide-elementsattrs-if-larger",
        "N",
        "Leave out constants of more than N elements",
    ),
    (
        "mlir-print-ir-after-all",
        "",
        "Print the program to standard error after each pass",
    ),
    (
        "mlir-print-ir-after-change",
        "",
        "With the other --mlir-print-ir options: only where a pass changed something",
    ),
    (
        "mlir-print-ir-before",
        "PASS",
        "Print the program to standard error before a pass",
    ),
    (
        "mlir-print-ir-after",
        "PASS",
        "Print the program to standard error after a pass",
    ),
    ("mlir-timing", "", "Report how long each pass took"),
    (
        "mlir-pass-pipeline-crash-reproducer",
        "FILE",
        "If a pass fails, write a reproducer",
    ),
    (
        "irdl-file",
        "FILE",
        "Add the dialects that a file declares in IRDL",
    ),
    (
        "canonicalize",
        "",
        "Upstream's: simplify by the patterns of all ops",
    ),
    ("cse", "", "Upstream's: merge equal ops"),
    ("inline", "", "Upstream's: inline function calls"),
    (
        "symbol-dce",
        "",
        "Upstream's: remove functions that nothing uses",
    ),
    (
        "show-dialects",
        "",
        "Print the dialects there are, and exit",
    ),
    (
        "list-passes",
        "",
        "Print all passes there are, upstream's too, and exit",
    ),
];

const FOOTER: &str = "Passes and pipelines run in the order in which they are given.";

/// The help of the tool, with all passes and pipelines that were registered.
pub fn help() -> ToolHelp<'static> {
    let of_kind = |is_pipeline: bool| {
        let mut found = registered();
        found.retain(|registered| registered.is_pipeline == is_pipeline);
        found.iter().map(describe).collect()
    };
    let upstream = OPTIONS
        .iter()
        .map(|(name, value, help)| OptionHelp::new(name, value, *help));
    ToolHelp {
        name: "halo-opt",
        version: env!("CARGO_PKG_VERSION"),
        about: "Runs passes on a program and prints the result.\n\n\
            Reads MLIR as text or bytecode, HLO as text or protocol buffers, or a portable \
            artifact. FILE is - for standard input, which is the default.",
        footer: FOOTER,
        groups: vec![
            ("Options", common_options().chain(upstream).collect()),
            ("Passes of Halo", of_kind(false)),
            ("Pipelines of Halo", of_kind(true)),
        ],
    }
}

fn describe(registered: &Registered) -> OptionHelp<'static> {
    let options: Vec<&str> = registered
        .options
        .iter()
        .map(|option| option.name)
        .collect();
    let (value, takes) = match options.as_slice() {
        [] => ("", String::new()),
        names => ("OPTIONS", format!(" (options: {})", names.join(", "))),
    };
    let help = format!("{}{takes}", registered.summary);
    OptionHelp::new(registered.argument, value, help)
}
