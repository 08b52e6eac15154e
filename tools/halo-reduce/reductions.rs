//! The reductions, and their order.
//!
//! | file | reduction |
//! |---|---|
//! | `keep_operations` | all ops except a contiguous range |
//! | `remove_operations` | ops, whose values become arguments; ops in regions |
//! | `remove_functions` | functions and other symbols, with their calls |
//! | `enter_function` | the program is one of its functions |
//! | `enter_region` | the program is one of its regions |
//! | `inline_regions` | an op becomes the body of one of its regions |
//! | `replace_by_operands` | an op becomes one of its operands |
//! | `drop_results` | results of the entry |
//! | `drop_carried` | loop-carried values and results of branches |
//! | `constants_to_arguments` | constants become arguments |
//! | `simplify_constants` | constants become ones |
//! | `remove_attributes` | optional attributes |
//! | `shrink_shapes` | sizes become small ones |
//! | `simplify_element_types` | `f32` and `i32` in place of other types |
//!
//! Halo's passes inline calls, flatten tuples and make sizes static, in a worker, because these
//! passes may have the bug. Large steps come first: a test of a large program takes as long as tens
//! of tests of a small one.

mod constants_to_arguments;
mod drop_carried;
mod drop_results;
mod enter_function;
mod enter_region;
mod inline_regions;
mod keep_operations;
mod remove_attributes;
mod remove_functions;
mod remove_operations;
mod replace_by_operands;
mod shrink_shapes;
mod simplify_constants;
mod simplify_element_types;

use crate::{
    execution::UNKNOWN_SIZE,
    program::{functions, symbol_of},
    session::{Halt, Reduction, Session},
};
use halo::{ir::root_of, prelude::*};

/// Inlines calls and composites, and removes unused functions.
const INLINE: &str = "stablehlo-legalize-composite-to-call,inline,symbol-dce";

/// The maximum growth of a program by inlining.
const LARGEST_GROWTH: usize = 8;

/// If all values exceed this many bytes, sizes shrink first.
const LARGE_VALUES: u64 = 16 << 20;

/// Programs above this many bytes consist mostly of constants.
const LARGE_TEXT: usize = 1 << 20;

/// All reductions, in order; they are repeated until none makes the program smaller.
pub const ALL: &[Reduction] = &[
    keep_operations::OF_FUNCTIONS,
    remove_functions::REDUCTION,
    enter_region::REDUCTION,
    remove_operations::OF_FUNCTIONS,
    enter_function::REDUCTION,
    keep_operations::OF_REGIONS,
    inline_regions::REDUCTION,
    remove_operations::OF_REGIONS,
    replace_by_operands::REDUCTION,
    drop_results::REDUCTION,
    drop_carried::REDUCTION,
    constants_to_arguments::REDUCTION,
    simplify_constants::REDUCTION,
    remove_attributes::REDUCTION,
    shrink_shapes::REDUCTION,
    simplify_element_types::REDUCTION,
];

/// Reduces the program until no reduction applies.
///
/// # Errors
/// Returns an error at the limits, or if a test cannot be run.
pub fn run(session: &mut Session) -> Result<(), Halt> {
    use_random_inputs(session)?;
    make_static(session)?;
    if session.program.text().len() >= LARGE_TEXT {
        session.reduce(&constants_to_arguments::REDUCTION)?;
        session.reduce(&simplify_constants::REDUCTION)?;
    }
    if session.program.value_bytes() >= LARGE_VALUES {
        session.reduce(&shrink_shapes::REDUCTION)?;
    }
    session.transform("symbol-dce", |before, after| {
        after.functions < before.functions
    })?;
    session.transform(INLINE, |before, after| {
        after.functions < before.functions && after.ops <= before.ops * LARGEST_GROWTH
    })?;
    session.transform("halo-flatten-tuples", |before, after| {
        after.ops < before.ops
    })?;
    let is_found = keep_operations::localize(session)?;
    let is_clear = session.reduce(&keep_operations::OF_FUNCTIONS)? || is_found;
    if !is_clear && !session.is_clear {
        session.interest.accept_noise();
    }
    loop {
        let mut is_smaller = false;
        let mut restarts = false;
        for reduction in ALL {
            let is_made = session.reduce(reduction)?;
            is_smaller |= is_made;
            restarts = is_made && reduction.restarts;
            if restarts {
                break;
            }
        }
        if restarts {
            continue;
        }
        is_smaller |= session.transform("canonicalize,cse,symbol-dce", |before, after| {
            after.ops < before.ops
        })?;
        if !is_smaller {
            break;
        }
    }
    name_entry(session)
}

/// Switches to random inputs, which adapt to new arguments; given ones do not.
fn use_random_inputs(session: &mut Session) -> Result<(), Halt> {
    if session.program.given.is_empty() {
        return Ok(());
    }
    session.first(1, |program, _| {
        program.changed(|draft| {
            draft.given.clear();
            true
        })
    })?;
    Ok(())
}

/// Replaces dynamic sizes of arguments by the sizes of the run, and refines the program.
fn make_static(session: &mut Session) -> Result<(), Halt> {
    let Some(types) = static_types(session) else {
        return Ok(());
    };
    let pipeline = format!(
        "stablehlo-refine-arguments{{types={{{}}}}},stablehlo-refine-shapes,\
         stablehlo-canonicalize-dynamism,symbol-dce",
        types.join(",")
    );
    session.transform(&pipeline, |_, _| true)?;
    Ok(())
}

/// The static types of the arguments in the run; `None` if all are static, or inputs are given.
fn static_types(session: &Session) -> Option<Vec<String>> {
    let program = &session.program;
    let entry = functions(root_of(program.module()))
        .into_iter()
        .find(|op| program.entry.is_some() && symbol_of(*op) == program.entry.as_deref())?;
    let types: Vec<Type> =
        entry.body(0)?.arguments().into_iter().map(|argument| argument.ty()).collect();
    let is_open = |ty: &Type| ty.is_tensor() && ty.static_shape().is_none();
    if !types.iter().any(is_open) || !program.given.is_empty() {
        return None;
    }
    let of = |ty: &Type| {
        let Some(sizes) = ty.shape().filter(|_| is_open(ty)) else {
            return ty.to_string();
        };
        let size = |size: &Option<i64>| format!("{}x", size.unwrap_or(UNKNOWN_SIZE as i64));
        let sizes: String = sizes.iter().map(size).collect();
        format!("tensor<{sizes}{}>", ty.element_type())
    };
    Some(types.iter().map(of).collect())
}

/// Renames the entry to the default name, which needs no option.
fn name_entry(session: &mut Session) -> Result<(), Halt> {
    session.first(1, |program, _| {
        program.changed(|draft| {
            let Some(entry) = draft.entry_function() else {
                return false;
            };
            let is_taken =
                functions(draft.root).into_iter().any(|op| symbol_of(op) == Some("main"));
            if is_taken || draft.named.contains(symbol_of(entry).unwrap_or_default()) {
                return false;
            }
            let name = string_attribute(entry.context(), "main");
            entry.set_attribute("sym_name", name);
            *draft.entry = Some("main".to_owned());
            true
        })
    })?;
    Ok(())
}
