//! The output of `--help`.

use halo_frontend::translations::{OPTIONS, TRANSLATIONS};
use halo_tools::{OptionHelp, ToolHelp, common_options};

const FOOTER: &str = "Several translations are done in the order in which they are given, each \
    on what the one before it made.";

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
    ToolHelp {
        name: "halo-translate",
        version: env!("CARGO_PKG_VERSION"),
        about: "Translates a program from one format to another.\n\n\
            FILE is - for standard input, which is the default. Translations that do not name a \
            format to read take any: MLIR as text or bytecode, HLO as text or protocol buffers, or \
            a portable artifact.",
        footer: FOOTER,
        groups: vec![
            ("Translations", translations.collect()),
            ("Options of translations", options.collect()),
            ("Options", common_options().collect()),
        ],
    }
}
