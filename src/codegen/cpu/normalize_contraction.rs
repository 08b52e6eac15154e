//! Matrix products brought to the form that the kernels take.
//!
//! Two things keep a product from that form. Fusion may have put the
//! computation of a factor into the product, where it would run once for each
//! of the many times that the kernel reads an element. And a factor may have its
//! rows, columns or summed dimensions in an order in which they do not lie side
//! by side, so that they are not one dimension. Either way the factor is
//! computed into a buffer of its own first, in the order that fits:
//!
//! ```mlir
//! linalg.generic (m, n, k) ins(%a, %s, %b) outs(%c) {
//!   %0 = arith.mulf %a, %s
//!   %1 = arith.mulf %0, %b
//!   %2 = arith.addf %c, %1
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %t = memref.alloc()
//! linalg.generic (m, k) ins(%a, %s) outs(%t) { %0 = arith.mulf %a, %s }
//! linalg.generic (m, n, k) ins(%t, %b) outs(%c) { ... }
//! ```

use crate::loops::{
    emit::{self, Emitted},
    loop_nest::{Access, Expr, Extent, LoopNest, index_dimension},
};
use halo_ir::{
    Builder, Operation, Value, ValueMap, arguments_of, block_argument, clone_operation,
    defining_operation, element_type, has_identity_layout, mapped, name_of, operands_of,
    operations_of,
    ops::{Op, arith},
    results_of, terminator_of, value_key,
};
use melior::ir::ValueLike;
use std::collections::HashSet;

/// A factor that is computed in the product must be read this many times for a
/// buffer of its own to pay.
const REUSE: i64 = 8;

/// One of the two factors of a product.
struct Factor<'c> {
    /// What is multiplied, before its conversion to the type of the sums.
    value: Value<'c>,
    conversion: Option<Operation<'c>>,
    /// The ops of the body that compute it.
    operations: Vec<Operation<'c>>,
    /// The operands that it is computed from.
    accesses: Vec<usize>,
    /// The operand that it is, if nothing is computed.
    operand: Option<usize>,
    dims: HashSet<usize>,
}

/// A product as its parts.
struct Parts<'c> {
    nest: LoopNest<'c>,
    sum: Operation<'c>,
    product: Operation<'c>,
    factors: [Factor<'c>; 2],
}

/// The roles of the dimensions, each in the order in which a buffer has them.
struct Roles {
    batch: Vec<usize>,
    /// What one factor shares with C alone.
    own: [Vec<usize>; 2],
    inner: Vec<usize>,
    /// The factor that has the dimension along which C is contiguous.
    column_factor: usize,
}

/// The product in the form that the kernels take: the op itself, or one made in
/// its place, or the op itself where it is no product.
pub fn normalize_contraction<'c>(
    builder: &Builder<'c>,
    operation: Operation<'c>,
    least_work: i64,
) -> Emitted<Operation<'c>> {
    let Some(parts) = Parts::of(builder, operation)? else {
        return Ok(operation);
    };
    let Some(roles) = parts.roles() else {
        return Ok(operation);
    };
    let work = (0..parts.nest.dims.len())
        .map(|dim| parts.size(dim))
        .fold(1_i64, i64::saturating_mul);
    let layouts = [0, 1].map(|number| parts.layout(&roles, number));
    let is_needed = [0, 1].map(|number| !parts.fits(&roles, number));
    if work < least_work || is_needed == [false, false] {
        return Ok(operation);
    }
    for number in [0, 1] {
        let reuse: i64 = roles.own[1 - number]
            .iter()
            .map(|dim| parts.size(*dim))
            .product();
        if is_needed[number] && reuse < REUSE {
            return Ok(operation);
        }
    }
    let mut operands = Vec::new();
    for number in [0, 1] {
        let access = if is_needed[number] {
            parts.compute(builder, number, &layouts[number])?
        } else {
            let operand = parts.factors[number].operand.unwrap_or_default();
            parts.nest.accesses[operand].clone()
        };
        operands.push(access);
    }
    operands.push(parts.nest.accesses[parts.nest.input_count].clone());
    let made = parts.rebuild(builder, &operands)?;
    builder.erase(operation)?;
    Ok(made)
}

impl<'c> Parts<'c> {
    fn of(builder: &Builder<'c>, operation: Operation<'c>) -> Emitted<Option<Self>> {
        let Some(mut nest) = LoopNest::of(builder, operation)? else {
            return Ok(None);
        };
        nest.drop_unit_dims();
        Ok(Self::read(nest))
    }

    fn read(nest: LoopNest<'c>) -> Option<Self> {
        if nest.outputs().len() != 1 || nest.is_empty() {
            return None;
        }
        let out = *arguments_of(nest.body).last()?;
        let yielded = operands_of(terminator_of(nest.body)?);
        let (sum, _) = defining_operation(*yielded.first()?)?;
        let product = match (name_of(sum), &operands_of(sum)[..]) {
            (arith::AddFOp::NAME | arith::AddIOp::NAME, [x, y]) if *x == out => *y,
            (arith::AddFOp::NAME | arith::AddIOp::NAME, [x, y]) if *y == out => *x,
            _ => return None,
        };
        let (product, _) = defining_operation(product)?;
        if !matches!(name_of(product), arith::MulFOp::NAME | arith::MulIOp::NAME) {
            return None;
        }
        let [x, y] = operands_of(product)[..] else {
            return None;
        };
        let factors = [Factor::of(&nest, x)?, Factor::of(&nest, y)?];
        Some(Self {
            nest,
            sum,
            product,
            factors,
        })
    }

    fn size(&self, dim: usize) -> i64 {
        self.nest.dims[dim].extent.estimate()
    }

    /// The roles of the dimensions, where they are those of a matrix product
    /// whose result has its rows and its columns side by side.
    fn roles(&self) -> Option<Roles> {
        let c = &self.nest.outputs()[0];
        let c_dims: Vec<usize> = plain_dims(c)?;
        let (mut batch, mut own, mut inner) = (Vec::new(), [Vec::new(), Vec::new()], Vec::new());
        for dim in c_dims.iter().copied() {
            match self
                .factors
                .each_ref()
                .map(|factor| factor.dims.contains(&dim))
            {
                [true, true] => batch.push(dim),
                [true, false] => own[0].push(dim),
                [false, true] => own[1].push(dim),
                [false, false] => return None,
            }
        }
        for dim in 0..self.nest.dims.len() {
            if !matches!(self.nest.dims[dim].extent, Extent::Fixed(_)) {
                return None;
            }
            if c_dims.contains(&dim) {
                continue;
            }
            let shared = self.factors.iter().all(|factor| factor.dims.contains(&dim));
            if !shared || !self.nest.dims[dim].reduction {
                return None;
            }
            inner.push(dim);
        }
        let last = c_dims.last()?;
        let column_factor = own.iter().position(|dims| dims.contains(last))?;
        if inner.is_empty() || !own.iter().all(|dims| is_run(c, dims)) {
            return None;
        }
        // The order of the summed dimensions is free: that of a factor that
        // stays as it is, if there is one.
        let order = [column_factor, 1 - column_factor]
            .into_iter()
            .filter_map(|number| self.factors[number].operand)
            .find_map(|operand| {
                let access = &self.nest.accesses[operand];
                let order: Vec<usize> = plain_dims(access)?
                    .into_iter()
                    .filter(|dim| inner.contains(dim))
                    .collect();
                is_run(access, &order).then_some(order)
            });
        Some(Roles {
            batch,
            own,
            inner: order.unwrap_or(inner),
            column_factor,
        })
    }

    /// Whether a factor can be used as it is.
    fn fits(&self, roles: &Roles, number: usize) -> bool {
        self.factors[number].operand.is_some_and(|operand| {
            let access = &self.nest.accesses[operand];
            plain_dims(access).is_some()
                && is_run(access, &roles.own[number])
                && is_run(access, &roles.inner)
        })
    }

    /// The dimensions of the buffer that a factor is computed into.
    fn layout(&self, roles: &Roles, number: usize) -> Vec<usize> {
        let (own, inner) = (&roles.own[number], &roles.inner);
        let (first, last) = if number == roles.column_factor {
            (inner, own)
        } else {
            (own, inner)
        };
        [&roles.batch[..], first, last].concat()
    }

    /// Computes a factor into a buffer with the given dimensions.
    fn compute(
        &self,
        builder: &Builder<'c>,
        number: usize,
        layout: &[usize],
    ) -> Emitted<Access<'c>> {
        let factor = &self.factors[number];
        let sizes: Vec<i64> = layout.iter().map(|dim| self.size(*dim)).collect();
        let buffer = emit::alloc(builder, &sizes, factor.value.r#type())?;
        let place = |dim: usize| {
            let position = layout.iter().position(|own| *own == dim);
            Expr::Dim(position.unwrap_or_default())
        };
        let mut operands: Vec<Access<'c>> = factor
            .accesses
            .iter()
            .map(|operand| self.nest.accesses[*operand].clone())
            .collect();
        for index in operands.iter_mut().flat_map(|access| &mut access.indices) {
            index.rename(&place);
        }
        operands.push(Access {
            value: buffer,
            indices: (0..layout.len()).map(Expr::Dim).collect(),
            scalar: false,
        });
        emit::generic(
            builder,
            &operands,
            1,
            &vec![false; layout.len()],
            |builder, values| {
                let mut map = ValueMap::new();
                let arguments = arguments_of(self.nest.body);
                for (operand, value) in factor.accesses.iter().zip(values) {
                    map.insert(value_key(arguments[*operand]), *value);
                }
                for operation in &factor.operations {
                    if let Some(dim) = index_dimension(*operation) {
                        let index = match self.nest.origin[dim] {
                            Expr::Dim(dim) => {
                                let Expr::Dim(place) = place(dim) else {
                                    unreachable!("places are dimensions")
                                };
                                emit::linalg_index(builder, place)?
                            }
                            _ => emit::index(builder, 0)?,
                        };
                        map.insert(value_key(results_of(*operation)[0]), index);
                    } else {
                        clone_operation(builder, *operation, &mut map);
                    }
                }
                Ok(vec![mapped(&map, factor.value)])
            },
        )?;
        Ok(Access {
            value: buffer,
            indices: layout.iter().copied().map(Expr::Dim).collect(),
            scalar: false,
        })
    }

    /// The plain product of two factors.
    fn rebuild(&self, builder: &Builder<'c>, operands: &[Access<'c>]) -> Emitted<Operation<'c>> {
        let reductions: Vec<bool> = self.nest.dims.iter().map(|dim| dim.reduction).collect();
        emit::generic(builder, operands, 1, &reductions, |builder, values| {
            let mut map = ValueMap::new();
            for (factor, value) in self.factors.iter().zip(values) {
                map.insert(value_key(factor.value), *value);
                if let Some(conversion) = factor.conversion {
                    clone_operation(builder, conversion, &mut map);
                }
            }
            if let Some(out) = arguments_of(self.nest.body).last() {
                map.insert(value_key(*out), values[2]);
            }
            clone_operation(builder, self.product, &mut map);
            let sum = clone_operation(builder, self.sum, &mut map);
            Ok(results_of(sum))
        })
    }
}

impl<'c> Factor<'c> {
    fn of(nest: &LoopNest<'c>, value: Value<'c>) -> Option<Self> {
        let mut factor = Self {
            value,
            conversion: None,
            operations: Vec::new(),
            accesses: Vec::new(),
            operand: None,
            dims: HashSet::new(),
        };
        if let Some((operation, _)) = defining_operation(value)
            && matches!(
                name_of(operation),
                arith::ExtFOp::NAME | arith::ExtSIOp::NAME | arith::ExtUIOp::NAME
            )
        {
            factor.value = operands_of(operation)[0];
            factor.conversion = Some(operation);
        }
        let inside: HashSet<usize> = operations_of(nest.body)
            .into_iter()
            .map(halo_ir::operation_key)
            .collect();
        let mut needed = HashSet::new();
        let mut pending = vec![factor.value];
        while let Some(value) = pending.pop() {
            if let Some((block, number)) = block_argument(value) {
                if block == nest.body {
                    if number >= nest.input_count {
                        return None;
                    }
                    if !factor.accesses.contains(&number) {
                        factor.accesses.push(number);
                    }
                }
                continue;
            }
            let (operation, _) = defining_operation(value)?;
            let key = halo_ir::operation_key(operation);
            if !inside.contains(&key) || !needed.insert(key) {
                continue;
            }
            if let Some(dim) = index_dimension(operation) {
                match nest.origin.get(dim)? {
                    Expr::Dim(dim) => {
                        factor.dims.insert(*dim);
                    }
                    Expr::Constant(_) => {}
                    Expr::Binary(..) => return None,
                }
            }
            let mut contained = false;
            halo_ir::visit(operation, &mut |nested| {
                contained |= nested != operation;
                pending.extend(operands_of(nested));
            });
            if contained {
                return None;
            }
        }
        factor.operations = operations_of(nest.body)
            .into_iter()
            .filter(|operation| needed.contains(&halo_ir::operation_key(*operation)))
            .collect();
        for access in &factor.accesses {
            let access = &nest.accesses[*access];
            factor.dims.extend(
                (0..nest.dims.len())
                    .filter(|dim| access.indices.iter().any(|index| index.mentions(*dim))),
            );
        }
        if let (true, [operand]) = (factor.operations.is_empty(), &factor.accesses[..]) {
            factor.operand = (!nest.accesses[*operand].scalar).then_some(*operand);
        }
        let element = element_type(factor.value.r#type());
        (halo_ir::bits_of(element)? >= 8).then_some(factor)
    }
}

/// The loops that index an operand, in the order of its dimensions, where each
/// index is a loop of its own.
fn plain_dims(access: &Access) -> Option<Vec<usize>> {
    let mut dims = Vec::new();
    for index in &access.indices {
        match index {
            Expr::Dim(dim) if !dims.contains(dim) => dims.push(*dim),
            Expr::Constant(0) => {}
            _ => return None,
        }
    }
    (!access.scalar).then_some(dims)
}

/// Whether loops walk an operand as one.
fn is_run(access: &Access, dims: &[usize]) -> bool {
    if dims.len() < 2 {
        return true;
    }
    let Some(order) = plain_dims(access) else {
        return false;
    };
    has_identity_layout(access.value.r#type())
        && order.windows(dims.len()).any(|window| window == dims)
}
