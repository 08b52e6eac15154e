//! The contracts of the attributes of `halo`, compared with the sources.

use super::{files, root};
use halo_ir::ops::halo::{CONTRACTS, Contract};
use std::{collections::BTreeSet, fs};

/// The constants that a source uses from the module `halo`: `halo::NAME`, or `NAME` in
/// `halo::{...}`.
fn constants(text: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for (start, separator) in text.match_indices("halo::") {
        let rest = &text[start + separator.len()..];
        let group = rest.strip_prefix('{').and_then(|rest| rest.split('}').next());
        let names = group.unwrap_or_else(|| {
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
            &rest[..end.unwrap_or(rest.len())]
        });
        found.extend(names.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
    }
    found
}

/// The files of a contract, without files of C++.
fn declared(contract: &Contract) -> BTreeSet<String> {
    let all = contract.set_by.split(' ').chain(contract.read_by.split(' '));
    let rust = all.filter(|stem| !stem.is_empty() && !stem.starts_with(char::is_uppercase));
    rust.map(str::to_owned).collect()
}

#[test]
fn contracts_name_the_files_that_use_an_attribute() {
    let is_exempt = |path: &str| {
        let exempt = ["ir/ops/halo", "hlo/semantics/halo", "/tests/"];
        path.ends_with("tests.rs") || exempt.iter().any(|part| path.contains(part))
    };
    let mut used: Vec<BTreeSet<String>> = vec![BTreeSet::new(); CONTRACTS.len()];
    for file in files(&root().join("src"), &["rs"]) {
        if is_exempt(&file.to_string_lossy()) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let constants = constants(&text);
        for (contract, used) in CONTRACTS.iter().zip(&mut used) {
            let name = contract.name.trim_start_matches("halo.").to_uppercase();
            if constants.contains(&*name) {
                used.insert(file.file_stem().unwrap().to_string_lossy().into_owned());
            }
        }
    }
    for (contract, used) in CONTRACTS.iter().zip(used) {
        assert_eq!(declared(contract), used, "{}", contract.name);
    }
}

#[test]
fn contracts_name_phases() {
    let phases = ["fusion", "kernels", "llvm", "nvvm"];
    for contract in CONTRACTS {
        let is_phase = contract.gone_after.is_none_or(|phase| phases.contains(&phase));
        assert!(is_phase, "{}: {:?}", contract.name, contract.gone_after);
    }
}

#[test]
fn constants_of_groups_and_paths() {
    let text = "use crate::ops::halo::{ENTRY, KERNEL}; op.has_attribute(halo::PACKING)";
    let found = constants(text);
    assert!(["ENTRY", "KERNEL", "PACKING"].iter().all(|name| found.contains(name)));
    assert!(!found.contains("op"));
}
