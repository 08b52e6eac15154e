//! Products of tensors.

use super::prelude::*;

/// The precisions of the operands of a product: none, or one each.
pub fn precision_config<O: Op>(op: O) -> Result<Vec<&'static str>, String> {
    let config = op.cases("precision_config");
    if config.len() > 2 {
        return Err(format!(
            "attribute 'precision_config' has {} entries, but the op has 2 operands",
            config.len()
        ));
    }
    Ok(config)
}

/// An algorithm of `dot_general`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DotAlgorithm<T> {
    pub lhs_precision_type: T,
    pub rhs_precision_type: T,
    pub accumulation_type: T,
    pub lhs_component_count: i64,
    pub rhs_component_count: i64,
    pub num_primitive_operations: i64,
    pub allow_imprecise_accumulation: bool,
}

/// The rules of quantized products: the right operand is quantized too, and the left operand is
/// quantized if the result is. Section `dot_general`: (C14) to (C20) except for zero points;
/// `convolution`: (C28) to (C33).
pub fn quantized_product<T: Ty>(
    lhs: &Tensor<T>,
    rhs: &Tensor<T>,
    result: &Tensor<T>,
) -> VerifyResult {
    let [left, right, output] = [lhs, rhs, result].map(|tensor| tensor.element.quantized());
    let Some(right) = right else {
        return match (left, output) {
            (None, None) => Ok(()),
            _ => Err(format!(
                "{} has element type {}, but {} has element type {}",
                rhs.subject, rhs.element, lhs.subject, lhs.element
            )),
        };
    };
    if left.is_some() != output.is_some() {
        return Err(format!(
            "{} has element type {}, but {} has element type {}",
            result.subject, result.element, lhs.subject, lhs.element
        ));
    }
    let expressed = |tensor: &Tensor<T>, expected| {
        let found = tensor.element.quantized().map_or(tensor.element, |q| q.expressed);
        if found == expected {
            return Ok(());
        }
        Err(format!(
            "{} has element type {}, but {} expresses {expected}",
            tensor.subject, tensor.element, rhs.subject
        ))
    };
    expressed(lhs, right.expressed)?;
    expressed(result, right.expressed)?;
    let (Some(left), Some(output)) = (left, output) else {
        return Ok(());
    };
    if left.storage != right.storage {
        return Err(format!(
            "{} stores {}, but {} stores {}",
            rhs.subject, right.storage, lhs.subject, left.storage
        ));
    }
    if right.axis.is_none() && output.axis.is_some() {
        return Err(format!(
            "{} is quantized per axis, but {} is quantized per tensor",
            result.subject, rhs.subject
        ));
    }
    Ok(())
}

/// The op `dot`, which has no section in the specification: a product of vectors or matrices.
pub fn dot<O: Op>(op: O) -> Inference<O::Type> {
    let (lhs, rhs) = (op.operand(0)?, op.operand(1)?);
    precision_config(op)?;
    for tensor in [&lhs, &rhs] {
        if !(1..=2).contains(&tensor.rank()) {
            return Err(format!(
                "{} has rank {}, but must be a vector or a matrix",
                tensor.subject,
                tensor.rank()
            ));
        }
    }
    let (left, right) = (lhs.dims[lhs.rank() - 1], rhs.dims[0]);
    if !left.agrees_with(right) {
        return Err(format!(
            "the last dimension of operand 0 has size {left}, but the first of operand 1 has size \
             {right}"
        ));
    }
    let shape: Vec<Dim> =
        lhs.dims[..lhs.rank() - 1].iter().chain(&rhs.dims[1..]).copied().collect();
    one(Inferred::shape(shape))
}

/// The dimensions of a product, as `dot_general` and `ragged_dot` name them.
pub struct Product<'a, T> {
    pub lhs: &'a Tensor<T>,
    pub rhs: &'a Tensor<T>,
    pub batching: [&'a [i64]; 2],
    pub contracting: [&'a [i64]; 2],
}

impl<T: Ty> Product<'_, T> {
    /// (C1) to (C10) of `dot_general`.
    pub fn check(&self) -> VerifyResult {
        for ([left, right], kind) in [
            (self.batching, "batching"),
            (self.contracting, "contracting"),
        ] {
            if left.len() != right.len() {
                return Err(format!(
                    "'rhs_{kind}_dimensions' has {} entries, but 'lhs_{kind}_dimensions' has {}",
                    right.len(),
                    left.len()
                ));
            }
        }
        for (side, (tensor, name)) in [(self.lhs, "lhs"), (self.rhs, "rhs")].iter().enumerate() {
            let subject = tensor.subject.to_string();
            let names = ["batching", "contracting"].map(|kind| format!("{name}_{kind}_dimensions"));
            let lists = [self.batching[side], self.contracting[side]];
            for (name, list) in names.iter().zip(lists) {
                expect_dimensions(name, list, tensor.rank(), &subject)?;
                expect_unique(name, list)?;
            }
            if let Some(dimension) = lists[0].iter().find(|entry| lists[1].contains(entry)) {
                return Err(format!(
                    "'{}' and '{}' both have {dimension}",
                    names[0], names[1]
                ));
            }
        }
        for [left, right] in [self.batching, self.contracting] {
            for (from, to) in left.iter().zip(right) {
                let (left, right) = (self.lhs.dims[*from as usize], self.rhs.dims[*to as usize]);
                if !left.agrees_with(right) {
                    return Err(format!(
                        "dimension {to} of operand 1 has size {right}, but dimension {from} of \
                         operand 0 has size {left}"
                    ));
                }
            }
        }
        Ok(())
    }

    /// (C12) of `dot_general`: batching dimensions, then the other dimensions of the lhs, then of
    /// the rhs, without its dimensions in `grouped`.
    pub fn shape(&self, grouped: &[i64]) -> Vec<Dim> {
        let pairs = self.batching[0].iter().zip(self.batching[1]);
        let batching = pairs.map(|(left, right)| {
            self.lhs.dims[*left as usize].meet(self.rhs.dims[*right as usize])
        });
        let free = |tensor: &Tensor<T>, lists: [&[i64]; 3]| -> Vec<Dim> {
            (0_i64..)
                .zip(&tensor.dims)
                .filter(|(index, _)| lists.iter().all(|list| !list.contains(index)))
                .map(|(_, dim)| *dim)
                .collect()
        };
        let left = free(self.lhs, [self.batching[0], self.contracting[0], &[]]);
        let right = free(self.rhs, [self.batching[1], self.contracting[1], grouped]);
        batching.chain(left).chain(right).collect()
    }
}

/// Section `dot_general`: (C1) to (C12) and (C21), not (C13): operands of different element types
/// are common.
pub fn infer_dot_general<O: Op>(op: O) -> Inference<O::Type> {
    let (lhs, rhs) = (op.operand(0)?, op.operand(1)?);
    let numbers = required("dot_dimension_numbers", op.dot_dimension_numbers())?;
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
    let config = precision_config(op)?;
    if op.has("algorithm")
        && let Some(precision) = config.iter().find(|entry| **entry != "DEFAULT")
    {
        return Err(format!(
            "attribute 'precision_config' has {precision}, but with attribute 'algorithm' it must \
             be DEFAULT"
        ));
    }
    one(Inferred::shape(product.shape(&[])))
}

/// Section `dot_general`: (C14) to (C20).
pub fn dot_general<O: Op>(op: O) -> VerifyResult {
    let (lhs, rhs, result) = (op.operand(0)?, op.operand(1)?, op.result(0)?);
    let numbers = required("dot_dimension_numbers", op.dot_dimension_numbers())?;
    if let Some(right) = rhs.element.quantized() {
        if !right.is_symmetric() {
            return Err(format!(
                "operand 1 has element type {}, but its zero points must be 0",
                rhs.element
            ));
        }
        let contracting = &numbers.rhs_contracting_dimensions;
        if let Some(axis) = right.axis.filter(|axis| contracting.contains(axis)) {
            return Err(format!(
                "operand 1 is quantized along dimension {axis}, which is contracted"
            ));
        }
    }
    quantized_product(&lhs, &rhs, &result)
}

/// Operand type, accumulation type, and numbers of primitive products: the algorithms of existing
/// hardware, with one component per operand. Any two 8-bit floats are compatible.
const KNOWN_ALGORITHMS: &[(&str, &str, &[i64])] = &[
    ("f16", "f16", &[1]),
    ("f16", "f32", &[1]),
    ("bf16", "bf16", &[1]),
    ("bf16", "f32", &[1, 3, 6, 9]),
    ("f8E4M3FN", "f32", &[3, 4]),
    ("tf32", "f32", &[1, 3]),
    ("f32", "f32", &[1]),
    ("f64", "f64", &[1]),
];

/// (C22) to (C24) of `dot_general`: counts are positive, and (I8) to (I10): some hardware supports
/// the algorithm.
pub fn dot_algorithm<T: Ty>(algorithm: &DotAlgorithm<T>) -> VerifyResult {
    for (name, count) in [
        ("lhs_component_count", algorithm.lhs_component_count),
        ("rhs_component_count", algorithm.rhs_component_count),
        (
            "num_primitive_operations",
            algorithm.num_primitive_operations,
        ),
    ] {
        if count < 1 {
            return Err(format!(
                "a dot algorithm has {name} = {count}, but it must be positive"
            ));
        }
    }
    let (left, right) = (algorithm.lhs_precision_type, algorithm.rhs_precision_type);
    let accumulation = algorithm.accumulation_type.to_string();
    let products = algorithm.num_primitive_operations;
    let whole = algorithm.lhs_component_count == 1 && algorithm.rhs_component_count == 1;
    let is_byte = |element: T| element.is_float() && element.bit_width() == Some(8);
    let known = if is_byte(left) && is_byte(right) && accumulation == "f32" && products == 1 {
        true
    } else {
        let operand = left.to_string();
        left == right
            && KNOWN_ALGORITHMS.iter().any(|(of, to, counts)| {
                *of == operand && *to == accumulation && counts.contains(&products)
            })
    };
    if known && whole {
        return Ok(());
    }
    Err(format!(
        "no hardware is known to have a dot algorithm of {left} and {right} accumulated in \
         {accumulation} with {products} products"
    ))
}
