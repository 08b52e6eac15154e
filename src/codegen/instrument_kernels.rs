//! `--halo-instrument-kernels`: notifies the observer of a run of the begin and end of kernels.
//!
//! A profile has a time slice for each kernel. The runtime can observe only kernels that it
//! distributes among threads. Other kernels are called directly, and LLVM's symbols do not refer to
//! the program. Therefore an instrumented program calls the runtime before and after each kernel of
//! an entry, for both task kernels and direct calls (`func.call`), with metadata of the kernel.
//! Programs without this pass have no overhead. Copies between kernels count as kernels.
//!
//! ```mlir
//! halo.parallel_call @main_kernel_0 from %c0 to %c64 grain 16 captures(%a, %b : memref<64xf32>, memref<64xf32>)
//! ```
//!
//! becomes
//!
//! ```mlir
//! halo.custom_call "halo.kernel_start"() {dictionary = {bytes = 512 : i64, kernel = "main_kernel_0",
//!     sources = ["a.mlir:2:8", "a.mlir:3:8"]}, operand_types = [], result_types = []} : () -> ()
//! halo.parallel_call @main_kernel_0 from %c0 to %c64 grain 16 captures(%a, %b : memref<64xf32>, memref<64xf32>)
//! halo.custom_call "halo.kernel_end"() {operand_types = [], result_types = []} : () -> ()
//! ```
//!
//! `bytes` is the memory footprint of the call in its buffers and constants
//! ([`footprint`](crate::loops::footprint)): a lower bound of its traffic. It is absent if a size
//! is dynamic, and the mean over the iterations if the call is in a loop. `sources` are the file
//! locations of the ops that were fused into the kernel, from the location of its call. `callers`
//! are the call sites of inlined functions, which distinguish kernels of two calls of one function.

use crate::loops::footprint::Footprint;
use halo_ir::{
    Location, LocationKind,
    diagnostics::file_line_column,
    dictionary_attribute,
    ops::halo::{CustomCallOp, ENTRY, KERNEL, ParallelCallOp},
    prelude::*,
};
use halo_runtime::run_observer::{
    COPY, KERNEL_BYTES, KERNEL_CALLERS, KERNEL_END, KERNEL_NAME, KERNEL_SOURCES, KERNEL_START,
};
use std::collections::{BTreeMap, HashSet};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-instrument-kernels",
    "Call the runtime before and after each kernel, for profiling",
    run,
)
.dependent_dialects(&["halo"]);

/// The maximal sources of a kernel. More would not be readable.
const MOST_SOURCES: usize = 64;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let functions = pass.operation().body(0).map(Block::operations);
    let functions = functions.unwrap_or_default();
    let named = |function: &Operation<'_>| {
        let name = function.attribute("sym_name").and_then(Attribute::string_value);
        name.map(str::to_owned)
    };
    let kernels = functions.iter().filter(|op| op.has_attribute(KERNEL));
    let kernels = kernels.filter_map(|kernel| Some((named(kernel)?, *kernel)));
    let kernels = Kernels {
        functions: kernels.collect(),
    };
    let entries = functions.iter().filter(|op| op.has_attribute(ENTRY));
    let calls = entries
        .flat_map(|entry| {
            entry.collect_nested(|op| op.isa::<memref::CopyOp>() || kernels.called_by(op).is_some())
        })
        .collect::<Vec<Operation>>();
    let keys: HashSet<_> = calls.iter().map(|op| op.key()).collect();
    pass.for_each(
        |op| keys.contains(&op.key()),
        |builder, op| kernels.instrument(builder, op),
    )
}

/// The kernels of a module.
struct Kernels<'c> {
    functions: BTreeMap<String, Operation<'c>>,
}

impl<'c> Kernels<'c> {
    /// The kernel that an op calls.
    fn called_by(&self, op: Operation<'c>) -> Option<(String, Operation<'c>)> {
        let name = match op.cast::<ParallelCallOp>() {
            Some(call) => call.callee(),
            None => op.cast::<func::CallOp>()?.callee(),
        };
        let kernel = self.functions.get(name)?;
        Some((name.to_owned(), *kernel))
    }

    fn instrument(&self, builder: &Builder<'c>, op: Operation<'c>) {
        let context = builder.context();
        let called = self.called_by(op);
        let name = called.as_ref().map(|(name, _)| &name[..]);
        let kernel = called.as_ref().map(|(_, kernel)| *kernel);
        let mut entries = vec![(KERNEL_NAME, string_attribute(context, name.unwrap_or(COPY)))];
        if let Some(bytes) = touched_bytes(op, kernel) {
            let bytes = integer_attribute(integer_type(context, 64), bytes);
            entries.push((KERNEL_BYTES, bytes));
        }
        if kernel.is_some() {
            let sources = sources(op.location());
            let sources = sources.iter().take(MOST_SOURCES);
            let sources: Vec<_> = sources.map(|source| string_attribute(context, source)).collect();
            entries.push((KERNEL_SOURCES, array_attribute(context, &sources)));
        }
        let callers = callers(op.location());
        if !callers.is_empty() {
            let callers: Vec<_> = callers
                .iter()
                .filter_map(|caller| file_line_column(*caller))
                .map(|place| string_attribute(context, &place))
                .collect();
            entries.push((KERNEL_CALLERS, array_attribute(context, &callers)));
        }
        let builder = builder.at(op.location());
        builder.set_before(op);
        CustomCallOp::build(&builder, &[], &[], KERNEL_START, &[], &[], &[])
            .dictionary(dictionary_attribute(context, &entries))
            .insert();
        builder.set_after(op);
        CustomCallOp::build(&builder, &[], &[], KERNEL_END, &[], &[], &[]).insert();
    }
}

/// The footprint of a call in its buffers and in the constants of its kernel, if all sizes are
/// static.
pub fn touched_bytes(call: Operation, kernel: Option<Operation>) -> Option<i64> {
    i64::try_from(Footprint::of(call, kernel).bytes()?).ok()
}

/// The call sites of an inlined op, the innermost first. For a fused location, the call sites of
/// the first part with a file location.
pub fn callers(location: Location<'_>) -> Vec<Location<'_>> {
    match location.kind() {
        LocationKind::CallSite { callee, caller } => {
            let mut all = callers(callee);
            all.push(caller);
            all.extend(callers(caller));
            all
        }
        kind => {
            let mut parts = kind.parts().into_iter();
            let named = parts.find(|part| file_line_column(*part).is_some());
            named.map(callers).unwrap_or_default()
        }
    }
}

/// The file locations of the ops of a kernel, sorted, from the location of its call.
fn sources(call: Location) -> Vec<String> {
    let mut text = BTreeMap::new();
    places_of(call, &mut |key, location| {
        if let Some(place) = file_line_column(location) {
            text.entry(key).or_insert(place);
        }
    });
    text.into_values().collect()
}

/// Calls a function for each file location in a location.
fn places_of<'c>(location: Location<'c>, note: &mut impl FnMut((String, i64, i64), Location<'c>)) {
    match location.kind() {
        LocationKind::File { line: 0, .. } => {}
        LocationKind::File {
            name, line, column, ..
        } => note((name.into_owned(), line, column), location),
        LocationKind::CallSite { callee, .. } => places_of(callee, note),
        kind => {
            for part in kind.parts() {
                places_of(part, note);
            }
        }
    }
}
