//! `halo-translate` as a library.

use crate::{Plugin, tool};
use halo_drivers::{OptionHelp, Tool, ToolHelp, common_options, run_driver};
use halo_frontend::translations::{OPTIONS, TRANSLATIONS};
use halo_ir::{
    driver,
    translate::{TranslationDeclaration, translate_main},
};
use std::process::ExitCode;

/// The main function of a tool that translates programs, as `halo-translate` does, with the formats
/// of a plug-in. It supports all options of `mlir-translate`.
pub fn main(name: &'static str, plugin: Plugin) -> ExitCode {
    tool::run(name, plugin, |start| {
        let added = start.plugins.iter().flat_map(|plugin| &plugin.translations);
        let translations: Vec<_> = TRANSLATIONS.iter().chain(added.copied()).collect();
        let help = help(start.tool, &translations);
        let names = help.option_names();
        let driver = driver::Tool {
            title: "Halo translation driver\n",
            options: &names,
        };
        let (out, err) = (&mut std::io::stdout(), &mut std::io::stderr());
        run_driver(&help, start.arguments, out, err, |arguments| {
            translate_main(arguments, driver, &translations, OPTIONS)
        })
    })
}

const FOOTER: &str = "Several translations are done in the order in which they are given, each \
    on what the one before it made.";

/// The help of the tool.
fn help(tool: Tool, translations: &[&'static TranslationDeclaration]) -> ToolHelp<'static> {
    let translations = translations
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
        tool,
        about: "Translates a program from one format to another.\n\n\
            FILE is - for standard input, which is the default. Translations that do not name a \
            format to read take any: MLIR as text or bytecode, HLO as text or protocol buffers, or \
            a portable artifact.",
        footer: FOOTER,
        groups: vec![
            ("Translations".to_owned(), translations.collect()),
            ("Options of translations".to_owned(), options.collect()),
            ("Options".to_owned(), common_options().collect()),
        ],
    }
}
