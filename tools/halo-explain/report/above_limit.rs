//! What the time of a kernel above its arithmetic is made of, as far as its code tells that.
//!
//! What can be counted has a part of the time by what was measured of the machine: arithmetic
//! that no result needs, data that no near cache holds, copies within the kernel. A processor
//! may do some of it while it computes, so these are what they take one after the other. The
//! rest is named without a size.

use super::{format, instructions, loop_work::LoopWork, machine, roof, rows::Row, verdict};
use halo_runtime::compilation_record::{CompilationRecord, Machine};

/// Less than this part of the time is in the rest.
const LEAST: f64 = 0.001;

/// A part of the time of a call, and what it is.
struct Part {
    seconds: f64,
    text: String,
}

/// Sentences about so much of the time of a kernel that arithmetic limits, from 0 to 1.
pub fn sentences(record: &CompilationRecord, row: &Row, left: f64) -> Vec<String> {
    let Some((machine, time)) = record.machine.as_ref().zip(time_of_call(row)) else {
        return Vec::new();
    };
    let work = loop_work(record, row);
    let parts = [
        edges(machine, row, &work),
        further(record, row),
        copies(record, machine, &work),
    ];
    let mut told: Vec<(f64, String)> = parts
        .into_iter()
        .flatten()
        .map(|part| (part.seconds / time, part.text))
        .filter(|(share, _)| *share >= LEAST)
        .collect();
    let sum: f64 = told.iter().map(|(share, _)| share).sum();
    if sum > left {
        // They cannot all come one after the other.
        told.clear();
    }
    told.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut others: Vec<&str> = Vec::new();
    if row.transcendentals > 0.0 {
        others.push("elementary functions");
    }
    others.extend(["loads and stores", "index arithmetic"]);
    if work
        .as_ref()
        .is_none_or(|work| work.has_edges && work.flops.is_none())
    {
        others.push("edges of tiles");
    }
    if work
        .as_ref()
        .is_none_or(|work| work.own_bytes > 0.0 && work.packed.is_none())
    {
        others.push("copies within it");
    }
    let others = others.join(", ");
    let share = |part: f64| format::share(part, 1.0);
    let mut sentences = vec![match told.is_empty() {
        true => format!(
            "The other {} of its time are {others}, and waiting for them within its code; how much each is was not measured.",
            share(left)
        ),
        false => {
            let rest = left
                - told
                    .iter()
                    .map(|(part, _)| format::tenths(*part))
                    .sum::<f64>();
            let told = told
                .iter()
                .map(|(part, text)| format!("{} for {text}", share(*part)));
            let told: Vec<String> = told.collect();
            format!(
                "The other {} of its time has, if they come one after the other, {}. The rest, {}, was not measured: {others}, and waiting for them within its code.",
                share(left),
                told.join(", "),
                share(rest)
            )
        }
    }];
    sentences.extend(innermost(record, row));
    sentences
}

fn time_of_call(row: &Row) -> Option<f64> {
    row.per_call(row.seconds?).filter(|seconds| *seconds > 0.0)
}

/// What the loops of the only kernel of a row do in a call.
fn loop_work(record: &CompilationRecord, row: &Row) -> Option<LoopWork> {
    let [kernel] = row.kernels[..] else {
        return None;
    };
    let text = &record.kernels.get(kernel as usize)?.text;
    let call = record.calls.get(*row.calls.first()? as usize)?;
    let iterations = call.tasks.and_then(|tasks| tasks.iterations);
    (!text.lines.is_empty()).then(|| LoopWork::of(record, text, iterations))
}

/// Arithmetic of whole tiles where a result has a part of one.
fn edges(machine: &Machine, row: &Row, work: &Option<LoopWork>) -> Option<Part> {
    let work = work.as_ref().filter(|work| work.has_edges)?;
    let (computed, needed) = (work.flops?, row.per_call(row.flops)?);
    let peak = roof::peak(machine, row.instructions.arithmetic)?;
    let unit = if row.is_integer { "OP" } else { "FLOP" };
    (computed > needed).then(|| Part {
        seconds: (computed - needed) / peak,
        text: format!(
            "arithmetic at edges of tiles ({} M{unit} where {} are needed)",
            format::mega(computed),
            format::mega(needed)
        ),
    })
}

/// Data of a call that the caches do not hold which are too small for all of it.
fn further(record: &CompilationRecord, row: &Row) -> Option<Part> {
    let (cache, bytes) = verdict::too_small(record, row)?;
    let levels = machine::levels(record.machine.as_ref()?);
    let place = levels.iter().position(|level| level.name == cache.name)?;
    let next = levels.get(place + 1)?;
    (next.bandwidth > 0.0).then(|| Part {
        seconds: bytes / next.bandwidth,
        text: format!(
            "data from further away than {} ({} at the {} GB/s of {})",
            cache.name,
            format::size(bytes as u64),
            format::giga(next.bandwidth),
            next.name
        ),
    })
}

/// Copies of operands to buffers of the kernel, which the nearest cache has that holds those of
/// all threads.
fn copies(record: &CompilationRecord, machine: &Machine, work: &Option<LoopWork>) -> Option<Part> {
    let work = work.as_ref()?;
    let packed = work.packed.filter(|bytes| *bytes > 0.0)?;
    let own = work.own_bytes * f64::from(record.threads.max(1));
    let mut caches = machine.caches.iter();
    let cache = caches.find(|cache| cache.bytes as f64 >= own && cache.bandwidth > 0.0)?;
    Some(Part {
        seconds: packed / cache.bandwidth,
        text: format!(
            "writing operands in another order within it ({} at the {} GB/s of {})",
            format::size(packed as u64),
            format::giga(cache.bandwidth),
            cache.name
        ),
    })
}

/// What the instructions of the innermost loop do.
fn innermost(record: &CompilationRecord, row: &Row) -> Option<String> {
    let [kernel] = row.kernels[..] else {
        return None;
    };
    let counts = instructions::innermost(&record.kernels.get(kernel as usize)?.assembly)?;
    Some(format!(
        "Of the {} instructions of its innermost loop, {} compute, {} only read memory, and {} are others.",
        counts.all,
        counts.computing,
        counts.reading,
        counts.all - counts.computing - counts.reading
    ))
}

#[cfg(test)]
mod tests {
    use super::super::{
        loop_work::EDGES,
        rows,
        samples::{self, cache},
    };
    use super::*;
    use halo_runtime::compilation_record::{FunctionText, Tasks};

    /// A call of 1 ms with half of the machine's arithmetic.
    fn record() -> CompilationRecord {
        let mut record = samples::program(12);
        let machine = record.machine.as_mut().unwrap();
        machine.flops = 1.6e9;
        machine.peaks[0].flops = 1.6e9;
        machine.caches = vec![cache("L1", 40_000, 1e11), cache("L2", 100_000, 1e9)];
        let call = &mut record.calls[0];
        call.flops = 2 * 49 * 64 * 128;
        call.transcendentals = 0;
        call.buffers.clear();
        call.tasks = Some(Tasks {
            iterations: Some(4),
            least: 1,
        });
        let site = &mut record.run.as_mut().unwrap().sites[0];
        (site.count, site.bytes, site.seconds) = (1, Some(800_000), 1e-3);
        (site.busy_seconds, site.waiting_seconds) = (2e-3, 0.0);
        site.spread.least = 1e-3;
        let fma = "%14 = vector.fma %13, %10, %arg10 : vector<16xf32>\n";
        let text = EDGES.replace("FMAS\n", &fma.repeat(8));
        let first = record.lines.len() as u32;
        record.lines.extend(text.lines().map(str::to_owned));
        record.kernels[0].text = FunctionText {
            lines: (first..record.lines.len() as u32).collect(),
            ..FunctionText::default()
        };
        record
    }

    #[test]
    fn parts_of_the_time_above_arithmetic_add_up() {
        let record = record();
        let rows = rows::rows(&record);
        let row = rows.iter().find(|row| row.name == "main_kernel_0").unwrap();
        // 802 816 operations at 1.6 GFLOP/s are 50.2%, 114 688 more are 7.2%; 700 kB of 14 GB/s
        // are 5.0%, and 32 kB of 100 GB/s 0.03%.
        let told = sentences(&record, row, 0.498);
        assert_eq!(
            told[0],
            "The other 49.8% of its time has, if they come one after the other, 7.2% for \
             arithmetic at edges of tiles (0.92 MFLOP where 0.80 are needed), 5.0% for data from \
             further away than L2 (700.00 kB at the 14.00 GB/s of memory). The rest, 37.6%, was \
             not measured: loads and stores, index arithmetic, and waiting for them within its \
             code."
        );
        assert_eq!(
            told[1],
            "Of the 6 instructions of its innermost loop, 1 compute, 1 only read memory, and 4 are others."
        );
        // More than there is cannot come one after the other.
        let told = sentences(&record, row, 0.1);
        assert!(
            told[0].starts_with("The other 10.0% of its time are loads"),
            "{}",
            told[0]
        );
    }
}
