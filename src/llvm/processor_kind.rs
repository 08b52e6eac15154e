//! Processor models by features, each with the row of the machine model for processors without
//! a row.
//!
//! A processor is described by the first model of its architecture whose features it has. To
//! support another architecture, link LLVM's target (`dialects/cpp/codegen/Targets.cpp`) and add its models
//! here.

use halo_core::machine::{AARCH64, Machine, RISCV64, RISCV64_V, X86_64, X86_64_V3, X86_64_V4};
use halo_ir::subtarget::Subtarget;

/// A processor model. All have 64-bit pointers.
#[derive(Debug)]
pub struct ProcessorKind {
    /// The first component of its triples.
    pub architecture: &'static str,
    /// LLVM's names of the target.
    pub llvm_names: &'static [&'static str],
    /// The features of its processors; empty for the last model of an architecture.
    pub features: &'static [&'static str],
    /// The SVE register length that code requires, in bits.
    pub sve_bits: Option<u32>,
    /// The vector width and register count, and all other numbers for processors without a row.
    pub machine: Machine,
    /// Features that LLVM's generic processor lacks, but every system of the architecture has.
    pub baseline_features: &'static str,
    /// Features with which LLVM converts f16 and bf16 without functions of a library.
    pub float16_features: &'static [&'static str],
}

const X86: ProcessorKind = ProcessorKind {
    architecture: "x86_64",
    llvm_names: &["x86-64"],
    features: &[],
    sve_bits: None,
    machine: X86_64,
    baseline_features: "",
    float16_features: &["f16c", "avx512bf16"],
};

const RISCV: ProcessorKind = ProcessorKind {
    architecture: "riscv64",
    llvm_names: &["riscv64"],
    machine: RISCV64,
    // RV64GC (RISC-V Unprivileged ISA, "RV32/64G Instruction Set Listings").
    baseline_features: "+m,+a,+f,+d,+c",
    float16_features: &["zfhmin", "zfbfmin"],
    ..X86
};

const ARM64: ProcessorKind = ProcessorKind {
    architecture: "aarch64",
    llvm_names: &["aarch64", "arm64"],
    machine: AARCH64,
    float16_features: &[],
    ..X86
};

/// SVE registers of known length. A processor whose length is 128 or unknown has the vectors of
/// NEON.
const fn with_sve(bits: u32) -> ProcessorKind {
    ProcessorKind {
        features: &["sve"],
        sve_bits: Some(bits),
        machine: Machine {
            vector_bits: bits as i64,
            ..AARCH64
        },
        ..ARM64
    }
}

/// All kinds.
pub static KINDS: [ProcessorKind; 8] = [
    ProcessorKind {
        features: &["avx512f"],
        machine: X86_64_V4,
        ..X86
    },
    ProcessorKind {
        features: &["avx"],
        machine: X86_64_V3,
        ..X86
    },
    X86,
    with_sve(512),
    with_sve(256),
    ARM64,
    ProcessorKind {
        features: &["v"],
        machine: RISCV64_V,
        ..RISCV
    },
    RISCV,
];

impl ProcessorKind {
    /// The models of LLVM's target of a name.
    pub fn of_target(name: &str) -> impl Iterator<Item = &'static Self> + use<'_> {
        KINDS.iter().filter(move |kind| kind.llvm_names.contains(&name))
    }

    /// Returns true if a processor fits the model, assuming that it fits none before: its SVE
    /// registers have `sve_bits`, if known.
    pub fn has(&self, subtarget: &Subtarget, sve_bits: Option<u32>) -> bool {
        let has_length = self.sve_bits.is_none() || self.sve_bits == sve_bits;
        has_length && self.features.iter().all(|feature| subtarget.has(feature))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_kind_of_an_architecture_is_any_processor() {
        for kind in &KINDS {
            let last = KINDS.iter().rfind(|other| other.architecture == kind.architecture);
            assert!(last.unwrap().features.is_empty(), "{kind:?}");
        }
    }
}
