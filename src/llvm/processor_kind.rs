//! Processor models, with the properties that code generation uses.
//!
//! A processor is described by the first model of its architecture whose features it has. To
//! support another architecture, link LLVM's target (`dialects/cpp/codegen/Targets.cpp`) and add its models
//! here.

use halo_ir::subtarget::Subtarget;

/// A processor model. All have 64-bit pointers.
#[derive(Debug, PartialEq, Eq)]
pub struct ProcessorKind {
    /// The first component of its triples.
    pub architecture: &'static str,
    /// LLVM's names of the target.
    pub llvm_names: &'static [&'static str],
    /// The features of its processors; empty for the last model of an architecture.
    pub features: &'static [&'static str],
    /// For code that requires the length of SVE registers to equal the length of its vectors: the
    /// processors, by LLVM's names, that have this length.
    pub sve_processors: Option<&'static [&'static str]>,
    /// The width of its widest vectors in bits.
    pub vector_bits: u32,
    /// The number of registers for vectors of that width.
    pub vector_registers: u32,
    /// Bytes that the first and the second cache of a core have at least.
    pub first_cache: u32,
    pub second_cache: u32,
    /// Features that LLVM's generic processor lacks, but every system of the architecture has.
    pub baseline_features: &'static str,
    /// Features with which LLVM converts f16 and bf16 without functions of a library.
    pub float16_features: &'static [&'static str],
}

const X86: ProcessorKind = ProcessorKind {
    architecture: "x86_64",
    llvm_names: &["x86-64"],
    features: &[],
    sve_processors: None,
    vector_bits: 128,
    vector_registers: 16,
    first_cache: 32 << 10,
    second_cache: 512 << 10,
    baseline_features: "",
    float16_features: &["f16c", "avx512bf16"],
};

const AVX512: ProcessorKind = ProcessorKind {
    features: &["avx512f"],
    vector_bits: 512,
    vector_registers: 32,
    second_cache: 1 << 20,
    ..X86
};

const RISCV: ProcessorKind = ProcessorKind {
    architecture: "riscv64",
    llvm_names: &["riscv64"],
    features: &[],
    sve_processors: None,
    // Scalar code, in 32 registers.
    vector_bits: 128,
    vector_registers: 8,
    first_cache: 32 << 10,
    second_cache: 512 << 10,
    // RV64GC (RISC-V Unprivileged ISA, "RV32/64G Instruction Set Listings").
    baseline_features: "+m,+a,+f,+d,+c",
    float16_features: &["zfhmin", "zfbfmin"],
};

/// Sapphire Rapids and later (Intel 64 and IA-32 Architectures Optimization Reference Manual,
/// "Golden Cove Microarchitecture").
const AVX512_FP16: ProcessorKind = ProcessorKind {
    features: &["avx512fp16"],
    first_cache: 48 << 10,
    second_cache: 2 << 20,
    ..AVX512
};

const ARM64: ProcessorKind = ProcessorKind {
    architecture: "aarch64",
    llvm_names: &["aarch64", "arm64"],
    features: &[],
    sve_processors: None,
    vector_bits: 128,
    vector_registers: 32,
    first_cache: 32 << 10,
    second_cache: 512 << 10,
    baseline_features: "",
    float16_features: &[],
};

/// SVE registers of known length. A processor whose length is 128 or unknown has the vectors of
/// NEON. The caches are from A64FX (A64FX Microarchitecture Manual, "Cache") and Neoverse V1 (Arm
/// Neoverse V1 Core Technical Reference Manual, "L1 data memory system").
const SVE: ProcessorKind = ProcessorKind {
    features: &["sve"],
    first_cache: 64 << 10,
    ..ARM64
};

/// Processors, by LLVM's names, whose vectors have a known length in SME's streaming mode, in bits.
/// Apple reports the length of M4 as `hw.optional.arm.sme_max_svl_b`.
const STREAMING_BITS: [(&str, u32); 2] = [("apple-a18", 512), ("apple-m4", 512)];

/// All kinds.
pub static KINDS: [ProcessorKind; 10] = [
    ProcessorKind {
        features: &["amx-tile", "avx512f"],
        ..AVX512_FP16
    },
    AVX512_FP16,
    AVX512,
    ProcessorKind {
        features: &["avx"],
        vector_bits: 256,
        ..X86
    },
    X86,
    ProcessorKind {
        sve_processors: Some(&["a64fx"]),
        vector_bits: 512,
        ..SVE
    },
    ProcessorKind {
        sve_processors: Some(&["fujitsu-monaka", "neoverse-v1"]),
        vector_bits: 256,
        ..SVE
    },
    ARM64,
    ProcessorKind {
        features: &["v"],
        vector_registers: 32,
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
        let has_length = self.sve_bits().is_none() || self.sve_bits() == sve_bits;
        has_length && self.features.iter().all(|feature| subtarget.has(feature))
    }

    /// The length of registers of SVE that code counts on, in bits.
    pub fn sve_bits(&self) -> Option<u32> {
        self.sve_processors.map(|_| self.vector_bits)
    }

    /// The length of a processor's SVE registers, if the table has it.
    pub fn sve_bits_of(processor: &str) -> Option<u32> {
        let is_of = |kind: &&Self| {
            let mut known = kind.sve_processors.iter().copied().flatten();
            known.any(|name| *name == processor)
        };
        KINDS.iter().find(is_of).map(|kind| kind.vector_bits)
    }

    /// The vector length of a processor in SME's streaming mode, if known.
    pub fn streaming_bits_of(processor: &str) -> Option<u32> {
        let mut known = STREAMING_BITS.iter();
        known.find(|(name, _)| *name == processor).map(|(_, bits)| *bits)
    }

    /// The processors whose vectors have a known length in streaming mode, with the length.
    pub fn streaming_processors() -> impl Iterator<Item = (&'static str, u32)> {
        STREAMING_BITS.into_iter()
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
