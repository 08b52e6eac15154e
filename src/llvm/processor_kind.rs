//! Kinds of processors, and what code generation counts on for each.
//!
//! A processor is of the first kind of its architecture whose feature it has. To make code for
//! one more architecture is to link LLVM's target (`dialects/cpp/Targets.cpp`) and to add its
//! kinds here.

use halo_ir::subtarget::Subtarget;

/// A kind of processor. All have pointers of 64 bits.
#[derive(Debug, PartialEq, Eq)]
pub struct ProcessorKind {
    /// The first part of its systems' names.
    pub architecture: &'static str,
    /// LLVM's names of the target.
    pub llvm_names: &'static [&'static str],
    /// The feature that its processors have; none for the last kind of an architecture.
    pub feature: Option<&'static str>,
    /// The width of its widest vectors, in bits.
    pub vector_bits: u32,
    /// How many vectors of that width its registers hold.
    pub vector_registers: u32,
    /// What LLVM's generic processor lacks, and every system of the architecture counts on.
    pub baseline_features: &'static str,
    /// Features with which LLVM converts f16 and bf16 without functions of a library.
    pub float16_features: &'static [&'static str],
}

const X86: ProcessorKind = ProcessorKind {
    architecture: "x86_64",
    llvm_names: &["x86-64"],
    feature: None,
    vector_bits: 128,
    vector_registers: 16,
    baseline_features: "",
    float16_features: &["f16c", "avx512bf16"],
};

const RISCV: ProcessorKind = ProcessorKind {
    architecture: "riscv64",
    llvm_names: &["riscv64"],
    feature: None,
    // Numbers one by one, in 32 registers.
    vector_bits: 128,
    vector_registers: 8,
    // RV64GC (RISC-V Unprivileged ISA, "RV32/64G Instruction Set Listings").
    baseline_features: "+m,+a,+f,+d,+c",
    float16_features: &["zfhmin", "zfbfmin"],
};

/// All kinds.
pub static KINDS: [ProcessorKind; 6] = [
    ProcessorKind {
        feature: Some("avx512f"),
        vector_bits: 512,
        vector_registers: 32,
        ..X86
    },
    ProcessorKind {
        feature: Some("avx"),
        vector_bits: 256,
        ..X86
    },
    X86,
    ProcessorKind {
        architecture: "aarch64",
        llvm_names: &["aarch64", "arm64"],
        feature: None,
        vector_bits: 128,
        vector_registers: 32,
        baseline_features: "",
        float16_features: &[],
    },
    ProcessorKind {
        feature: Some("v"),
        vector_registers: 32,
        ..RISCV
    },
    RISCV,
];

impl ProcessorKind {
    /// The kinds of LLVM's target of a name.
    pub fn of_target(name: &str) -> impl Iterator<Item = &'static Self> + use<'_> {
        KINDS
            .iter()
            .filter(move |kind| kind.llvm_names.contains(&name))
    }

    /// Whether a processor is of the kind, if it is of none before.
    pub fn has(&self, subtarget: &Subtarget) -> bool {
        self.feature.is_none_or(|feature| subtarget.has(feature))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_kind_of_an_architecture_is_any_processor() {
        for kind in &KINDS {
            let last = KINDS
                .iter()
                .rfind(|other| other.architecture == kind.architecture);
            assert_eq!(last.unwrap().feature, None, "{kind:?}");
        }
    }
}
