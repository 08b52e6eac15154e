//! What the machine code of a kernel computes with, by the names of its instructions.
//!
//! A limit is one of an instruction: products of bf16 or of bytes have faster ones than those of
//! f32, and code with short vectors does not reach what long ones do.

use halo_runtime::compilation_record::{Arithmetic, Kernel};

/// What a kernel computes with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instructions {
    pub arithmetic: Arithmetic,
    /// The widest registers that it computes in, in bits; 0 if that is not known.
    pub bits: u32,
}

/// What the code of a kernel computes with; of code that is not known, f32.
pub fn of(kernel: &Kernel) -> Instructions {
    let mut found = Instructions::default();
    let mut doubles = 0_usize;
    let mut singles = 0_usize;
    for line in kernel.assembly.lines() {
        let mut words = line.split_whitespace();
        let Some(name) = words.next().map(|name| name.trim_start_matches("{vex}")) else {
            continue;
        };
        let operands = words.next().map_or("", |_| line);
        if !computes(name) {
            continue;
        }
        found.bits = found.bits.max(bits(operands));
        match kind(name, operands) {
            Arithmetic::F64 => doubles += 1,
            Arithmetic::F32 => singles += 1,
            kind => found.arithmetic = kind,
        }
    }
    if found.arithmetic == Arithmetic::F32 && doubles > singles {
        found.arithmetic = Arithmetic::F64;
    }
    found
}

/// How many instructions a loop has, and what they do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub all: usize,
    /// Arithmetic on numbers, whether an operand is in memory or not.
    pub computing: usize,
    /// Loads without arithmetic.
    pub reading: usize,
    /// Instructions that read memory, with arithmetic or without.
    pub loads: usize,
    /// Arithmetic that adds to its result, as products do.
    pub adding: usize,
}

impl Counts {
    /// Counts the instruction of a line, and returns its name and what follows it.
    pub fn add<'a>(&mut self, line: &'a str) -> Option<(&'a str, &'a str)> {
        let mut words = line.split_whitespace();
        let name = words.next().filter(|name| !name.starts_with(['.', '#']))?;
        self.all += 1;
        self.computing += usize::from(computes(name));
        let adds = ["vfmadd231", "vdp", "vpdp", "tdp"];
        self.adding += usize::from(adds.iter().any(|it| name.starts_with(it)));
        // The target is the last operand of an instruction of x86.
        let reads = line.contains('(') && !line.trim_end().ends_with(')');
        let moves = ["vmov", "vbroadcast", "mov"];
        let is_read = reads && moves.iter().any(|it| name.starts_with(it));
        self.reading += usize::from(is_read);
        self.loads += usize::from(is_read || reads && computes(name));
        Some((name, words.next().unwrap_or_default()))
    }
}

/// The instructions of the loop with the most products, or else the most arithmetic, among those
/// of x86 that have no other loop in them; `None` if there is none. If the code has as many loops
/// with the most products as there are in the IR, it is the one in the given place of them.
pub fn innermost(assembly: &str, (place, of_as_many): (usize, usize)) -> Option<Counts> {
    let mut begin = None;
    let mut best: Option<Counts> = None;
    let mut found: Vec<Counts> = Vec::new();
    let mut counts = Counts::default();
    for line in assembly.lines() {
        if let Some(label) = line.strip_suffix(':').filter(|it| !it.starts_with('\t')) {
            (begin, counts) = (Some(label), Counts::default());
            continue;
        }
        let Some((name, target)) = counts.add(line) else {
            continue;
        };
        let is_back = name.starts_with('j') && begin == Some(target);
        let key = |it: Counts| (it.adding, it.computing);
        let is_better = best.is_none_or(|best| key(best) < key(counts));
        if is_back && counts.computing > 0 {
            found.push(counts);
            if is_better {
                best = Some(counts);
            }
        }
    }
    found.retain(|it| best.is_some_and(|best| best.adding == it.adding));
    match found.len() == of_as_many {
        true => found.get(place).copied().or(best),
        false => best,
    }
}

/// Whether an instruction of x86 or of ARM does arithmetic on numbers.
fn computes(name: &str) -> bool {
    let vectors = [
        "vfm", "vfnm", "vadd", "vsub", "vmul", "vdiv", "vmax", "vmin", "vdp", "vpdp",
    ];
    let others = [
        "tdp", "mulps", "mulpd", "addps", "addpd", "subps", "subpd", "vpadd", "vpmul", "fmla",
        "fadd", "fmul", "fsub", "fmax", "fmin", "bfmmla", "bfdot", "smmla", "ummla", "sdot",
        "udot", "fmadd",
    ];
    vectors.iter().chain(&others).any(|it| name.starts_with(it))
}

fn kind(name: &str, operands: &str) -> Arithmetic {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    if starts(&["tdp", "bfmmla", "smmla", "ummla"]) {
        Arithmetic::Matrix
    } else if starts(&["vdpbf16", "bfdot"]) {
        Arithmetic::Bf16
    } else if starts(&["vpdp", "sdot", "udot"]) {
        Arithmetic::I8
    } else if name.ends_with("pd") || name.ends_with("sd") || operands.contains(".2d") {
        Arithmetic::F64
    } else {
        Arithmetic::F32
    }
}

fn bits(operands: &str) -> u32 {
    match operands {
        text if text.contains("zmm") => 512,
        text if text.contains("ymm") => 256,
        text if text.contains("xmm") || text.contains(".4s") || text.contains(".2d") => 128,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_text(assembly: &str) -> Instructions {
        of(&Kernel {
            assembly: assembly.to_owned(),
            ..Kernel::default()
        })
    }

    #[test]
    fn instructions_are_known_by_their_names() {
        let cases = [
            ("\tvfmadd231ps\t%zmm1, %zmm2, %zmm3\n", Arithmetic::F32, 512),
            (
                "\tvmulpd\t%ymm1, %ymm2, %ymm3\n\tvmovups\t%zmm0, (%rdi)\n",
                Arithmetic::F64,
                256,
            ),
            (
                "\tvdpbf16ps\t%zmm1, %zmm2, %zmm3\n\tvaddps\t%zmm1, %zmm1, %zmm1\n",
                Arithmetic::Bf16,
                512,
            ),
            ("\tvpdpbusd\t%ymm1, %ymm2, %ymm3\n", Arithmetic::I8, 256),
            ("\ttdpbf16ps\t%tmm1, %tmm2, %tmm3\n", Arithmetic::Matrix, 0),
            ("\tfmla\tv0.4s, v1.4s, v2.4s\n", Arithmetic::F32, 128),
            ("\tmovq\t%rax, %rbx\n", Arithmetic::F32, 0),
        ];
        for (assembly, arithmetic, bits) in cases {
            assert_eq!(
                of_text(assembly),
                Instructions { arithmetic, bits },
                "{assembly}"
            );
        }
    }

    #[test]
    fn instructions_of_the_innermost_loop_are_counted() {
        let assembly = "\
k:
\tpushq\t%rbp
.LBB0_1:
\tvmovups\t(%rax), %zmm0
\tvmovups\t%zmm0, (%rdx)
\tjl\t.LBB0_1
.LBB0_2:
\tvmovups\t(%rax), %zmm16
\tvbroadcastss\t(%r12,%rdx,4), %zmm18
\tvfmadd231ps\t%zmm16, %zmm18, %zmm14
\tvfmadd231ps\t(%rax), %zmm18, %zmm15
\tincq\t%rdx
\tjl\t.LBB0_2
\tvaddps\t%zmm16, %zmm18, %zmm14
\tretq
";
        let expected = Counts {
            all: 6,
            computing: 2,
            reading: 2,
            loads: 3,
            adding: 2,
        };
        assert_eq!(innermost(assembly, (0, 1)), Some(expected));
        assert_eq!(innermost("k:\n\tretq\n", (0, 1)), None);
        // Another loop with as many products, which has one instruction less.
        let second = assembly
            .replace("\tincq\t%rdx\n", "")
            .replace("LBB0_", "LBB1_");
        let both = format!("{assembly}{second}");
        let all = |which| innermost(&both, which).map(|it| it.all);
        assert_eq!(
            [all((0, 2)), all((1, 2)), all((1, 3))],
            [Some(6), Some(5), Some(6)]
        );
    }
}
