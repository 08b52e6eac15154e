//! The op `chlo.ragged_dot`, a product whose left operand is partitioned into groups along one
//! dimension.
//!
//! The kind of that dimension determines the semantics of the groups. With batching dimensions `b`,
//! free dimensions `m` and `n`, contracting ones `k` and groups `g`: a free one gives `[b,m,k] x
//! [g,b,k,n] -> [b,m,n]`, a contracting one `[b,m,k] x [b,k,n] -> [g,b,m,n]`, a batching one
//! `[b,m,k] x [b,k,n] -> [b,m,n]`.

use crate::semantics::{op::Op, prelude::*};
use halo_ir::{prelude::*, stablehlo::attributes::RaggedDotDimensionNumbers};
use halo_stablehlo::semantics::{Product, ShapeText};

/// Infers the shape; the element type cannot be inferred.
pub fn ragged_dot(op: Op) -> Inference {
    let (lhs, rhs, sizes) = (op.operand(0)?, op.operand(1)?, op.operand(2)?);
    let precisions = op
        .attribute("precision_config")
        .map_or(0, |config| config.array_elements().len());
    if precisions > 2 {
        return Err(format!(
            "attribute 'precision_config' has {precisions} entries, but the op has 2 factors"
        ));
    }
    let numbers = op.required(
        "ragged_dot_dimension_numbers",
        RaggedDotDimensionNumbers::from_attribute,
    )?;
    let product = Product {
        lhs: &lhs,
        rhs: &rhs,
        batching: [
            &numbers.lhs_batching_dimensions,
            &numbers.rhs_batching_dimensions,
        ],
        contracting: [
            &numbers.lhs_contracting_dimensions,
            &numbers.rhs_contracting_dimensions,
        ],
    };
    product.check()?;
    let [ragged] = numbers.lhs_ragged_dimensions[..] else {
        return Err(format!(
            "'lhs_ragged_dimensions' has {} entries, but must have one",
            numbers.lhs_ragged_dimensions.len()
        ));
    };
    expect_dimensions("lhs_ragged_dimensions", &[ragged], lhs.rank(), "operand 0")?;
    group_sizes(&product, &sizes, ragged)?;
    let groups = sizes.dims.last().copied().unwrap_or(Dim::Dynamic);
    group_dimensions(&product, &numbers.rhs_group_dimensions, ragged, groups)?;
    let mut shape = product.shape(&numbers.rhs_group_dimensions);
    if product.contracting[0].contains(&ragged) {
        shape.insert(0, groups);
    }
    one(Inferred::shape(shape))
}

/// The group sizes are one vector for all, or one vector per index of the dimensions of the left
/// operand before the ragged one.
fn group_sizes(product: &Product<MlirType>, sizes: &Tensor, ragged: i64) -> VerifyResult {
    let lhs = product.lhs;
    let before = |list: &[i64]| -> Vec<i64> {
        list.iter().copied().take_while(|dimension| *dimension != ragged).collect()
    };
    let [batching, contracting] = [product.batching[0], product.contracting[0]];
    let outer: Vec<i64> = if batching.contains(&ragged) {
        before(batching)
    } else if contracting.contains(&ragged) {
        [batching.to_vec(), before(contracting)].concat()
    } else {
        let free =
            (0..ragged).filter(|index| !batching.contains(index) && !contracting.contains(index));
        batching.iter().copied().chain(free).collect()
    };
    match sizes.rank() {
        0 => sizes.expect_rank(1),
        1 => Ok(()),
        rank => {
            let mut expected: Vec<Dim> =
                outer.iter().map(|index| lhs.dims[*index as usize]).collect();
            expected.push(sizes.dims[rank - 1]);
            if rank != expected.len() {
                return Err(format!(
                    "operand 2 has rank {rank}, but must have rank {} or 1",
                    expected.len()
                ));
            }
            if sizes.dims.iter().zip(&expected).all(|(left, right)| left.agrees_with(*right)) {
                return Ok(());
            }
            Err(format!(
                "operand 2 has shape {}, but the ragged dimension implies shape {}",
                ShapeText(&sizes.dims),
                ShapeText(&expected)
            ))
        }
    }
}

/// The right operand has one group dimension if the ragged one is free, and none otherwise.
fn group_dimensions(
    product: &Product<MlirType>,
    grouped: &[i64],
    ragged: i64,
    groups: Dim,
) -> VerifyResult {
    let rhs = product.rhs;
    expect_dimensions("rhs_group_dimensions", grouped, rhs.rank(), "operand 1")?;
    for (name, list) in [
        ("rhs_batching_dimensions", product.batching[1]),
        ("rhs_contracting_dimensions", product.contracting[1]),
    ] {
        if let Some(dimension) = grouped.iter().find(|entry| list.contains(entry)) {
            return Err(format!(
                "'rhs_group_dimensions' and '{name}' both have {dimension}"
            ));
        }
    }
    let free = ![product.batching[0], product.contracting[0]]
        .iter()
        .any(|list| list.contains(&ragged));
    match (free, grouped) {
        (false, []) => Ok(()),
        (true, [dimension]) => {
            let size = rhs.dims[*dimension as usize];
            if size.agrees_with(groups) {
                return Ok(());
            }
            Err(format!(
                "dimension {dimension} of operand 1 has size {size}, but there are {groups} groups"
            ))
        }
        _ => Err(format!(
            "'rhs_group_dimensions' has {} entries, but must have {} where the ragged dimension \
             is {}",
            grouped.len(),
            u8::from(free),
            if free {
                "free"
            } else {
                "batching or contracting"
            }
        )),
    }
}
