//! Loops of the fastest instructions of this processor.

use crate::compilation_record::Arithmetic as Kind;

/// A loop of one kind of arithmetic.
pub struct Arithmetic {
    pub kind: Kind,
    /// The instruction, as assemblers write it.
    pub instruction: &'static str,
    /// The operations of an iteration.
    pub flops: u64,
    /// Its features are there.
    run: unsafe fn(u64),
}

impl Arithmetic {
    /// Runs so many iterations.
    pub fn run(&self, iterations: u64) {
        // SAFETY: `arithmetic` has only the loops whose features this processor has. They
        // change no memory, and iterate at least once.
        unsafe { (self.run)(iterations.max(1)) }
    }
}

/// A loop of loads.
#[derive(Clone, Copy)]
pub struct Reads(unsafe fn(*const u64, *const u64));

impl Reads {
    /// How many bytes an iteration reads.
    pub const STEP: usize = 512;

    /// Reads a block so many times. What is behind its last whole step is not read.
    pub fn run(self, block: &[u64], times: u64) {
        let length = size_of_val(block) / Self::STEP * Self::STEP / size_of::<u64>();
        if length == 0 {
            return;
        }
        for _ in 0..times {
            let range = block[..length].as_ptr_range();
            // SAFETY: the loop reads whole steps of the block, of which there is one at least;
            // `reads` has only the one whose features this processor has.
            unsafe { (self.0)(range.start, range.end) }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod native {
    use super::{Arithmetic, Kind, Reads};
    use std::arch::{asm, is_x86_feature_detected as has};

    /// Sixteen sums in registers of 512 bits: two units of a latency of four need eight.
    macro_rules! wide {
        ($name:ident, $instruction:literal) => {
            unsafe fn $name(iterations: u64) {
                // SAFETY: the caller has checked the feature; only registers are changed, all of
                // which are declared.
                unsafe {
                    asm!(
                        ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,30,31",
                        "vpxord zmm\\i, zmm\\i, zmm\\i",
                        ".endr",
                        "2:",
                        ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
                        concat!($instruction, " zmm\\i, zmm30, zmm31"),
                        ".endr",
                        "dec rcx",
                        "jnz 2b",
                        "vzeroupper",
                        inout("rcx") iterations => _,
                        clobber_abi("sysv64"),
                        options(nomem, nostack),
                    );
                }
            }
        };
    }

    /// Twelve sums in registers of 256 bits.
    macro_rules! middle {
        ($name:ident, $instruction:literal) => {
            unsafe fn $name(iterations: u64) {
                // SAFETY: as above.
                unsafe {
                    asm!(
                        ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,14,15",
                        "vxorps ymm\\i, ymm\\i, ymm\\i",
                        ".endr",
                        "2:",
                        ".irp i,0,1,2,3,4,5,6,7,8,9,10,11",
                        concat!($instruction, " ymm\\i, ymm14, ymm15"),
                        ".endr",
                        "dec rcx",
                        "jnz 2b",
                        "vzeroupper",
                        inout("rcx") iterations => _,
                        clobber_abi("sysv64"),
                        options(nomem, nostack),
                    );
                }
            }
        };
    }

    /// Multiplications and additions in registers of 128 bits, eight of each.
    macro_rules! narrow {
        ($name:ident, $multiply:literal, $add:literal) => {
            unsafe fn $name(iterations: u64) {
                // SAFETY: as above; every x86-64 has these.
                unsafe {
                    asm!(
                        ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
                        "xorps xmm\\i, xmm\\i",
                        ".endr",
                        "2:",
                        ".irp i,0,1,2,3,4,5,6,7",
                        concat!($add, " xmm\\i, xmm\\i"),
                        ".endr",
                        ".irp i,8,9,10,11,12,13,14,15",
                        concat!($multiply, " xmm\\i, xmm\\i"),
                        ".endr",
                        "dec rcx",
                        "jnz 2b",
                        inout("rcx") iterations => _,
                        clobber_abi("sysv64"),
                        options(nomem, nostack),
                    );
                }
            }
        };
    }

    wide!(f32_wide, "vfmadd231ps");
    wide!(f64_wide, "vfmadd231pd");
    wide!(bf16_wide, "vdpbf16ps");
    wide!(i8_wide, "vpdpbusd");
    middle!(f32_middle, "vfmadd231ps");
    middle!(f64_middle, "vfmadd231pd");
    middle!(i8_middle, "{{vex}} vpdpbusd");
    narrow!(f32_narrow, "mulps", "addps");
    narrow!(f64_narrow, "mulpd", "addpd");

    /// Reads whole steps, by eight loads of 64 bytes or more loads of fewer.
    macro_rules! reads {
        ($name:ident, $places:literal, $load:literal, $after:literal) => {
            unsafe fn $name(begin: *const u64, end: *const u64) {
                // SAFETY: the caller has checked the feature, and that the block is one or
                // more whole steps; memory is only read.
                unsafe {
                    asm!(
                        "2:",
                        $places,
                        $load,
                        ".endr",
                        "add rdi, 512",
                        "cmp rdi, rsi",
                        "jb 2b",
                        $after,
                        inout("rdi") begin => _,
                        inout("rsi") end => _,
                        clobber_abi("sysv64"),
                        options(readonly, nostack),
                    );
                }
            }
        };
    }

    reads!(
        read_wide,
        ".irp i,0,1,2,3,4,5,6,7",
        "vmovups zmm\\i, [rdi + 64 * \\i]",
        "vzeroupper"
    );
    reads!(
        read_middle,
        ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
        "vmovups ymm\\i, [rdi + 32 * \\i]",
        "vzeroupper"
    );
    reads!(
        read_narrow,
        ".irp i,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
        "movups xmm0, [rdi + 16 * \\i]",
        ""
    );

    fn of(kind: Kind, instruction: &'static str, flops: u64, run: unsafe fn(u64)) -> Arithmetic {
        Arithmetic {
            kind,
            instruction,
            flops,
            run,
        }
    }

    pub fn arithmetic() -> Vec<Arithmetic> {
        // An instruction has so many lanes, with a multiplication and an addition in each; the
        // number behind is how many there are in an iteration.
        let mut all = if has!("avx512f") {
            vec![
                of(Kind::F32, "vfmadd231ps zmm", 16 * 2 * 16, f32_wide),
                of(Kind::F64, "vfmadd231pd zmm", 8 * 2 * 16, f64_wide),
            ]
        } else if has!("avx2") && has!("fma") {
            vec![
                of(Kind::F32, "vfmadd231ps ymm", 8 * 2 * 12, f32_middle),
                of(Kind::F64, "vfmadd231pd ymm", 4 * 2 * 12, f64_middle),
            ]
        } else {
            vec![
                of(Kind::F32, "mulps, addps xmm", 4 * 16, f32_narrow),
                of(Kind::F64, "mulpd, addpd xmm", 2 * 16, f64_narrow),
            ]
        };
        if has!("avx512bf16") {
            all.push(of(Kind::Bf16, "vdpbf16ps zmm", 32 * 2 * 16, bf16_wide));
        }
        if has!("avx512vnni") {
            all.push(of(Kind::I8, "vpdpbusd zmm", 64 * 2 * 16, i8_wide));
        } else if has!("avxvnni") {
            all.push(of(Kind::I8, "vpdpbusd ymm", 32 * 2 * 12, i8_middle));
        }
        all
    }

    pub fn reads() -> Reads {
        Reads(if has!("avx512f") {
            read_wide
        } else if has!("avx2") {
            read_middle
        } else {
            read_narrow
        })
    }
}

#[cfg(target_arch = "aarch64")]
mod native {
    use super::{Arithmetic, Kind, Reads};
    use std::arch::asm;

    /// Twenty sums in registers of 128 bits: four units of a latency of four need sixteen.
    macro_rules! sums {
        ($name:ident, $lanes:literal) => {
            unsafe fn $name(iterations: u64) {
                // SAFETY: every AArch64 has these; only registers are changed, all of which are
                // declared.
                unsafe {
                    asm!(
                        ".irp i,0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23,24,25,26,27,30,31",
                        "movi v\\i\\().2d, #0",
                        ".endr",
                        "2:",
                        ".irp i,0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23,24,25,26,27",
                        concat!("fmla v\\i\\().", $lanes, ", v30.", $lanes, ", v31.", $lanes),
                        ".endr",
                        "subs x9, x9, #1",
                        "b.ne 2b",
                        inout("x9") iterations => _,
                        clobber_abi("C"),
                        options(nomem, nostack),
                    );
                }
            }
        };
    }

    sums!(f32_sums, "4s");
    sums!(f64_sums, "2d");

    unsafe fn read_pairs(begin: *const u64, end: *const u64) {
        // SAFETY: the caller has checked that the block is one or more whole steps; memory is
        // only read.
        unsafe {
            asm!(
                "2:",
                ".rept 16",
                "ldp q0, q1, [x9], #32",
                ".endr",
                "cmp x9, x10",
                "b.lo 2b",
                inout("x9") begin => _,
                inout("x10") end => _,
                clobber_abi("C"),
                options(readonly, nostack),
            );
        }
    }

    pub fn arithmetic() -> Vec<Arithmetic> {
        vec![
            Arithmetic {
                kind: Kind::F32,
                instruction: "fmla 4s",
                flops: 4 * 2 * 20,
                run: f32_sums,
            },
            Arithmetic {
                kind: Kind::F64,
                instruction: "fmla 2d",
                flops: 2 * 2 * 20,
                run: f64_sums,
            },
        ]
    }

    pub fn reads() -> Reads {
        Reads(read_pairs)
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod native {
    use super::{Arithmetic, Reads};
    use std::hint::black_box;

    unsafe fn read_words(begin: *const u64, end: *const u64) {
        // SAFETY: the caller gives the ends of one block, of whole steps.
        let words = unsafe {
            let length = usize::try_from(end.offset_from(begin)).unwrap_or(0);
            std::slice::from_raw_parts(begin, length)
        };
        black_box(words.iter().fold(0_u64, |sum, word| sum ^ word));
    }

    pub fn arithmetic() -> Vec<Arithmetic> {
        Vec::new()
    }

    pub fn reads() -> Reads {
        Reads(read_words)
    }
}

pub use native::{arithmetic, reads};
