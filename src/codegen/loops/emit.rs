//! Short forms of the ops that loop code is made of.
//!
//! Constants are created where they are used; canonicalization and CSE, which
//! run behind these passes, leave one of each.

use super::nest::{Access, Expr};
use halo_ir::{
    BuildError, Builder, Operation, Type, Value, affine_map_attribute, array_attribute,
    element_type, float_attribute, index_attribute, index_type, integer_attribute, integer_type,
    is_float, memref_type, operands_of, shape_of, splat_attribute,
};
use melior::ir::{AffineMap, Attribute, ValueLike, attribute::DenseI32ArrayAttribute};

/// The result of emitting code.
pub type Emitted<T> = Result<T, BuildError>;

/// `arith.constant N : index`
pub fn index<'c>(builder: &Builder<'c>, value: i64) -> Emitted<Value<'c>> {
    builder
        .op("arith.constant")
        .attribute("value", index_attribute(builder.context(), value))
        .result(index_type(builder.context()))
        .value()
}

/// A constant of a float, integer or index type. Integers get the value cut to
/// their width.
pub fn scalar<'c>(
    builder: &Builder<'c>,
    r#type: Type<'c>,
    real: f64,
    integer: i64,
) -> Emitted<Value<'c>> {
    let attribute = if is_float(r#type) {
        float_attribute(r#type, real)
    } else {
        integer_attribute(r#type, integer)
    };
    builder
        .op("arith.constant")
        .attribute("value", attribute)
        .result(r#type)
        .value()
}

/// The value of a constant of index type.
pub fn constant_index(value: Value) -> Option<i64> {
    let (operation, _) = halo_ir::defining_operation(value)?;
    if halo_ir::name_of(operation) != "arith.constant" {
        return None;
    }
    halo_ir::integer_attribute_value(halo_ir::attribute_of(operation, "value")?)
}

/// A binary op on indices, with the trivial cases folded.
pub fn binary<'c>(
    builder: &Builder<'c>,
    name: &str,
    lhs: Value<'c>,
    rhs: Value<'c>,
) -> Emitted<Value<'c>> {
    let (left, right) = (constant_index(lhs), constant_index(rhs));
    match (name, left, right) {
        ("arith.addi", Some(0), _) | ("arith.muli", Some(1), _) => return Ok(rhs),
        ("arith.addi" | "arith.subi", _, Some(0)) | ("arith.muli" | "arith.divui", _, Some(1)) => {
            return Ok(lhs);
        }
        ("arith.remui", _, Some(1)) => return index(builder, 0),
        ("arith.addi", Some(a), Some(b)) => return index(builder, a + b),
        ("arith.subi", Some(a), Some(b)) => return index(builder, a - b),
        ("arith.muli", Some(a), Some(b)) => return index(builder, a * b),
        _ => {}
    }
    builder.value(name, &[lhs, rhs], lhs.r#type())
}

/// `lhs + rhs`
pub fn add<'c>(builder: &Builder<'c>, lhs: Value<'c>, rhs: Value<'c>) -> Emitted<Value<'c>> {
    binary(builder, "arith.addi", lhs, rhs)
}

/// `lhs * factor`
pub fn scale<'c>(builder: &Builder<'c>, lhs: Value<'c>, factor: i64) -> Emitted<Value<'c>> {
    let factor = index(builder, factor)?;
    binary(builder, "arith.muli", lhs, factor)
}

/// The smaller of two indices.
pub fn minimum<'c>(builder: &Builder<'c>, lhs: Value<'c>, rhs: Value<'c>) -> Emitted<Value<'c>> {
    binary(builder, "arith.minsi", lhs, rhs)
}

/// `memref.load`
pub fn load<'c>(
    builder: &Builder<'c>,
    memref: Value<'c>,
    indices: &[Value<'c>],
) -> Emitted<Value<'c>> {
    builder
        .op("memref.load")
        .operands(&[memref])
        .operands(indices)
        .result(element_type(memref.r#type()))
        .value()
}

/// `memref.store`
pub fn store<'c>(
    builder: &Builder<'c>,
    value: Value<'c>,
    memref: Value<'c>,
    indices: &[Value<'c>],
) -> Emitted<Operation<'c>> {
    builder
        .op("memref.store")
        .operands(&[value, memref])
        .operands(indices)
        .insert()
}

/// `memref.alloc` of a contiguous buffer, aligned to a cache line.
pub fn alloc<'c>(builder: &Builder<'c>, dims: &[i64], element: Type<'c>) -> Emitted<Value<'c>> {
    builder
        .op("memref.alloc")
        .attribute(
            "operandSegmentSizes",
            DenseI32ArrayAttribute::new(builder.context(), &[0, 0]),
        )
        .attribute(
            "alignment",
            integer_attribute(
                melior::ir::r#type::IntegerType::new(builder.context(), 64).into(),
                64,
            ),
        )
        .result(memref_type(dims, element))
        .value()
}

/// `scf.for` that carries values; the function gets the index and the carried
/// values and returns the next ones.
pub fn for_loop<'c>(
    builder: &Builder<'c>,
    (lower, upper, step): (Value<'c>, Value<'c>, Value<'c>),
    carried: &[Value<'c>],
    body: impl FnOnce(&Builder<'c>, Value<'c>, &[Value<'c>]) -> Emitted<Vec<Value<'c>>>,
) -> Emitted<Vec<Value<'c>>> {
    let types: Vec<_> = carried.iter().map(|value| value.r#type()).collect();
    let mut arguments = vec![index_type(builder.context())];
    arguments.extend(&types);
    let region = builder.region(&arguments, |builder, values| {
        let next = body(builder, values[0], &values[1..])?;
        builder.op("scf.yield").operands(&next).insert()?;
        Ok::<_, BuildError>(())
    })?;
    let operation = builder
        .op("scf.for")
        .operands(&[lower, upper, step])
        .operands(carried)
        .results(&types)
        .region(region)
        .insert()?;
    Ok(halo_ir::results_of(operation))
}

/// `scf.for` from 0 to a constant in steps of a constant, carrying nothing.
pub fn for_range<'c>(
    builder: &Builder<'c>,
    upper: i64,
    step: i64,
    body: impl FnOnce(&Builder<'c>, Value<'c>) -> Emitted<()>,
) -> Emitted<()> {
    let bounds = (
        index(builder, 0)?,
        index(builder, upper)?,
        index(builder, step)?,
    );
    for_loop(builder, bounds, &[], |builder, iv, _| {
        body(builder, iv)?;
        Ok(Vec::new())
    })?;
    Ok(())
}

/// A one-dimensional `scf.parallel` from 0 in steps of 1.
pub fn parallel<'c>(
    builder: &Builder<'c>,
    count: Value<'c>,
    body: impl FnOnce(&Builder<'c>, Value<'c>) -> Emitted<()>,
) -> Emitted<Operation<'c>> {
    let region = builder.region(&[index_type(builder.context())], |builder, values| {
        body(builder, values[0])?;
        builder.op("scf.reduce").insert()?;
        Ok::<_, BuildError>(())
    })?;
    builder
        .op("scf.parallel")
        .operands(&[index(builder, 0)?, count, index(builder, 1)?])
        .attribute(
            "operandSegmentSizes",
            DenseI32ArrayAttribute::new(builder.context(), &[1, 1, 1, 0]),
        )
        .region(region)
        .insert()
}

/// `linalg.index`
pub fn linalg_index<'c>(builder: &Builder<'c>, dim: usize) -> Emitted<Value<'c>> {
    let i64_type = integer_type(builder.context(), 64);
    builder
        .op("linalg.index")
        .attribute("dim", integer_attribute(i64_type, dim as i64))
        .result(index_type(builder.context()))
        .value()
}

/// `linalg.generic` on memrefs. The last `outputs` of the operands are written;
/// the function gets an element of each operand and returns what to yield.
pub fn generic<'c>(
    builder: &Builder<'c>,
    operands: &[Access<'c>],
    outputs: usize,
    reductions: &[bool],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Emitted<Vec<Value<'c>>>,
) -> Emitted<Operation<'c>> {
    let context = builder.context();
    let maps: Vec<_> = operands
        .iter()
        .map(|access| {
            let results: Vec<_> = access
                .indices
                .iter()
                .map(|index| index.to_affine(context))
                .collect();
            affine_map_attribute(AffineMap::new(context, reductions.len(), 0, &results))
        })
        .collect();
    let kinds: Vec<_> = reductions
        .iter()
        .filter_map(|reduction| {
            let kind = if *reduction { "reduction" } else { "parallel" };
            Attribute::parse(context, &format!("#linalg.iterator_type<{kind}>"))
        })
        .collect();
    let values: Vec<_> = operands.iter().map(|access| access.value).collect();
    let types: Vec<_> = values
        .iter()
        .map(|value| element_type(value.r#type()))
        .collect();
    let region = builder.region(&types, |builder, values| {
        let results = body(builder, values)?;
        builder.op("linalg.yield").operands(&results).insert()?;
        Ok::<_, BuildError>(())
    })?;
    let segments = [(operands.len() - outputs) as i32, outputs as i32];
    builder
        .op("linalg.generic")
        .operands(&values)
        .attribute("indexing_maps", array_attribute(context, &maps))
        .attribute("iterator_types", array_attribute(context, &kinds))
        .attribute(
            "operandSegmentSizes",
            DenseI32ArrayAttribute::new(context, &segments),
        )
        .region(region)
        .insert()
}

/// `arith.cmpi` with a predicate by its name: `eq`, `slt`, `ult` and so on.
pub fn compare<'c>(
    builder: &Builder<'c>,
    predicate: &str,
    lhs: Value<'c>,
    rhs: Value<'c>,
) -> Emitted<Value<'c>> {
    const PREDICATES: [&str; 10] = [
        "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
    ];
    let number = PREDICATES.iter().position(|name| *name == predicate);
    let number = number.ok_or_else(|| BuildError {
        operation: format!("arith.cmpi {predicate}"),
    })?;
    let context = builder.context();
    builder
        .op("arith.cmpi")
        .operands(&[lhs, rhs])
        .attribute(
            "predicate",
            integer_attribute(integer_type(context, 64), number as i64),
        )
        .result(integer_type(context, 1))
        .value()
}

/// Zero of a scalar type, or of a vector of them.
pub fn zero<'c>(builder: &Builder<'c>, r#type: Type<'c>) -> Emitted<Value<'c>> {
    let element = element_type(r#type);
    if element == r#type {
        return scalar(builder, r#type, 0.0, 0);
    }
    let number = if is_float(element) {
        float_attribute(element, 0.0)
    } else {
        integer_attribute(element, 0)
    };
    builder
        .op("arith.constant")
        .attribute("value", splat_attribute(r#type, number))
        .result(r#type)
        .value()
}

/// The copy as an elementwise op.
pub fn copy_as_generic<'c>(
    builder: &Builder<'c>,
    operation: Operation<'c>,
) -> Emitted<Operation<'c>> {
    let accesses: Vec<Access> = operands_of(operation)
        .into_iter()
        .map(|value| Access {
            value,
            indices: (0..shape_of(value.r#type()).map_or(0, |shape| shape.len()))
                .map(Expr::Dim)
                .collect(),
            scalar: false,
        })
        .collect();
    let parallel = vec![false; accesses[0].indices.len()];
    generic(builder, &accesses, 1, &parallel, |_, values| {
        Ok(vec![values[0]])
    })
}
