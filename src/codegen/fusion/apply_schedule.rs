//! `--halo-apply-schedule`: applies a user's schedule instead of the planner's decisions.
//!
//! A schedule is a module of the transform dialect. Each named sequence with the attribute
//! `halo.applies_to` runs on its target: a function (`"@main"`), or the last structured op from a
//! line of the program (`"softmax.mlir:9"`, or `"softmax.mlir:9:8"` with the column). Other
//! sequences can be included. `--halo-form-fusion-groups` does not change the loops of a schedule,
//! and only groups ops outside of them.
//!
//! ```mlir
//! transform.named_sequence @rows(%root: !transform.any_op)
//!     attributes {halo.applies_to = "softmax.mlir:9"} {
//!   %tiled, %loop = transform.structured.fuse %root tile_sizes [4, 0]
//!       {apply_cleanup, use_forall} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
//!   transform.yield
//! }
//! ```
//!
//! rewrites
//!
//! ```mlir
//! %0 = linalg.generic ins(%x : tensor<4096x1024xf32>) outs(%column) { addf }
//! %1 = linalg.generic ins(%x, %0) outs(%full : tensor<4096x1024xf32>) { divf }  // line 9
//! ```
//!
//! to a loop over tiles of four rows:
//!
//! ```mlir
//! %1 = scf.forall (%i) = (0) to (4096) step (4) shared_outs(%out = %full) {
//!   // both ops on four rows
//! }
//! ```

use halo_ir::{
    LocationKind, diagnostics::parse_module, ops::halo::APPLIES_TO, pipeline, pipeline::upstream,
    prelude::*, root_of,
};
use std::fs;

pass_options! {
    /// The options of the pass.
    pub struct Options {
        /// The schedule: a file with a module of named sequences
        file: String = "",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-apply-schedule",
    "Run the sequences of a schedule on their targets",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["transform"])
.options::<Options>();

/// The attribute by which upstream's interpreter finds the payload root.
const TAG: &str = "transform.target_tag";
/// The attribute of modules with named sequences.
const WITH_SEQUENCES: &str = "transform.with_named_sequence";
const SEQUENCE: &str = "transform.named_sequence";

/// A sequence with its target.
struct Sequence {
    name: String,
    applies_to: String,
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    for sequence in load(pass)? {
        let name = sequence.name.clone();
        tag(pass, sequence)?;
        pass.run_pipeline(&pipeline![
            upstream("transform-interpreter")
                .option("entry-point", name)
                .option("debug-payload-root-tag", TAG)
        ])?;
        for tagged in pass.operation().collect_nested(|op| op.has_attribute(TAG)) {
            tagged.remove_attribute(TAG);
        }
    }
    for schedule in schedules(pass.operation()) {
        with_builder(schedule, |builder| builder.erase(schedule));
    }
    Ok(())
}

/// The modules of sequences in a module.
fn schedules(module: Operation<'_>) -> Vec<Operation<'_>> {
    module.collect_nested(|op| op.isa::<builtin::ModuleOp>() && op.has_attribute(WITH_SEQUENCES))
}

/// Copies the schedule into the module, where the interpreter finds its sequences.
fn load(pass: &PassInvocation) -> Result<Vec<Sequence>, PassFailure> {
    let module = pass.operation();
    let file = pass.options::<Options>().file;
    let fail = |message: String| {
        pass.error(module, message);
        PassFailure
    };
    let text = fs::read(&file)
        .map_err(|error| fail(format!("cannot read the schedule '{file}': {error}")))?;
    // The parser reports errors.
    let schedule = parse_module(module.context(), &text, &file).ok_or(PassFailure)?;
    let root = root_of(&schedule);
    if !root.has_attribute(WITH_SEQUENCES) {
        let message = format!("a schedule is a module with the attribute '{WITH_SEQUENCES}'");
        pass.error(root, message);
        return Err(PassFailure);
    }
    let mut found = Vec::new();
    let sequences = root.collect_nested(|op| op.name() == SEQUENCE);
    for op in sequences.iter().copied() {
        let text = |name| {
            let value = op.attribute(name).and_then(Attribute::string_value);
            value.map(str::to_owned)
        };
        if let (Some(name), Some(applies_to)) = (text("sym_name"), text(APPLIES_TO)) {
            found.push(Sequence { name, applies_to });
        }
    }
    if found.is_empty() && !sequences.is_empty() {
        let message = format!("no sequence of the schedule says '{APPLIES_TO}'");
        pass.error(root, message);
        return Err(PassFailure);
    }
    let Some(first) = module.body(0).and_then(|body| body.operations().first().copied()) else {
        return Ok(Vec::new());
    };
    with_builder(first, |builder| {
        builder.clone_op(root, &mut ValueMap::new());
    });
    Ok(found)
}

/// Tags the target of a sequence.
fn tag(pass: &PassInvocation, sequence: Sequence) -> Result<(), PassFailure> {
    let module = pass.operation();
    let applies_to = &sequence.applies_to;
    let found = match applies_to.strip_prefix('@') {
        Some(name) => module.collect_nested(|op| {
            op.isa::<func::FuncOp>()
                && op
                    .attribute("sym_name")
                    .and_then(Attribute::string_value)
                    .is_some_and(|own| own == name)
        }),
        None => named_by(module, applies_to).into_iter().collect(),
    };
    let [only] = found[..] else {
        let named = module.collect_nested(|op| {
            let name = || op.attribute("sym_name").and_then(Attribute::string_value);
            op.name() == SEQUENCE && name().is_some_and(|name| name == sequence.name)
        });
        let message = if applies_to.starts_with('@') {
            format!("there is no function '{applies_to}'")
        } else {
            format!("no structured op comes from line '{applies_to}'")
        };
        let place = named.first().copied().unwrap_or(module);
        pass.error(place, message);
        return Err(PassFailure);
    };
    let value = string_attribute(module.context(), TAG);
    only.set_attribute(TAG, value);
    Ok(())
}

/// The last structured op from a line, which is the target of a schedule for that line.
pub fn named_by<'c>(module: Operation<'c>, line: &str) -> Option<Operation<'c>> {
    let found = module.collect_nested(|op| {
        op.is_structured() && !op.isa::<linalg::FillOp>() && comes_from(op, line)
    });
    found.last().copied()
}

/// Returns true if the location of an op contains `file:line`, with or without a column. Leading
/// folders of the file may be omitted.
fn comes_from(operation: Operation, wanted: &str) -> bool {
    let mut pending = vec![operation.location()];
    while let Some(location) = pending.pop() {
        let kind = location.kind();
        if let LocationKind::File {
            name, line, column, ..
        } = &kind
        {
            let place = format!("{name}:{line}");
            let ends = |place: &str| {
                place
                    .strip_suffix(wanted)
                    .is_some_and(|folders| folders.is_empty() || folders.ends_with('/'))
            };
            if ends(&place) || ends(&format!("{place}:{column}")) {
                return true;
            }
        }
        if let LocationKind::Name { name, .. } = &kind
            && name == wanted
        {
            return true;
        }
        pending.extend(kind.parts());
    }
    false
}
