//! The settings of editors, in `editors/` and `docs/editors.md`.

use serde_json::Value;
use std::{fs, path::PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn json(path: &str) -> Value {
    let text = fs::read_to_string(root().join("editors/vscode").join(path)).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_extension_has_what_it_names() {
    let package = json("package.json");
    let contributes = &package["contributes"];
    let path = &contributes["configuration"]["properties"]["halo.server.path"];
    assert_eq!(path["default"], "halo-lsp-server");
    let languages = contributes["languages"].as_array().unwrap();
    for (language, id) in languages.iter().zip(["mlir", "hlo"]) {
        assert_eq!(language["id"], id);
        assert_eq!(language["extensions"][0], format!(".{id}"));
        json(language["configuration"].as_str().unwrap());
    }
    for grammar in contributes["grammars"].as_array().unwrap() {
        let found = json(grammar["path"].as_str().unwrap());
        assert_eq!(found["scopeName"], grammar["scopeName"]);
    }
    let main = package["main"].as_str().unwrap();
    assert!(root().join("editors/vscode").join(main).is_file());
}

#[test]
fn the_guide_has_the_settings_of_each_editor() {
    let guide = fs::read_to_string(root().join("docs/editors.md")).unwrap();
    for editor in ["VS Code", "Neovim", "Helix", "Emacs"] {
        let section = guide.split(&format!("## {editor}\n")).nth(1);
        let section = section.unwrap_or_else(|| panic!("{editor} is missing"));
        let section = section.split("\n## ").next().unwrap();
        assert!(section.contains("halo-lsp-server"), "{section}");
    }
}
