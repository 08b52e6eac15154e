//! What `--help` says.

use halo_compiler::translations::{OPTIONS, TRANSLATIONS};
use halo_tool_support::{OptionHelp, ToolHelp};

/// The driver's own options: name, value, what it does.
const DRIVER: &[(&str, &str, &str)] = &[
    (
        "o",
        "FILE",
        "Where to write the result [default: -, standard output]",
    ),
    (
        "split-input-file",
        "",
        "Treat the parts of a file between lines of // ----- as programs of their own",
    ),
    (
        "verify-diagnostics",
        "",
        "Check that diagnostics are those that expected-error comments name",
    ),
    (
        "allow-unregistered-dialect",
        "",
        "Take ops of dialects that are not known",
    ),
    ("mlir-print-debuginfo", "", "Print the locations of ops"),
];

const FOOTER: &str = "\
Options that print help:
  --help         This
  --help-hidden  All options, with MLIR's and LLVM's own
  --version      The version of this tool

Several translations are done in the order in which they are given, each on what the one before
it made.";

/// The help of the tool.
pub fn help() -> ToolHelp<'static> {
    let translations = TRANSLATIONS
        .iter()
        .map(|translation| OptionHelp::new(translation.name, "", translation.summary));
    let options = OPTIONS.iter().map(|option| {
        let value = if option.default == "false" {
            ""
        } else {
            "VALUE"
        };
        OptionHelp::new(option.name, value, option.summary)
    });
    let driver = DRIVER
        .iter()
        .map(|(name, value, help)| OptionHelp::new(name, value, *help));
    ToolHelp {
        name: "halo-translate",
        version: env!("CARGO_PKG_VERSION"),
        about: "Translates a program from one form to another.\n\n\
            FILE is - for standard input, which is the default. Translations that do not name a \
            form to read take any: MLIR as text or bytecode, HLO as text or protocol buffers, or \
            a portable artifact.",
        footer: FOOTER,
        groups: vec![
            ("Translations", translations.collect()),
            ("Options of translations", options.collect()),
            ("Options", driver.collect()),
        ],
    }
}
