//! The rows of GPUs: the numbers about an architecture that decide kernels.
//!
//! Sources: "CC" is the CUDA C++ Programming Guide, "Compute Capabilities" (limits of a
//! multiprocessor and of a block, and arithmetic instructions per cycle); "WP" are NVIDIA's
//! architecture white papers, whose peaks are divided by multiprocessors and boost clock; "PTX" is
//! the PTX ISA. An architecture has several products: multiprocessors are of the largest one, rates
//! of the most common one.

/// The model of a GPU architecture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gpu {
    /// The vendor's name: `sm_90`.
    pub name: &'static str,
    /// The vendor, whose instructions kernels may use.
    pub vendor: Vendor,
    /// The feature of LLVM that is the first PTX version with the architecture.
    pub ptx: &'static str,
    /// Multiprocessors of the device.
    pub multiprocessors: i64,
    /// Warps that a multiprocessor holds.
    pub warps: i64,
    /// Registers of 32 bits of a multiprocessor.
    pub registers: i64,
    /// Bytes of shared memory of a multiprocessor.
    pub shared_memory: i64,
    /// Bytes of shared memory that the system takes for each block.
    pub reserved_shared_memory: i64,
    /// Bytes of shared memory that a block may have.
    pub block_shared_memory: i64,
    /// Bytes of shared memory that a multiprocessor reads in a cycle: 32 banks of 4 bytes (CC).
    pub shared_bandwidth: i64,
    /// Bytes that a multiprocessor reads from the L2 cache in a cycle, if all of them do (WP of
    /// A100: 5120 for the device; the same is assumed for others).
    pub l2_bandwidth: i64,
    /// Whether it has products of warpgroups, `wgmma`, and the tensor memory accelerator (PTX: both
    /// require `sm_90a`).
    pub has_wgmma: bool,
    /// Multiply-adds that a multiprocessor completes in a cycle.
    pub rates: Rates,
}

/// Multiply-adds per cycle, by type. Products on tensor cores have sums in f32, or i32.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// f32 on vector units.
    pub f32: i64,
    /// f64 on vector units.
    pub f64: i64,
    /// bf16 and f16 on tensor cores.
    pub tensor_16_bits: i64,
    /// TF32 on tensor cores.
    pub tensor_tf32: i64,
    /// f8 on tensor cores; zero without such instructions.
    pub tensor_f8: i64,
    /// i8 on tensor cores.
    pub tensor_i8: i64,
}

/// The vendor of a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vendor {
    /// Has tensor cores, asynchronous copies to shared memory and conversions to bf16 and TF32
    /// (PTX: `mma`, `cp.async` and `cvt` require `sm_80`).
    Nvidia,
    /// Kernels use none of these.
    Amd,
}

/// Bytes of shared memory that a kernel may declare; more is requested by the launch (CC).
pub const STATIC_SHARED_MEMORY: i64 = 48 << 10;

const K: i64 = 1 << 10;

/// A100 (WP "NVIDIA A100 Tensor Core GPU Architecture": 108 multiprocessors, 312 TFLOP/s of bf16,
/// 156 of TF32, 19.5 of f32, 9.7 of f64 at 1.41 GHz).
const SM_80: Gpu = Gpu {
    name: "sm_80",
    vendor: Vendor::Nvidia,
    ptx: "+ptx70",
    multiprocessors: 108,
    warps: 64,
    registers: 64 * K,
    shared_memory: 164 * K,
    reserved_shared_memory: K,
    block_shared_memory: 163 * K,
    shared_bandwidth: 128,
    l2_bandwidth: 47,
    has_wgmma: false,
    rates: Rates {
        f32: 64,
        f64: 32,
        tensor_16_bits: 1024,
        tensor_tf32: 512,
        tensor_f8: 0,
        tensor_i8: 2048,
    },
};

/// RTX 3090 Ti (WP "NVIDIA Ampere GA102 GPU Architecture": 84 multiprocessors; tensor cores with
/// sums in f32 have half of the rate).
const SM_86: Gpu = Gpu {
    name: "sm_86",
    ptx: "+ptx71",
    multiprocessors: 84,
    warps: 48,
    shared_memory: 100 * K,
    block_shared_memory: 99 * K,
    rates: Rates {
        f32: 128,
        f64: 2,
        tensor_16_bits: 256,
        tensor_tf32: 128,
        tensor_f8: 0,
        tensor_i8: 1024,
    },
    ..SM_80
};

/// RTX 4090 (WP "NVIDIA Ada GPU Architecture": 128 multiprocessors, 165 TFLOP/s of f16 with sums in
/// f32 and 82.6 of TF32 and f32 at 2.52 GHz).
const SM_89: Gpu = Gpu {
    name: "sm_89",
    ptx: "+ptx78",
    multiprocessors: 128,
    rates: Rates {
        tensor_f8: 512,
        ..SM_86.rates
    },
    ..SM_86
};

/// H100 SXM5 (WP "NVIDIA H100 Tensor Core GPU Architecture": 132 multiprocessors, 989 TFLOP/s of
/// bf16 and 66.9 of f32 at 1.83 GHz, by `wgmma`; `mma` has about 60 % of it).
const SM_90: Gpu = Gpu {
    name: "sm_90",
    ptx: "+ptx78",
    multiprocessors: 132,
    l2_bandwidth: 38,
    shared_memory: 228 * K,
    block_shared_memory: 227 * K,
    rates: Rates {
        f32: 128,
        f64: 64,
        tensor_16_bits: 2048,
        tensor_tf32: 1024,
        tensor_f8: 4096,
        tensor_i8: 4096,
    },
    ..SM_80
};

/// B200 (148 multiprocessors, "NVIDIA Blackwell Architecture Technical Brief"). The rates of `mma`
/// are estimates, equal to `sm_90`: the full rate needs `tcgen05`.
const SM_100: Gpu = Gpu {
    name: "sm_100",
    ptx: "+ptx86",
    multiprocessors: 148,
    ..SM_90
};

/// RTX 5090 (WP "NVIDIA RTX Blackwell GPU Architecture": 170 multiprocessors, 209.5 TFLOP/s of f16
/// with sums in f32, 104.8 of TF32 and f32 at 2.41 GHz).
const SM_120: Gpu = Gpu {
    name: "sm_120",
    ptx: "+ptx87",
    multiprocessors: 170,
    ..SM_89
};

/// CDNA and RDNA: 64 KB of local memory for a workgroup ("AMD Instinct MI200 Instruction Set
/// Architecture", "LDS"), 110 compute units of an MI250's die, 64 multiply-adds per cycle.
const AMD: Gpu = Gpu {
    name: "gfx90a",
    vendor: Vendor::Amd,
    ptx: "",
    multiprocessors: 110,
    warps: 32,
    registers: 128 * K,
    shared_memory: 64 * K,
    reserved_shared_memory: 0,
    block_shared_memory: 64 * K,
    shared_bandwidth: 128,
    l2_bandwidth: 47,
    has_wgmma: false,
    rates: Rates {
        f32: 64,
        f64: 64,
        tensor_16_bits: 0,
        tensor_tf32: 0,
        tensor_f8: 0,
        tensor_i8: 0,
    },
};

macro_rules! gpus {
    ($($name:literal = $like:ident { $($field:ident: $value:expr),* })*) => {
        /// All rows.
        pub static GPUS: &[Gpu] = &[$(Gpu { name: $name, $($field: $value,)* ..$like }),*];

        /// The names of all rows.
        pub const GPU_NAMES: &[&str] = &[$($name),*];
    };
}

gpus! {
    "sm_80" = SM_80 {}
    "sm_86" = SM_86 {}
    // Jetson AGX Orin: 16 multiprocessors, tensor cores with the full rate (CC; WP "Jetson AGX Orin
    // Series").
    "sm_87" = SM_86 {
        ptx: "+ptx74", multiprocessors: 16, shared_memory: 164 * K, block_shared_memory: 163 * K,
        rates: Rates { tensor_16_bits: 512, tensor_tf32: 256, ..SM_86.rates } }
    "sm_89" = SM_89 {}
    "sm_90" = SM_90 {}
    "sm_90a" = SM_90 { ptx: "+ptx80", has_wgmma: true }
    "sm_100" = SM_100 {}
    "sm_100a" = SM_100 {}
    // Jetson Thor: 20 multiprocessors (CC, NVIDIA Jetson Thor Series Modules Data Sheet).
    "sm_101" = SM_100 { multiprocessors: 20, warps: 48 }
    "sm_101a" = SM_100 { multiprocessors: 20, warps: 48 }
    // B300: units of f64 as on workstations (CC).
    "sm_103" = SM_100 { ptx: "+ptx88", rates: Rates { f64: 2, ..SM_100.rates } }
    "sm_103a" = SM_100 { ptx: "+ptx88", rates: Rates { f64: 2, ..SM_100.rates } }
    "sm_120" = SM_120 {}
    "sm_120a" = SM_120 {}
    // DGX Spark: 48 multiprocessors (NVIDIA DGX Spark User Guide).
    "sm_121" = SM_120 { ptx: "+ptx88", multiprocessors: 48 }
    "sm_121a" = SM_120 { ptx: "+ptx88", multiprocessors: 48 }
    // Compute units of MI100, MI250, MI300X, MI355X, and of the largest RDNA products (AMD's data
    // sheets).
    "gfx908" = AMD { multiprocessors: 120 }
    "gfx90a" = AMD {}
    "gfx942" = AMD { multiprocessors: 304 }
    "gfx950" = AMD { multiprocessors: 256, shared_memory: 160 * K }
    "gfx1030" = AMD { multiprocessors: 80 }
    "gfx1100" = AMD { multiprocessors: 96 }
    "gfx1101" = AMD { multiprocessors: 60 }
    "gfx1102" = AMD { multiprocessors: 32 }
    "gfx1151" = AMD { multiprocessors: 40 }
    "gfx1200" = AMD { multiprocessors: 32 }
    "gfx1201" = AMD { multiprocessors: 64 }
}

impl Gpu {
    /// The row of an architecture.
    pub fn parse(name: &str) -> Option<Self> {
        GPUS.iter().find(|gpu| gpu.name == name).copied()
    }

    /// Returns true if products may use tensor cores.
    pub fn has_tensor_cores(&self) -> bool {
        self.vendor == Vendor::Nvidia
    }

    /// Returns true if f32 products on vector units take less time than three TF32 products on
    /// tensor cores.
    pub fn prefers_vector_units(&self) -> bool {
        self.rates.f32 * 3 > self.rates.tensor_tf32
    }

    /// Blocks that keep the device busy: more work per block on three quarters of the
    /// multiprocessors takes less time than less work on all of them (estimate).
    pub fn busy_blocks(&self) -> i64 {
        self.multiprocessors * 3 / 4
    }

    /// Blocks that a multiprocessor holds, by their threads and bytes of shared memory.
    pub fn resident_blocks(&self, threads: i64, shared_memory: i64) -> i64 {
        let by_threads = self.warps * 32 / threads;
        let by_memory = self.shared_memory / (shared_memory + self.reserved_shared_memory);
        by_threads.min(by_memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_limits_in_order() {
        for (gpu, name) in GPUS.iter().zip(GPU_NAMES) {
            assert_eq!(Gpu::parse(name), Some(*gpu), "{name} is in two rows");
            assert!(
                STATIC_SHARED_MEMORY <= gpu.block_shared_memory
                    && gpu.block_shared_memory + gpu.reserved_shared_memory <= gpu.shared_memory,
                "expected limits of shared memory in order, got {gpu:?}"
            );
        }
        assert_eq!(Gpu::parse("sm_70"), None);
    }

    #[test]
    fn vector_units_suit_f32_on_workstations() {
        let preferring = GPUS.iter().filter(|gpu| gpu.prefers_vector_units());
        let names: Vec<&str> = preferring.map(|gpu| gpu.name).collect();
        let of_nvidia = [
            "sm_86", "sm_87", "sm_89", "sm_120", "sm_120a", "sm_121", "sm_121a",
        ];
        assert!(names.starts_with(&of_nvidia), "{names:?}");
        assert!(names[of_nvidia.len()..].iter().all(|name| name.starts_with("gfx")));
    }

    #[test]
    fn blocks_share_a_multiprocessor() {
        let resident = |name| Gpu::parse(name).map(|gpu| gpu.resident_blocks(256, 48 << 10));
        assert_eq!([resident("sm_80"), resident("sm_89")], [Some(3), Some(2)]);
    }
}
