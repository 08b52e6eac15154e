//! The rows of the machine model.
//!
//! A row has LLVM's names of the kind, the row that it resembles, and the numbers that differ.
//! Sizes of caches are in bytes, as the vendor documents them. `docs/backends.md`, "Adding a CPU
//! kind", explains how to find the numbers.

use super::{Cache, Machine};

const K: i64 = 1 << 10;
const M: i64 = 1 << 20;

/// A cache of one core.
const fn own(bytes: i64) -> Cache {
    Cache { bytes, cores: 1 }
}

/// A cache of several cores.
const fn shared(bytes: i64, cores: i64) -> Cache {
    Cache { bytes, cores }
}

/// Any CPU of x86-64.
///
/// Sources of its numbers, and of the numbers that other rows inherit:
/// - cores: two, the fewest for which divisions matter. A named kind has the cores that share its
///   last cache, or 16 if all cores of a server do (estimate).
/// - last cache: 30 MiB, as for 16 cores of Sapphire Rapids (estimate).
/// - bandwidth, clock and issue: measured on one core of a fourth-generation AMD EPYC, and within
///   a factor of two of other servers.
/// - woken, awake: measured by `src/runtime/benches/thread_pool.rs`. A caller needs 7 us to wake
///   a thread, which starts after 15 us; a loop on awake threads costs less than 1 us.
/// - fetched: estimate.
pub const X86_64: Machine = Machine {
    names: &["x86-64"],
    vector_bits: 128,
    vector_registers: 16,
    sve_bits: None,
    streaming_bits: None,
    cores: 2,
    caches: [own(32 * K), own(512 * K), shared(30 * M, 16)],
    bandwidth: [40.0, 20.0, 10.0],
    fetched: 2.0,
    clock: 3.0,
    issue: 2.0,
    woken: 15_000.0,
    awake: 5_000.0,
};

/// Any CPU with AVX.
pub const X86_64_V3: Machine = Machine {
    names: &["x86-64-v3"],
    vector_bits: 256,
    ..X86_64
};

/// Any CPU with AVX-512.
pub const X86_64_V4: Machine = Machine {
    names: &["x86-64-v4"],
    vector_bits: 512,
    vector_registers: 32,
    caches: [own(32 * K), own(M), shared(30 * M, 16)],
    ..X86_64
};

/// Any CPU of ARM64, with the vectors of NEON.
pub const AARCH64: Machine = Machine {
    names: &["aarch64"],
    vector_registers: 32,
    ..X86_64
};

/// Any CPU of RISC-V: scalar code, with eight sums in 32 registers.
pub const RISCV64: Machine = Machine {
    names: &["riscv64"],
    vector_registers: 8,
    ..X86_64
};

/// Any CPU of RISC-V with vectors.
pub const RISCV64_V: Machine = Machine {
    names: &["riscv64-v"],
    vector_registers: 32,
    ..X86_64
};

macro_rules! kinds {
    ($($($name:literal)|+ = $like:ident { $($field:ident: $value:expr),* })*) => {
        &[$(Machine { names: &[$($name),+], $($field: $value,)* ..$like }),*]
    };
}

/// All rows: first the rows of any CPU with certain features.
pub static KINDS: &[Machine] = kinds! {
    "x86-64" | "x86-64-v2" = X86_64 {}
    "x86-64-v3" = X86_64_V3 {}
    "x86-64-v4" = X86_64_V4 {}
    "aarch64" = AARCH64 {}
    "riscv64" = RISCV64 {}
    "riscv64-v" = RISCV64_V {}
    // Intel 64 and IA-32 Architectures Optimization Reference Manual, chapters on the
    // microarchitectures. The last cache is 16 slices of one core on servers.
    "haswell" | "broadwell" | "core-avx2" = X86_64_V3 {
        cores: 16, caches: [own(32 * K), own(256 * K), shared(40 * M, 16)] }
    "skylake" = X86_64_V3 { cores: 4, caches: [own(32 * K), own(256 * K), shared(8 * M, 4)] }
    "skylake-avx512" | "cascadelake" | "cooperlake" | "skx" = X86_64_V4 {
        cores: 16, caches: [own(32 * K), own(M), shared(22 * M, 16)] }
    "icelake-server" = X86_64_V4 {
        cores: 16, caches: [own(48 * K), own(1280 * K), shared(24 * M, 16)] }
    "alderlake" | "raptorlake" = X86_64_V3 {
        cores: 8, caches: [own(48 * K), own(1280 * K), shared(24 * M, 8)] }
    "sapphirerapids" | "emeraldrapids" | "graniterapids" | "graniterapids-d" | "diamondrapids"
        = X86_64_V4 {
        cores: 16, caches: [own(48 * K), own(2 * M), shared(30 * M, 16)] }
    // AMD Software Optimization Guides for families 17h (Zen, Zen 2), 19h (Zen 3, Zen 4) and
    // 1Ah (Zen 5), "Cache". The last cache belongs to a core complex.
    "znver1" = X86_64_V3 { cores: 4, caches: [own(32 * K), own(512 * K), shared(8 * M, 4)] }
    "znver2" = X86_64_V3 { cores: 4, caches: [own(32 * K), own(512 * K), shared(16 * M, 4)] }
    "znver3" = X86_64_V3 { cores: 8, caches: [own(32 * K), own(512 * K), shared(32 * M, 8)] }
    "znver4" = X86_64_V4 { cores: 8, caches: [own(32 * K), own(M), shared(32 * M, 8)] }
    "znver5" = X86_64_V4 { cores: 8, caches: [own(48 * K), own(M), shared(32 * M, 8)] }
    // Arm Neoverse Technical Reference Manuals, "L1 data memory system" and "L2 memory system",
    // which permits several sizes; last cache: estimate. Vectors of V1: its Software
    // Optimization Guide.
    "neoverse-n1" | "neoverse-n2" | "neoverse-v2" | "grace" = AARCH64 {
        cores: 16, caches: [own(64 * K), own(M), shared(30 * M, 16)] }
    "neoverse-v1" = AARCH64 {
        cores: 16, caches: [own(64 * K), own(M), shared(30 * M, 16)],
        vector_bits: 256, sve_bits: Some(256) }
    // Arm Cortex-A72 Technical Reference Manual: 512 KiB to 4 MiB for up to four cores.
    "cortex-a72" = AARCH64 { cores: 4, caches: [own(32 * K), shared(M, 4), shared(M, 4)] }
    // A64FX Microarchitecture Manual, "Cache": a core memory group shares the last cache.
    "a64fx" = AARCH64 {
        cores: 12, caches: [own(64 * K), shared(8 * M, 12), shared(8 * M, 12)],
        vector_bits: 512, sve_bits: Some(512) }
    // Vectors: LLVM. Caches: estimate.
    "fujitsu-monaka" = AARCH64 {
        cores: 16, caches: [own(64 * K), own(512 * K), shared(30 * M, 16)],
        vector_bits: 256, sve_bits: Some(256) }
    // `sysctl hw.perflevel0`: l1dcachesize, l2cachesize, cpusperl2, physicalcpu, and
    // `hw.optional.arm.sme_max_svl_b`. Cores are the fast ones.
    "apple-m1" = AARCH64 { cores: 4, caches: [own(128 * K), shared(12 * M, 4), shared(12 * M, 4)] }
    "apple-m4" = AARCH64 {
        cores: 4, caches: [own(128 * K), shared(16 * M, 4), shared(16 * M, 4)],
        streaming_bits: Some(512) }
    "apple-a18" = AARCH64 {
        cores: 2, caches: [own(128 * K), shared(8 * M, 2), shared(8 * M, 2)],
        streaming_bits: Some(512) }
    // SiFive U74-MC Core Complex Manual, "Memory system".
    "sifive-u74" = RISCV64 { cores: 4, caches: [own(32 * K), shared(2 * M, 4), shared(2 * M, 4)] }
};
