//! The innermost loop of a kernel that multiplies: which one has the most work, and what its
//! instructions do.

use super::{
    format,
    instructions::{self, Counts, Instructions},
    roof,
    rows::{Bound, Row},
};
use halo_runtime::compilation_record::{Arithmetic, CompilationRecord, Loop, Machine};

/// The loop with the most work of a kernel that multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MostWork {
    /// Its place among all loops.
    line: usize,
    /// Its place among those with as many products in an iteration, and how many these are.
    order: usize,
    of_as_many: usize,
}

/// The loop with the most products and ops in all of its iterations; `None` without products.
fn most_work(loops: &[Loop]) -> Option<MostWork> {
    let products = |it: &Loop| {
        let ops = it.ops.iter().filter(|(name, _)| name == "vector.fma");
        ops.map(|(_, count)| u64::from(*count)).sum::<u64>()
    };
    let work = |number: usize| {
        let own = &loops[number];
        let ops: u64 = own.ops.iter().map(|(_, count)| u64::from(*count)).sum();
        let (mut depth, mut times) = (own.depth, own.iterations.unwrap_or(1));
        for around in loops[..number].iter().rev() {
            if around.depth < depth {
                depth = around.depth;
                times = times.saturating_mul(around.iterations.unwrap_or(1));
            }
        }
        times.saturating_mul(ops)
    };
    let numbers = (0..loops.len()).filter(|number| products(&loops[*number]) > 0);
    let line = numbers.max_by_key(|number| work(*number))?;
    let is_alike = |it: &&Loop| products(it) == products(&loops[line]);
    Some(MostWork {
        line,
        order: loops[..line].iter().filter(is_alike).count(),
        of_as_many: loops.iter().filter(is_alike).count(),
    })
}

/// Such as `1st`.
fn ordinal(number: usize) -> String {
    let end = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

/// What the instructions of the innermost loop do.
pub fn sentence(record: &CompilationRecord, row: &Row) -> Option<String> {
    let [kernel] = row.kernels[..] else {
        return None;
    };
    if row.bound != Some(Bound::Compute) {
        return None;
    }
    let kernel = record.kernels.get(kernel as usize)?;
    let found = most_work(&kernel.loops);
    let (order, of_as_many) = found.map_or((0, 1), |found| (found.order, found.of_as_many));
    let counts = instructions::innermost(&kernel.assembly, (order, of_as_many))?;
    let which = found.map(|found| {
        format!(
            " with the most work (the {} in the list of its loops)",
            ordinal(found.line + 1)
        )
    });
    let which = which.unwrap_or_default();
    let loads = record.machine.as_ref();
    let loads = loads.and_then(|machine| loads_sentence(machine, row.instructions, counts));
    Some(format!(
        "Of the {} instructions of its innermost loop{which}, {} compute, {} only read memory, and {} are others.{}",
        counts.all,
        counts.computing,
        counts.reading,
        counts.all - counts.computing - counts.reading,
        loads.unwrap_or_default()
    ))
}

/// Whether the loads of a loop take longer than its arithmetic, both as fast as was measured: a
/// load as long as one of a whole vector from the nearest cache.
fn loads_sentence(machine: &Machine, code: Instructions, counts: Counts) -> Option<String> {
    let bits_of_element = match code.arithmetic {
        Arithmetic::F32 => 32,
        Arithmetic::F64 => 64,
        _ => return None,
    };
    let cache = machine.caches.first().filter(|it| it.bandwidth > 0.0)?;
    let flops = counts.adding as f64 * f64::from(2 * code.bits / bits_of_element);
    let arithmetic = flops / roof::peak(machine, code.arithmetic)?;
    let loads = counts.loads as f64 * f64::from(code.bits / 8) / cache.bandwidth;
    let part = loads / Some(arithmetic).filter(|seconds| *seconds > 0.0)?;
    let (name, bytes) = (&cache.name, code.bits / 8);
    Some(match part > 1.0 {
        true => format!(
            " Even from {name} its loads, each as long as one of {bytes} bytes, take {part:.2} times as long as its arithmetic, so it reaches at most {} of the limit.",
            format::share(1.0, part)
        ),
        false => format!(
            " From {name} its loads, each as long as one of {bytes} bytes, take {} of the time of its arithmetic, and go on meanwhile: they are what it waits for only where data come from further away.",
            format::share(part, 1.0)
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn the_loop_with_the_most_work_is_named() {
        let it = |depth, iterations, ops: &[(&str, u32)]| Loop {
            depth,
            iterations,
            ops: ops
                .iter()
                .map(|(op, count)| ((*op).to_owned(), *count as _))
                .collect(),
            ..Loop::default()
        };
        let fma = ("vector.fma", 16);
        let loops = [
            it(0, None, &[]),
            it(1, Some(8), &[("vector.shuffle", 128)]),
            it(2, Some(64), &[fma]),
            it(1, Some(16), &[("arith.divf", 1)]),
            it(2, Some(256), &[fma, ("vector.load", 2)]),
            it(2, Some(4), &[("vector.fma", 2)]),
        ];
        let expected = MostWork {
            line: 4,
            order: 1,
            of_as_many: 2,
        };
        assert_eq!(most_work(&loops), Some(expected));
        assert_eq!(most_work(&loops[..2]), None);
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 21].map(ordinal).join(" "),
            "1st 2nd 3rd 4th 11th 12th 21st"
        );
    }

    /// 16 GFLOP/s are 0.5 G instructions on 16 elements, 64 GB/s are 1 G loads of them.
    #[test]
    fn loads_are_compared_with_arithmetic() {
        let mut machine = Machine {
            flops: 16e9,
            caches: vec![samples::cache("L1", 40_000, 64e9)],
            ..Machine::default()
        };
        let code = Instructions {
            arithmetic: Arithmetic::F32,
            bits: 512,
        };
        let counts = Counts {
            adding: 16,
            loads: 10,
            ..Counts::default()
        };
        let told = |machine: &Machine| loads_sentence(machine, code, counts).unwrap();
        let text = told(&machine);
        assert!(
            text.starts_with(
                " From L1 its loads, each as long as one of 64 bytes, take 31.2% of the time"
            ),
            "{text}"
        );
        machine.caches[0].bandwidth = 16e9;
        assert_eq!(
            told(&machine),
            " Even from L1 its loads, each as long as one of 64 bytes, take 1.25 times as long as its arithmetic, so it reaches at most 80.0% of the limit."
        );
    }
}
