//! `halo-opt` as a library.

mod check_passes;

use crate::{Plugin, passes, tool};
use halo_drivers::{OptionHelp, Stop, Tool, ToolHelp, common_options, finish, print, run_driver};
use halo_frontend::translations::to_mlir;
use halo_ir::{
    driver,
    opt::opt_main,
    pass::{Registered, registered},
    upstream,
};
use halo_runtime::Error;
use std::{fmt::Write, process::ExitCode};

/// The main function of a tool that runs passes over a program, as `halo-opt` does, with the passes
/// and pipelines of a plug-in. It supports all options of `mlir-opt`.
pub fn main(name: &'static str, plugin: Plugin) -> ExitCode {
    upstream::know_everything();
    tool::run(name, plugin, |start| {
        let help = help(start.tool, &start.plugins);
        let names = help.option_names();
        let driver = driver::Tool {
            title: "Halo modular optimizer driver\n",
            options: &names,
        };
        if check_passes::is_requested(&start.arguments) {
            return check_passes::main(start.tool, &start.environment, start.arguments);
        }
        let (out, err) = (&mut std::io::stdout(), &mut std::io::stderr());
        run_driver(&help, start.arguments, out, err, |arguments| {
            let explain = |name: Option<&str>| explain(start.tool, &start.plugins, name);
            opt_main(arguments, driver, to_mlir, &explain)
        })
    })
}

/// Prints the list of passes or the documentation of one, and returns the exit code.
fn explain(tool: Tool, plugins: &[Plugin], name: Option<&str>) -> u8 {
    let text = match name {
        None => Ok(passes::list(plugins)),
        Some(name) => passes::explain(name, plugins).map_err(Error::invalid),
    };
    let (out, err) = (&mut std::io::stdout(), &mut std::io::stderr());
    let printed = text.map_err(Stop::from).and_then(|text| print(out, format_args!("{text}")));
    finish(tool.name, printed, out, err)
}

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
        "check-passes",
        "",
        "Run the program before and after each pass on random inputs, and stop at the first pass \
         that changes the results; --check-passes --help lists more options",
    ),
    (
        "bisect",
        "",
        "Find the pass, and the application of a pattern in it, that changes the results of the \
         program, crashes or leaves invalid IR",
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
        "Print all passes there are, upstream's too, with their options, and exit",
    ),
    (
        "explain-pass",
        "PASS",
        "Print the options of a pass or pipeline and what it does, and exit",
    ),
];

const FOOTER: &str = "Passes and pipelines run in the order in which they are given.";

/// The help of the tool, with all passes and pipelines that are registered.
fn help(tool: Tool, plugins: &[Plugin]) -> ToolHelp<'static> {
    let registered = registered();
    let of_kind = |is_pipeline: bool, is_shown: &dyn Fn(&str) -> bool| -> Vec<_> {
        let kind = registered.iter().filter(|of| of.is_pipeline == is_pipeline);
        let shown = kind.filter(|registered| is_shown(registered.argument));
        shown.map(describe).collect()
    };
    let is_own = |name: &str| passes::plugin_with(plugins, name).is_none();
    let upstream = OPTIONS.iter().map(|(name, value, help)| OptionHelp::new(name, value, *help));
    let mut groups = vec![(
        "Options".to_owned(),
        common_options().chain(upstream).collect(),
    )];
    for plugin in plugins.iter().filter(|plugin| !plugin.name.is_empty()) {
        let adds = |name: &str| plugin.adds(name);
        groups.extend([
            (format!("Passes of {}", plugin.name), of_kind(false, &adds)),
            (
                format!("Pipelines of {}", plugin.name),
                of_kind(true, &adds),
            ),
        ]);
    }
    groups.extend([
        ("Passes of Halo".to_owned(), of_kind(false, &is_own)),
        ("Pipelines of Halo".to_owned(), of_kind(true, &is_own)),
    ]);
    groups.retain(|(_, options)| !options.is_empty());
    ToolHelp {
        tool,
        about: "Runs passes on a program and prints the result.\n\n\
            Reads MLIR as text or bytecode, HLO as text or protocol buffers, or a portable \
            artifact. FILE is - for standard input, which is the default.",
        footer: FOOTER,
        groups,
    }
}

/// The help of a pass: a line, and one for each of its options, such as
/// `factor=<integer>  (default 2)  The number of copies`.
fn describe(registered: &Registered) -> OptionHelp<'static> {
    let mut help = registered.summary.to_owned();
    for option in registered.options {
        let (name, default) = (option.name, option.default);
        let value = option.kind.value_name();
        let _ = write!(help, "\n  {name}=<{value}>");
        if !default.is_empty() {
            let _ = write!(help, "  (default {default})");
        }
        let _ = write!(help, "  {}", option.description);
    }
    let value = match registered.options {
        [] => "",
        _ => "OPTIONS",
    };
    OptionHelp::new(registered.argument, value, help)
}
