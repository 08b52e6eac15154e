//! Limits of launches, temporary memory and sequential loops, without a GPU.

use super::{backend, for_each};
use halo_backend::{CompileOptions, PipelineEdit, Program};
use halo_compiler::record::{Outcome, Recorder};
use halo_runtime::{Plan, plan::Thunk};
use std::path::Path;

/// The launches and copies and the arena bytes of the programs in `limits/`, where XLA:GPU 0.10 for
/// an H100 has the numbers in the comment.
const LIMITS: &[(&str, i64, u64)] = &[
    ("argsort_64k", 11, 262_144),     // 16, 262,160
    ("cummax_rows", 1, 1_024),        // 3, 262,144
    ("heat_scatter", 301, 1_040_448), // 402, 1,040,900
    ("histogram", 26, 16_000_640),    // 42, 16,000,808
    ("nucleus_sampler", 16, 786_496), // 16, 606,736
    ("segment_stats", 7, 4_032),      // 7, 4,000
    ("small_reductions", 12, 3_136),  // 13, 16,920
    ("sort_rows", 1, 0),              // 2, 2,097,168
    ("topk_sampler", 3, 57_600),      // 14, 4,099,600
];

/// No kernel runs a long loop on few threads.
#[test]
fn programs_keep_their_limits() {
    for_each(LIMITS, |(name, launches, arena)| {
        let file = format!("tests/gpu/limits/{name}.mlir");
        let program = Program::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
        let recorder = Recorder::default();
        let options = CompileOptions {
            record: Some(recorder.sink()),
            pipeline_edits: vec![PipelineEdit::explain()],
            ..CompileOptions::default()
        };
        let plan = backend("cuda").compiler.plan(&program, &options);
        let plan = plan.map_err(|error| format!("{name}: {error}"))?;
        let record = recorder.record();
        let slow = record.remarks.iter().find(|remark| {
            let decision = remark.decision;
            decision.is_some_and(|decision| decision.outcome == Outcome::RunsOnFewThreads)
        });
        if let Some(slow) = slow {
            return Err(format!("{name}: a kernel {}", slow.message));
        }
        let found = (launches_in(&plan, 0), plan.arena_size);
        if found.0 > *launches || found.1 > *arena {
            return Err(format!(
                "{name}: {} launches and {} bytes, expected at most {launches} and {arena}",
                found.0, found.1
            ));
        }
        Ok(())
    });
}

/// The launches and copies of a sequence. Loops of unknown length run once.
fn launches_in(plan: &Plan, sequence: usize) -> i64 {
    let count = |thunk: &Thunk| match thunk {
        Thunk::For {
            lower,
            upper,
            step,
            body,
        } => (upper - lower + step - 1) / step * launches_in(plan, *body as usize),
        Thunk::While {
            condition, body, ..
        } => launches_in(plan, *condition as usize) + launches_in(plan, *body as usize),
        Thunk::Conditional { branches, .. } => {
            let branches = branches.iter().map(|branch| launches_in(plan, *branch as usize));
            branches.max().unwrap_or(0)
        }
        _ => 1,
    };
    plan.sequences[sequence].iter().map(count).sum()
}
