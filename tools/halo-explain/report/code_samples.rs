//! Where threads were found in the machine code of a kernel: how much of its time each loop has.
//!
//! Assembly has a label for each block that a branch goes to. A loop is from a label to the last
//! branch back to it:
//!
//! ```text
//! main_kernel_0:
//! .LBB0_3:                      # a loop
//!     ...
//! .LBB0_4:                      # one within it
//!     vfmadd231ps ...
//!     jb .LBB0_4
//!     jb .LBB0_3
//! ```

use super::{format, instructions::Counts};
use halo_runtime::compilation_record::{BlockSamples, Kernel};

/// So many samples are needed to tell of parts of the time.
const LEAST_SAMPLES: u64 = 50;
/// Loops with less of the time are not told, in tenths of a percent.
const LEAST: i64 = 30;

/// A block of assembly.
#[derive(Clone, Debug, Default)]
struct Block<'a> {
    function: &'a str,
    /// Empty for the first block of a function.
    label: &'a str,
    number: u32,
    /// The place of the loop in [`loops`] that has it and no loop within that.
    innermost: Option<usize>,
    counts: Counts,
    /// Those up to the last branch back to its own label: what follows is behind the loop.
    of_loop: Option<Counts>,
    samples: u64,
}

/// A loop: its first and its last block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Loop {
    first: usize,
    last: usize,
}

/// A loop with what it has of the samples of a kernel's code, without loops within it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct HotLoop<'a> {
    label: &'a str,
    /// The part of all samples.
    share: f64,
    counts: Counts,
}

/// The loops of a kernel's code, those with the most samples first, and how many samples there are;
/// `None` if too little is known.
fn hot_loops(kernel: &Kernel) -> Option<(Vec<HotLoop<'_>>, u64)> {
    let all: u64 = kernel.samples.iter().map(|it| it.count).sum();
    if all < LEAST_SAMPLES {
        return None;
    }
    let (blocks, loops) = blocks(&kernel.assembly, &kernel.samples);
    let known: u64 = blocks.iter().map(|block| block.samples).sum();
    if known < all {
        // Where blocks are missing, the code that ran is another one than the text.
        return None;
    }
    let hot = loops.iter().enumerate().map(|(number, of)| {
        let mut counts = Counts::default();
        let mut samples = 0;
        for block in blocks.iter().filter(|it| it.innermost == Some(number)) {
            let in_loop = block.of_loop.unwrap_or(block.counts);
            counts.all += in_loop.all;
            counts.computing += in_loop.computing;
            samples += block.samples;
        }
        HotLoop {
            label: blocks[of.first].label,
            share: samples as f64 / all as f64,
            counts,
        }
    });
    let mut hot: Vec<HotLoop<'_>> = hot.collect();
    hot.sort_by(|one, other| other.share.total_cmp(&one.share));
    Some((hot, all))
}

/// Where the time of a kernel's code is, in a sentence; `None` if too little is known of it.
pub fn sentence(kernel: &Kernel) -> Option<String> {
    let (mut hot, all) = hot_loops(kernel)?;
    hot.retain(|it| format::tenths(it.share) >= LEAST);
    let told: i64 = hot.iter().map(|it| format::tenths(it.share)).sum();
    let parts = hot.iter().map(|it| {
        let what = match it.counts.computing {
            0 => "computes nothing".to_owned(),
            1 => "has 1 that computes".to_owned(),
            some => format!("has {some} that compute"),
        };
        format!(
            "{} in {}, which {what} among {}",
            format::percent(format::tenths(it.share)),
            it.label,
            format::plural(it.counts.all, "instruction")
        )
    });
    let mut parts: Vec<String> = parts.collect();
    if told < 1000 {
        parts.push(format!("{} elsewhere", format::percent(1000 - told)));
    }
    Some(format!(
        "Of {} times that a thread was found in its code, it was, in loops without those within them: {}. Shares of so many are right within about {}, and limits of the machine within a few percent.",
        format::count(all),
        parts.join("; "),
        // Twice the standard error of a half.
        format::share(1.0 / (all as f64).sqrt(), 1.0)
    ))
}

/// Loops of a kernel that compute nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct WithoutArithmetic<'a> {
    /// The part of the kernel's time in all of them, and in those with much of it.
    pub share: f64,
    pub much: f64,
    /// The labels of those with much of it.
    pub labels: Vec<&'a str>,
}

/// The loops of a kernel that compute nothing; `None` if that is not known.
pub fn without_arithmetic(kernel: &Kernel) -> Option<WithoutArithmetic<'_>> {
    let (hot, _) = hot_loops(kernel)?;
    let idle = hot.iter().filter(|it| it.counts.computing == 0);
    let told = idle.clone().filter(|it| format::tenths(it.share) >= LEAST);
    let mut labels: Vec<&str> = told.clone().map(|it| it.label).collect();
    let has_others = idle.clone().filter(|it| it.share > 0.0).count() > labels.len();
    if has_others && !labels.is_empty() {
        labels.push("smaller ones");
    }
    Some(WithoutArithmetic {
        share: idle.map(|it| it.share).sum(),
        much: told.map(|it| it.share).sum(),
        labels,
    })
}

/// The blocks of assembly, with the samples of each, and the loops that they are in.
fn blocks<'a>(assembly: &'a str, samples: &[BlockSamples]) -> (Vec<Block<'a>>, Vec<Loop>) {
    let mut blocks: Vec<Block<'a>> = Vec::new();
    let mut jumps: Vec<(usize, &str)> = Vec::new();
    let mut function = "";
    for line in assembly.lines() {
        let label = line.split(':').next().unwrap_or_default();
        let is_label = label.len() < line.len() && !line.starts_with([' ', '\t', '#']);
        if is_label {
            let number = BlockSamples::block_of(label);
            if number.is_none() && label.starts_with('.') {
                continue;
            }
            if number.is_none() {
                function = label;
            }
            blocks.push(Block {
                function,
                label,
                number: number.unwrap_or(0),
                ..Block::default()
            });
            continue;
        }
        let place = blocks.len().wrapping_sub(1);
        let Some(block) = blocks.last_mut() else {
            continue;
        };
        if let Some((_, operands)) = block.counts.add(line) {
            let target = line.split_whitespace().last().unwrap_or(operands);
            if target == block.label {
                block.of_loop = Some(block.counts);
            }
            if BlockSamples::block_of(target).is_some() {
                jumps.push((place, target));
            }
        }
    }
    for sample in samples {
        let is_it = |block: &&mut Block<'_>| {
            let function = block.function;
            let is_function = function == sample.function
                || function.strip_prefix('_') == Some(&sample.function[..]);
            is_function && block.number == sample.block
        };
        if let Some(block) = blocks.iter_mut().find(is_it) {
            block.samples += sample.count;
        }
    }
    let mut loops: Vec<Loop> = Vec::new();
    for (last, target) in jumps {
        let first = blocks[..=last]
            .iter()
            .rposition(|block| block.label == target);
        let Some(first) = first else {
            continue;
        };
        match loops.iter_mut().find(|it| it.first == first) {
            Some(known) => known.last = known.last.max(last),
            None => loops.push(Loop { first, last }),
        }
    }
    for (place, block) in blocks.iter_mut().enumerate() {
        let around = loops.iter().enumerate();
        let around = around.filter(|(_, it)| (it.first..=it.last).contains(&place));
        block.innermost = around
            .min_by_key(|(_, it)| it.last - it.first)
            .map(|(it, _)| it);
    }
    (blocks, loops)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASSEMBLY: &str = "\
main_kernel_0:
\tpushq\t%rbp
.LBB0_1:
\tmovq\t%rax, %rbx
.LBB0_2:
\tvmovups\t(%rdi), %zmm0
\tvmovups\t%zmm0, (%rsi)
\tjb\t.LBB0_2
.LBB0_4:
\tvmovups\t(%rdi), %zmm0
\tvfmadd231ps\t%zmm1, %zmm0, %zmm3
\tvfmadd231ps\t%zmm2, %zmm0, %zmm4
\tjb\t.LBB0_4
\tjb\t.LBB0_1
.Lfunc_end0:
\tretq
main_kernel_0__part:
\tretq
";

    fn kernel(samples: &[(&str, u32, u64)]) -> Kernel {
        let samples = samples.iter().map(|(function, block, count)| BlockSamples {
            function: (*function).to_owned(),
            block: *block,
            count: *count,
        });
        Kernel {
            assembly: ASSEMBLY.to_owned(),
            samples: samples.collect(),
            ..Kernel::default()
        }
    }

    #[test]
    fn loops_have_the_samples_of_their_blocks() {
        let own = "main_kernel_0";
        let kernel = kernel(&[
            (own, 1, 20),
            (own, 2, 250),
            (own, 4, 1720),
            (own, 0, 4),
            ("main_kernel_0__part", 0, 6),
        ]);
        assert_eq!(
            sentence(&kernel).as_deref(),
            Some(
                "Of 2 000 times that a thread was found in its code, it was, in loops without those within them: 86.0% in .LBB0_4, which has 2 that compute among 4 instructions; 12.5% in .LBB0_2, which computes nothing among 3 instructions; 1.5% elsewhere. Shares of so many are right within about 2.2%, and limits of the machine within a few percent."
            )
        );
        let idle = WithoutArithmetic {
            share: 0.135,
            much: 0.125,
            labels: vec![".LBB0_2", "smaller ones"],
        };
        assert_eq!(without_arithmetic(&kernel), Some(idle));
        let (blocks, loops) = blocks(&kernel.assembly, &kernel.samples);
        let expected = [(2, 2), (3, 3), (1, 3)].map(|(first, last)| Loop { first, last });
        assert_eq!(loops, expected);
        let innermost: Vec<Option<usize>> = blocks.iter().map(|it| it.innermost).collect();
        assert_eq!(innermost, [None, Some(2), Some(0), Some(1), None]);
    }

    #[test]
    fn little_and_other_code_are_not_told_of() {
        assert_eq!(sentence(&kernel(&[("main_kernel_0", 2, 49)])), None);
        assert_eq!(sentence(&kernel(&[("main_kernel_0", 7, 500)])), None);
        assert_eq!(sentence(&kernel(&[])), None);
    }
}
