//! What the loops of a kernel that computes copy: operands in the order in which it reads them.
//!
//! Nothing is computed in these loops, so that their time is not that of arithmetic. It is known
//! where threads were found in the code of the kernel, and else reckoned.

use super::{
    account::{Part, PartKind},
    code_samples::{self, WithoutArithmetic},
    format, last_use,
    loop_work::LoopWork,
    machine,
    rows::Row,
};
use halo_runtime::compilation_record::{CompilationRecord, Machine};

/// The loops of a row's kernel that compute nothing.
fn idle_loops<'a>(record: &'a CompilationRecord, row: &Row) -> Option<WithoutArithmetic<'a>> {
    let [kernel] = row.kernels[..] else {
        return None;
    };
    code_samples::without_arithmetic(record.kernels.get(kernel as usize)?)
}

/// Loops of a kernel that computes which compute nothing, by the samples of its code.
pub fn sampled(record: &CompilationRecord, row: &Row, working: f64) -> Option<Part> {
    let WithoutArithmetic { share, labels, .. } = idle_loops(record, row)?;
    let labels = match labels.is_empty() {
        true => String::new(),
        false => format!("{}, ", labels.join(" and ")),
    };
    Some(Part {
        seconds: share * working,
        kind: PartKind::Sampled,
        text: format!(
            "its loops that compute nothing ({labels}by how often threads were found in them)"
        ),
    })
}

/// Copies of operands to buffers of the kernel, which the nearest cache has that holds those of
/// all threads.
pub fn copies(record: &CompilationRecord, machine: &Machine, work: &LoopWork) -> Option<Part> {
    let packed = work.packed.filter(|bytes| *bytes > 0.0)?;
    let own = work.own_bytes * f64::from(record.threads.max(1));
    let mut caches = machine.caches.iter();
    let cache = caches.find(|cache| cache.bytes as f64 >= own && cache.bandwidth > 0.0)?;
    Some(Part {
        seconds: packed / cache.bandwidth,
        kind: PartKind::Beside,
        text: format!(
            "copies of operands in another order within it ({} at the {} GB/s of {})",
            format::size(packed as u64),
            format::giga(cache.bandwidth),
            cache.name
        ),
    })
}

/// What is copied in loops that compute nothing, of the time in which threads work undisturbed.
pub fn sentence(
    record: &CompilationRecord,
    row: &Row,
    work: &LoopWork,
    working: f64,
) -> Option<String> {
    let bytes = work.copied_alone.filter(|bytes| *bytes > 0.0)?;
    let places = || work.copied_buffers.iter().copied();
    let names: Vec<String> = places().map(|it| last_use::name(record, row, it)).collect();
    let mut text = format!(
        "It copies {} of {} in loops that compute nothing",
        format::size(bytes as u64),
        names.join(" and ")
    );
    let parts = last_use::parts(record, row);
    let copied: Vec<last_use::Part> = places().filter_map(|it| parts.get(it).copied()).collect();
    let touched: f64 = copied.iter().map(|part| part.bytes).sum();
    if touched > 0.0 && bytes > 1.05 * touched {
        text += &format!(
            ", each part of it {:.1} times, since tasks copy for themselves what they share",
            bytes / touched
        );
    }
    let seconds = idle_loops(record, row).map(|loops| loops.much * working);
    if let Some(seconds) = seconds.filter(|seconds| *seconds > 0.0) {
        text += &format!(", at {} GB/s", format::giga(bytes / seconds));
    }
    let machine = record.machine.as_ref()?;
    let levels = machine::levels(machine);
    let level = |part: &last_use::Part| machine::holding(machine, part.between);
    let furthest = copied.iter().map(level).max();
    if let Some(level) = furthest.and_then(|it| levels.get(it)) {
        text += &format!(
            "; {}, the nearest that still has all of it, gives {} GB/s",
            level.name,
            format::giga(level.bandwidth)
        );
    }
    if work.prefetches {
        text += "; the kernel prefetches what it reads next";
    }
    Some(text + ".")
}
