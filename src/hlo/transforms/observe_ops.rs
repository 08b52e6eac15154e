//! `--halo-observe-ops`: passes the results of ops, and their operands, to a function of the host.
//!
//! The function finds the first op that makes NaN or an infinity (`halo-run --check-numerics`), or
//! records results for a comparison of two backends (`halo-run --compare`). It is a custom call
//! after each op, so that every backend with custom calls on the host supports it. The results are
//! in memory then, and ops are fused only as far as they still can be.
//!
//! ```mlir
//! %1 = stablehlo.log %0 : tensor<8xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %1 = stablehlo.log %0 : tensor<8xf32>
//! stablehlo.custom_call @halo.observe(%1, %0) {has_side_effect = true, backend_config = {
//!     event = "result", number = 4, op = "stablehlo.log", relation = "elementwise", ...}}
//! ```
//!
//! With `makes-floats`, a value that only `select` uses is no fault where it is not chosen: the call
//! is then after the last `select`, and has its predicates as additional operands. Before a `while`
//! and in its body, calls with the events `loop` and `iteration` count the iterations. Ops in the bodies of reductions and similar ops, constants, and results that are no
//! tensors are not observed.

use crate::matchers::ELEMENTWISE;
use halo_ir::{
    Location, LocationKind, diagnostics::file_line_column, dictionary_attribute,
    i64_array_attribute, prelude::*, stablehlo::attributes::CustomCallApiVersion,
};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Observe only ops that can make NaN or an infinity
        makes_floats: bool = false,
        /// Observe only ops outside of loops and branches
        straight_line: bool = false,
        /// Observe only ops of these names, or at these lines
        only: Vec<String> = "",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-observe-ops",
    "Pass the results of ops to a function of the host",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["stablehlo"])
.options::<Options>();

/// The custom call after an op.
pub const OBSERVE: &str = "halo.observe";

/// Ops with results that are elements of their operands, constants, or random numbers.
const MOVING: &[&str] = &[
    stablehlo::AbsOp::NAME,
    stablehlo::AllGatherOp::NAME,
    stablehlo::AllToAllOp::NAME,
    stablehlo::BitcastConvertOp::NAME,
    stablehlo::BroadcastInDimOp::NAME,
    stablehlo::BroadcastOp::NAME,
    stablehlo::CeilOp::NAME,
    stablehlo::ClampOp::NAME,
    stablehlo::CollectiveBroadcastOp::NAME,
    stablehlo::CollectivePermuteOp::NAME,
    stablehlo::ComplexOp::NAME,
    stablehlo::ConcatenateOp::NAME,
    stablehlo::CreateTokenOp::NAME,
    stablehlo::DynamicBroadcastInDimOp::NAME,
    stablehlo::DynamicGatherOp::NAME,
    stablehlo::DynamicIotaOp::NAME,
    stablehlo::DynamicPadOp::NAME,
    stablehlo::DynamicReshapeOp::NAME,
    stablehlo::DynamicSliceOp::NAME,
    stablehlo::DynamicUpdateSliceOp::NAME,
    stablehlo::FloorOp::NAME,
    stablehlo::GatherOp::NAME,
    stablehlo::GetTupleElementOp::NAME,
    stablehlo::ImagOp::NAME,
    stablehlo::InfeedOp::NAME,
    stablehlo::IotaOp::NAME,
    stablehlo::MaxOp::NAME,
    stablehlo::MinOp::NAME,
    stablehlo::NegOp::NAME,
    stablehlo::OptimizationBarrierOp::NAME,
    stablehlo::PadOp::NAME,
    stablehlo::RealDynamicSliceOp::NAME,
    stablehlo::RealOp::NAME,
    stablehlo::RecvOp::NAME,
    stablehlo::ReshapeOp::NAME,
    stablehlo::ReverseOp::NAME,
    stablehlo::RngBitGeneratorOp::NAME,
    stablehlo::RngOp::NAME,
    stablehlo::RoundNearestEvenOp::NAME,
    stablehlo::RoundOp::NAME,
    stablehlo::SelectOp::NAME,
    stablehlo::SetDimensionSizeOp::NAME,
    stablehlo::SignOp::NAME,
    stablehlo::SliceOp::NAME,
    stablehlo::SortOp::NAME,
    stablehlo::TorchIndexSelectOp::NAME,
    stablehlo::TransposeOp::NAME,
];

/// Elementwise ops with a result that is NaN or infinite if an operand is.
const KEEPING: &[&str] = &[
    stablehlo::AbsOp::NAME,
    stablehlo::AddOp::NAME,
    stablehlo::ConvertOp::NAME,
    stablehlo::MulOp::NAME,
    stablehlo::NegOp::NAME,
    stablehlo::SqrtOp::NAME,
    stablehlo::SubtractOp::NAME,
];

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = pass.options::<Options>();
    let mut observer = Observer {
        options,
        ops: 0,
        loops: Vec::new(),
        lines: Vec::new(),
        loop_count: 0,
    };
    let functions = pass.operation().collect_nested(|op| op.isa::<func::FuncOp>());
    for function in functions {
        if let Some(body) = function.body(0) {
            observer.observe_block(body, false);
        }
    }
    Ok(())
}

/// The state of the walk over a program.
struct Observer {
    options: Options,
    /// The number of ops until now.
    ops: i64,
    /// The numbers of the loops around an op, the outermost first, and their locations.
    loops: Vec<i64>,
    lines: Vec<String>,
    loop_count: i64,
}

impl Observer {
    fn observe_block(&mut self, block: Block, is_condition: bool) {
        for op in block.operations() {
            match op.name() {
                stablehlo::WhileOp::NAME | stablehlo::IfOp::NAME | stablehlo::CaseOp::NAME
                    if self.options.straight_line => {}
                stablehlo::WhileOp::NAME => self.observe_loop(op),
                stablehlo::IfOp::NAME | stablehlo::CaseOp::NAME => {
                    for body in op.blocks() {
                        self.observe_block(body, is_condition);
                    }
                }
                _ => self.observe_op(op, is_condition),
            }
        }
    }

    fn observe_loop(&mut self, op: Operation) {
        self.loops.push(self.loop_count);
        self.lines.push(file_line_column(op.location()).unwrap_or_default());
        self.loop_count += 1;
        with_builder(op, |b| {
            let b = b.at(op.location());
            b.set_before(op);
            self.call(&b, "loop", &[], Vec::new());
            if let Some(body) = op.body(1) {
                b.set_to_start(body);
                self.call(&b, "iteration", &[], Vec::new());
            }
        });
        for (region, is_condition) in [(0, true), (1, false)] {
            if let Some(body) = op.body(region) {
                self.observe_block(body, is_condition);
            }
        }
        self.loops.pop();
        self.lines.pop();
    }

    fn observe_op(&mut self, op: Operation, is_condition: bool) {
        let name = op.name();
        let is_of_hlo = name.starts_with("stablehlo.") || name.starts_with("chlo.");
        let is_constant = name == stablehlo::ConstantOp::NAME || name == chlo::ConstantOp::NAME;
        if !is_of_hlo || is_constant || !self.is_wanted(op) {
            return;
        }
        let number = self.ops;
        self.ops += 1;
        let context = op.context();
        let i64_type = integer_type(context, 64);
        let operands: Vec<Value> =
            op.operands().into_iter().filter(|operand| is_observable(*operand)).collect();
        for (position, result) in op.results().into_iter().enumerate() {
            let is_float = result.ty().element_type().is_float();
            if !is_observable(result) || self.options.makes_floats && !is_float {
                continue;
            }
            let callers: Vec<Attribute> = callers(op.location())
                .iter()
                .map(|caller| string_attribute(context, caller))
                .collect();
            let mut details = vec![
                ("number", integer_attribute(i64_type, number)),
                ("result", integer_attribute(i64_type, position as i64)),
                ("op", string_attribute(context, name)),
                (
                    "condition",
                    integer_attribute(i64_type, is_condition.into()),
                ),
                ("callers", array_attribute(context, &callers)),
            ];
            details.extend(relation(op));
            let mut observed: Vec<Value> = vec![result];
            observed.extend(&operands);
            let mut last = op;
            if self.options.makes_floats
                && let Some(selections) = selections(result)
            {
                let choices: Vec<i64> =
                    selections.iter().map(|selection| selection.chosen.into()).collect();
                details.push(("choices", i64_array_attribute(context, &choices)));
                for selection in selections {
                    observed.push(selection.predicate);
                    if last.is_before(selection.op) {
                        last = selection.op;
                    }
                }
            }
            with_builder(op, |b| {
                let b = b.at(op.location());
                b.set_after(last);
                self.call(&b, "result", &observed, details);
            });
        }
    }

    /// Returns true for an op that the options select.
    fn is_wanted(&self, op: Operation) -> bool {
        if self.options.makes_floats && MOVING.contains(&op.name()) {
            return false;
        }
        let only = &self.options.only;
        let line = || file_line_column(op.location()).unwrap_or_default();
        only.is_empty()
            || only.iter().any(|wanted| {
                op.name() == wanted
                    || op.name().split_once('.').is_some_and(|(_, short)| short == wanted)
                    || line().rsplit(':').nth(1) == Some(wanted)
            })
    }

    /// Inserts a call.
    fn call<'c>(
        &self,
        b: &Builder<'c>,
        event: &str,
        values: &[Value<'c>],
        details: Vec<(&str, Attribute<'c>)>,
    ) {
        let context = b.context();
        let lines: Vec<Attribute> =
            self.lines.iter().map(|line| string_attribute(context, line)).collect();
        let mut entries = vec![
            ("event", string_attribute(context, event)),
            ("loops", i64_array_attribute(context, &self.loops)),
            ("lines", array_attribute(context, &lines)),
        ];
        entries.extend(details);
        stablehlo::CustomCallOp::build(b, values, OBSERVE, &[])
            .has_side_effect(true)
            .api_version(CustomCallApiVersion::TypedFfi)
            .backend_config(dictionary_attribute(context, &entries))
            .insert();
    }
}

/// A `select` that a value reaches.
struct Selection<'c> {
    op: Operation<'c>,
    predicate: Value<'c>,
    /// The predicate for which it is chosen.
    chosen: bool,
}

/// The selections that alone use a value, possibly after ops that keep NaN and infinities. `None`
/// if there are other uses.
fn selections(value: Value<'_>) -> Option<Vec<Selection<'_>>> {
    let mut selections = Vec::new();
    let mut pending = vec![value];
    while let Some(next) = pending.pop() {
        for (user, operand) in next.uses() {
            if user.block() != value.parent_block() {
                return None;
            }
            match user.name() {
                stablehlo::SelectOp::NAME if operand > 0 => selections.push(Selection {
                    op: user,
                    predicate: user.operand(0)?,
                    chosen: operand == 1,
                }),
                name if KEEPING.contains(&name) => pending.extend(user.results()),
                stablehlo::CustomCallOp::NAME if is_observation(user) => {}
                _ => return None,
            }
        }
    }
    (!selections.is_empty()).then_some(selections)
}

fn is_observation(op: Operation) -> bool {
    op.cast::<stablehlo::CustomCallOp>()
        .is_some_and(|call| call.call_target_name() == OBSERVE)
}

/// Returns true for a tensor of numbers.
fn is_observable(value: Value) -> bool {
    let (ty, element) = (value.ty(), value.ty().element_type());
    ty.is_tensor() && ty.shape().is_some() && !element.is_quantized()
}

/// The elements of the operands that an element of the result depends on.
fn relation(op: Operation<'_>) -> Vec<(&'static str, Attribute<'_>)> {
    let context = op.context();
    let array = |dims: &[i64]| i64_array_attribute(context, dims);
    let of_name = |name| ("relation", string_attribute(context, name));
    let is_elementwise = ELEMENTWISE.contains(&op.name()) || op.name().starts_with("chlo.");
    if let Some(reduce) = op.cast::<stablehlo::ReduceOp>() {
        vec![
            of_name("reduce"),
            ("dimensions", array(&reduce.dimensions())),
        ]
    } else if let Some(dot) = op.cast::<stablehlo::DotGeneralOp>() {
        let dims = dot.dot_dimension_numbers();
        vec![
            of_name("dot"),
            ("lhs_batch", array(&dims.lhs_batching_dimensions)),
            ("rhs_batch", array(&dims.rhs_batching_dimensions)),
            ("lhs_contracted", array(&dims.lhs_contracting_dimensions)),
            ("rhs_contracted", array(&dims.rhs_contracting_dimensions)),
        ]
    } else if is_elementwise {
        vec![of_name("elementwise")]
    } else {
        vec![of_name("other")]
    }
}

/// The call sites of an inlined op, the innermost first.
fn callers(location: Location) -> Vec<String> {
    match location.kind() {
        LocationKind::CallSite { callee, caller } => {
            let own = file_line_column(caller);
            callers(callee).into_iter().chain(own).chain(callers(caller)).collect()
        }
        LocationKind::Name { child, .. } => callers(child),
        _ => Vec::new(),
    }
}
