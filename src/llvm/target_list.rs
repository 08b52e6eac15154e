//! A readable list of the targets of machine code.

use super::{
    processor_kind::{KINDS, ProcessorKind},
    target::{LINUX, TargetDescription, describe, linked_architectures},
};
use halo_core::machine::{KINDS as MACHINES, Machine};
use halo_runtime::Result;
use std::fmt::Write;

/// Lists systems, or the processors and features of the given one.
///
/// # Errors
/// Returns an invalid-input error if no code can be made for the system.
pub fn text(triple: Option<&str>) -> Result<String> {
    match triple {
        Some(triple) => of_system(triple),
        None => systems(),
    }
}

fn systems() -> Result<String> {
    let host = TargetDescription::host();
    let mut text = format!(
        "{}: this machine, '{}' with vectors of {} bits\n",
        host.triple,
        host.cpu,
        host.model()?.vector_bits
    );
    let linked = linked_architectures();
    let is_linked = |kind: &&ProcessorKind| linked.contains(&kind.architecture);
    for kind in KINDS.iter().filter(is_linked) {
        let processors = match (kind.features, kind.sve_bits) {
            ([], _) => "any processor".to_owned(),
            (features, None) => format!("processors with {}", features.join(" and ")),
            (_, Some(_)) => {
                let known = names_where(|machine| machine.sve_bits == kind.sve_bits);
                format!("processors with sve of that length ({})", known.join(", "))
            }
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{}{LINUX}: {processors}, vectors of {} bits",
            kind.architecture, kind.machine.vector_bits
        );
    }
    for name in
        names_where(|machine| linked.contains(&"aarch64") && machine.streaming_bits.is_some())
    {
        let bits = Machine::of_kind(name).and_then(|row| row.streaming_bits).unwrap_or_default();
        let _ = writeln!(
            text,
            "aarch64{LINUX}: {name} with sme, tiles of vectors of {bits} bits"
        );
    }
    text.push_str("--target=TRIPLE --list-targets lists the processors and features of one\n");
    Ok(text)
}

/// The names of the rows of the machine model that have a property, in alphabetical order.
fn names_where(has: impl Fn(&Machine) -> bool) -> Vec<&'static str> {
    let rows = MACHINES.iter().filter(|row| has(row));
    let mut names: Vec<&str> = rows.flat_map(|row| row.names).copied().collect();
    names.sort_unstable();
    names
}

fn of_system(triple: &str) -> Result<String> {
    let known = describe(triple)?;
    let features: Vec<String> = known.features.into_keys().collect();
    Ok(format!(
        "processors: {}\nfeatures: {}\n",
        known.processors.join(", "),
        features.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_and_their_processors_are_listed() {
        let all = text(None).unwrap();
        assert!(all.contains("\nriscv64-unknown-linux-gnu: any processor, vectors of 128 bits\n"));
        let sve = ": processors with sve of that length (a64fx), vectors of 512 bits\n";
        assert!(
            all.contains(&format!("\naarch64-unknown-linux-gnu{sve}")),
            "{all}"
        );
        let sme = "\naarch64-unknown-linux-gnu: apple-m4 with sme, tiles of vectors of 512 bits\n";
        assert!(all.contains(sme), "{all}");
        let one = text(Some("x86_64-unknown-linux-gnu")).unwrap();
        let lines: Vec<&str> = one.lines().collect();
        assert!(
            lines[0].contains(" x86-64-v3,") && lines[1].contains(" avx512bf16,"),
            "{one}"
        );
        let unknown = text(Some("vax-unknown-linux-gnu")).unwrap_err().to_string();
        assert!(
            unknown.contains("no code can be made for target"),
            "{unknown}"
        );
    }
}
