//! Lowers loops and branches. Variables hold their carried values and results.
//!
//! A sum that may be reassociated gets OpenMP's `simd reduction` pragma. Compilers that do not
//! support the pragma compute it in order.

use super::super::c_code::{CCode, boolean};
use halo_ir::{
    conversion::{Conversion, Lowered, OpConversion},
    emitc::lvalue,
    ops::{
        arith::FastMathFlags,
        emitc::{self, CmpPredicate},
    },
    prelude::*,
};

/// Adds the lowerings of `scf`.
pub fn add(conversion: Conversion) -> Conversion {
    conversion
        .lowering::<scf::ForOp>(0, for_)
        .lowering::<scf::IfOp>(0, if_)
        .lowering::<scf::IndexSwitchOp>(0, index_switch)
        .lowering::<scf::WhileOp>(0, while_)
}

/// Variables for values.
fn variables<'c>(code: CCode<'_, 'c>, types: &[Type<'c>]) -> Vec<Value<'c>> {
    let variable = |ty: &Type<'c>| code.variable(lvalue(*ty));
    types.iter().map(variable).collect()
}

fn load_all<'c>(
    code: CCode<'_, 'c>,
    variables: &[Value<'c>],
    types: &[Type<'c>],
) -> Vec<Value<'c>> {
    let variables = variables.iter().zip(types);
    let load = |(variable, ty): (&Value<'c>, &Type<'c>)| code.load(*variable, *ty);
    variables.map(load).collect()
}

fn assign_all<'c>(code: CCode<'_, 'c>, variables: &[Value<'c>], values: &[Value<'c>]) {
    for (variable, value) in variables.iter().zip(values) {
        code.assign(*variable, *value);
    }
}

fn for_<'c>(op: OpConversion<'_, 'c>, _: scf::ForOp<'c>) -> Lowered<'c> {
    let code = CCode(&op.builder);
    let (lower, upper, step) = (op.operand(0)?, op.operand(1)?, op.operand(2)?);
    let inits = op.operands.get(3..).unwrap_or_default();
    let types = inits.types();
    let carried = variables(code, &types);
    assign_all(code, &carried, inits);
    let body = op.body(0)?;
    let region = op.builder.region(&[lower.ty()], |builder, arguments| {
        let code = CCode(builder);
        let values = load_all(code, &carried, &types);
        op.map(&body.arguments(), &[arguments, &values].concat())?;
        let next = op.convert_block(builder, body)?;
        assign_all(code, &carried, &next);
        emitc::yield_(builder);
        Ok::<_, RewriteError>(())
    })?;
    if let ([sum], Some(operator)) = (&carried[..], free_sum(op.op)) {
        code.verbatim(
            &format!("#pragma omp simd reduction({operator}:{{}})"),
            &[*sum],
        );
    }
    emitc::for_(&op.builder, lower, upper, step, region);
    Ok(load_all(code, &carried, &types))
}

/// The operator of a reduction that may be reassociated, if it is the loop's only carried value. C
/// compilers vectorize it with a pragma.
fn free_sum(op: Operation) -> Option<&'static str> {
    let body = op.body(0)?;
    let [_, carried] = body.arguments()[..] else {
        return None;
    };
    let [sum] = body.terminator()?.operands()[..] else {
        return None;
    };
    let (operator, fastmath) = match sum.defined_by::<arith::AddFOp>() {
        Some(add) => ("+", add.fastmath()),
        None => ("*", sum.defined_by::<arith::MulFOp>()?.fastmath()),
    };
    let is_loop = |nested: Operation| nested.isa::<scf::ForOp>() || nested.isa::<scf::WhileOp>();
    let is_innermost = op.collect_nested(is_loop).is_empty();
    let is_met_once = carried.users().len() == 1 && sum.users().len() == 1;
    let is_free = fastmath.contains(FastMathFlags::REASSOC);
    (is_free && is_innermost && is_met_once).then_some(operator)
}

/// Lowers a branch, which assigns its yielded values to the variables of the results.
fn branch<'c>(
    op: &OpConversion<'_, 'c>,
    block: Option<Block<'c>>,
    results: &[Value<'c>],
) -> RewriteResult<halo_ir::Region<'c>> {
    let Some(block) = block else {
        return Ok(halo_ir::Region::new());
    };
    op.builder.region(&[], |builder, _| {
        let values = op.convert_block(builder, block)?;
        assign_all(CCode(builder), results, &values);
        emitc::yield_(builder);
        Ok(())
    })
}

fn if_<'c>(op: OpConversion<'_, 'c>, _: scf::IfOp<'c>) -> Lowered<'c> {
    let code = CCode(&op.builder);
    let results = variables(code, &op.results);
    let then = branch(&op, Some(op.body(0)?), &results)?;
    let otherwise = branch(&op, op.op.body(1), &results)?;
    emitc::if_(&op.builder, op.operand(0)?, then, otherwise);
    Ok(load_all(code, &results, &op.results))
}

/// Lowers a switch to a chain of comparisons, with the default as the last branch.
fn index_switch<'c>(op: OpConversion<'_, 'c>, switch: scf::IndexSwitchOp<'c>) -> Lowered<'c> {
    let code = CCode(&op.builder);
    let results = variables(code, &op.results);
    let cases: Vec<i64> = switch.cases().clone();
    case(&op, &op.builder, (&cases, 0), &results)?;
    Ok(load_all(code, &results, &op.results))
}

fn case<'c>(
    op: &OpConversion<'_, 'c>,
    builder: &Builder<'c>,
    (cases, number): (&[i64], usize),
    results: &[Value<'c>],
) -> RewriteResult {
    let code = CCode(builder);
    let Some(value) = cases.get(number) else {
        let values = op.convert_block(builder, op.body(0)?)?;
        return {
            assign_all(code, results, &values);
            Ok(())
        };
    };
    let selected = code.compare(CmpPredicate::Eq, op.operand(0)?, code.index(*value));
    let then = branch(op, Some(op.body(number + 1)?), results)?;
    let otherwise = builder.region(&[], |builder, _| {
        case(op, builder, (cases, number + 1), results)?;
        emitc::yield_(builder);
        Ok::<_, RewriteError>(())
    })?;
    emitc::if_(builder, selected, then, otherwise);
    Ok(())
}

/// Lowers a while loop to `do { before; if (goes_on) { after } } while (goes_on)`.
fn while_<'c>(op: OpConversion<'_, 'c>, _: scf::WhileOp<'c>) -> Lowered<'c> {
    let code = CCode(&op.builder);
    let types = op.operands.types();
    let carried = variables(code, &types);
    assign_all(code, &carried, &op.operands);
    let results = variables(code, &op.results);
    let bool_type = boolean(op.builder.context());
    let goes_on = code.variable(lvalue(bool_type));
    let (before, after) = (op.body(0)?, op.body(1)?);
    let body = op.builder.region(&[], |builder, _| {
        let code = CCode(builder);
        op.map(&before.arguments(), &load_all(code, &carried, &types))?;
        let passed = op.convert_block(builder, before)?;
        let [condition, passed @ ..] = &passed[..] else {
            return Err(RewriteError::Invalid("a loop has no condition".into()));
        };
        code.assign(goes_on, *condition);
        assign_all(code, &results, passed);
        op.map(&after.arguments(), passed)?;
        let then = builder.region(&[], |builder, _| {
            let next = op.convert_block(builder, after)?;
            assign_all(CCode(builder), &carried, &next);
            emitc::yield_(builder);
            Ok::<_, RewriteError>(())
        })?;
        emitc::if_(builder, *condition, then, halo_ir::Region::new());
        Ok(())
    })?;
    let condition = op.builder.region(&[], |builder, _| {
        let expression = builder.region(&[lvalue(bool_type)], |builder, arguments| {
            let value = CCode(builder).load(arguments[0], bool_type);
            emitc::YieldOp::build(builder).result(value).insert();
        });
        let holds = emitc::ExpressionOp::build(builder, &[goes_on], bool_type, expression);
        let holds = holds.value();
        emitc::YieldOp::build(builder).result(holds).insert();
        Ok::<_, RewriteError>(())
    })?;
    emitc::do_(&op.builder, body, condition);
    Ok(load_all(code, &results, &op.results))
}
