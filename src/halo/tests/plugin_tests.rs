//! Invalid plug-ins: one message each, and the process continues.

use crate::host_function_backend;
use halo::{
    LoadError, Plugin,
    compiler::pipelines::Edits,
    ir::{
        dialect::DialectDeclaration,
        pass::PassDeclaration,
        pipeline,
        pipeline::{Pipeline, pass, upstream},
    },
};

use std::path::Path;

static GOOD: PassDeclaration = PassDeclaration::new("plugin-good", "A pass", |_| Ok(()));
static TAKEN: PassDeclaration = PassDeclaration::new("cse", "A pass", |_| Ok(()));
static DIALECT: DialectDeclaration = DialectDeclaration::new("stablehlo", "A dialect");

fn plugin() -> Plugin {
    Plugin::new("test", "1.0.0")
}

fn error(plugin: Plugin) -> String {
    match plugin.install() {
        Ok(_) => panic!("the plug-in is installed"),
        Err(error) => error.to_string(),
    }
}

pub fn run() {
    assert_eq!(
        error(plugin().pass(&TAKEN)),
        "plug-in 'test': a pass or pipeline 'cse' is registered already"
    );
    assert_eq!(
        error(plugin().dialect(&DIALECT)),
        "plug-in 'test': dialect 'stablehlo': there is a dialect of this name already"
    );
    let with_option = pipeline![pass(&GOOD).option("factor", 2)];
    assert_eq!(
        error(plugin().pipeline("plugin-pipeline", "Passes", with_option)),
        "plug-in 'test': pipeline 'plugin-pipeline': pass 'plugin-good' has no option 'factor'"
    );
    let unknown = Edits::new().insert_after("lowest", &GOOD);
    let unknown = error(plugin().edit("cpu", unknown));
    assert!(
        unknown.starts_with("plug-in 'test': ") && unknown.contains("'lowest'"),
        "{unknown}"
    );
    let nowhere = error(plugin().edit("tpu", Edits::new()));
    assert!(nowhere.contains("unknown backend 'tpu'"), "{nowhere}");

    // A file that is not a plug-in; `examples/out-of-tree/lowerings` is one.
    let missing = Plugin::load(Path::new("nowhere.so"));
    assert!(matches!(missing, Err(LoadError::Unreadable { .. })));

    // Valid plug-ins are installed afterwards, in their order.
    let cse: Pipeline = pipeline![upstream("cse")];
    let installed = plugin()
        .pipeline("plugin-cse", "Merge equal ops", cse)
        .backend(host_function_backend::backend())
        .edit("vectors", Edits::new().insert_after("hlo", &GOOD))
        .custom_call("plugin.nothing", |_| Ok(()));
    let later = Plugin::new("later", "1.0.0").edit("vectors", Edits::new().remove("plugin-good"));
    let installed = Plugin::install_all(&[installed, later]).unwrap();
    assert!(installed.registry.backend("vectors").is_ok());
    assert!(installed.registry.backend("cpu").is_ok());
}
