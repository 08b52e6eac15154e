//! `scatter`.
//!
//! XLA drops all updates of a window that is partly out of bounds, StableHLO only the updates that
//! are out of bounds. If there may be such windows, the indices go through a composite,
//! `xla.whole_windows`, which consumers may recognize; its decomposition moves a window that is
//! partly out of bounds to indices that are entirely out of bounds:
//!
//! ```mlir
//! %inside = stablehlo.composite "xla.whole_windows" %indices {decomposition = @whole_windows}
//!     : (tensor<5x1xi32>) -> tensor<5x1xi64>
//! %0 = "stablehlo.scatter"(%x, %inside, %updates) ...
//! ```

use super::{
    failure::{Failure, failure},
    importer::{Importer, WholeWindows},
    instruction::Instruction,
    types,
    values::Tree,
};
use halo_core::ElementType;
use halo_ir::{
    prelude::*,
    stablehlo::attributes::{ComparisonDirection, ScatterDimensionNumbers},
};
use melior::ir::r#type::FunctionType;

/// `scatter`: arrays, indices, and updates; several arrays result in a tuple.
pub fn scatter<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let numbers = ScatterDimensionNumbers {
        update_window_dims: i.integers("update_window_dims")?,
        inserted_window_dims: i.integers("inserted_window_dims")?,
        input_batching_dims: i.integers("input_batching_dims")?,
        scatter_indices_batching_dims: i.integers("scatter_indices_batching_dims")?,
        scatter_dims_to_operand_dims: i.integers("scatter_dims_to_operand_dims")?,
        index_vector_dim: i.expected_integer("index_vector_dim")?,
    };
    let mut values = i.values()?;
    let count = values.len() / 2;
    if let Some(limits) = limits(i, &numbers, count)
        && let Some(indices) = values.get_mut(count)
    {
        *indices = whole_windows(i, *indices, &numbers, limits)?;
    }
    let (arrays, rest) = values.split_at(count);
    let Some((indices, updates)) = rest.split_first() else {
        return Err(failure("scatter has indices"));
    };
    let body = i.region("to_apply")?;
    let op = stablehlo::ScatterOp::build(&i.builder, arrays, *indices, updates, &numbers, body)
        .indices_are_sorted(i.boolean("indices_are_sorted")?)
        .unique_indices(i.boolean("unique_indices")?);
    i.many(op.result_types(&i.result_types()?))
}

/// The last index of a window that is inside, and the first one that is entirely outside, for each
/// component of an index. `None` if no window can be partly outside, or if sizes are dynamic.
fn limits(
    i: &Instruction,
    numbers: &ScatterDimensionNumbers,
    count: usize,
) -> Option<Vec<(i64, i64)>> {
    let operand = types::static_sizes(i.operand_array(0).ok()?)?;
    types::static_sizes(i.operand_array(count).ok()?)?;
    let updates = types::static_sizes(i.operand_array(count.checked_add(1)?).ok()?)?;
    let mut windows = numbers.update_window_dims.iter();
    let mut sizes = Vec::new();
    for dimension in 0..operand.len() as i64 {
        let is_point = numbers.inserted_window_dims.contains(&dimension)
            || numbers.input_batching_dims.contains(&dimension);
        sizes.push(if is_point {
            1
        } else {
            *updates.get(usize::try_from(*windows.next()?).ok()?)?
        });
    }
    let windows = numbers.scatter_dims_to_operand_dims.iter().map(|dimension| {
        let dimension = usize::try_from(*dimension).ok()?;
        let (size, window) = (*operand.get(dimension)?, *sizes.get(dimension)?);
        Some((size, window))
    });
    let windows: Vec<(i64, i64)> = windows.collect::<Option<_>>()?;
    // A point is inside or outside.
    let partly = windows.iter().any(|(_, window)| *window > 1);
    let limits = windows.iter().map(|(size, window)| (size - window, *size));
    partly.then(|| limits.collect())
}

fn whole_windows<'m>(
    i: &Instruction<'_, 'm>,
    indices: Value<'m>,
    numbers: &ScatterDimensionNumbers,
    limits: Vec<(i64, i64)>,
) -> Result<Value<'m>, Failure> {
    let importer = i.importer;
    let wide = importer.element_type(ElementType::I64)?;
    let result = indices.ty().with_element_type(wide);
    let name = importer.whole_windows(WholeWindows {
        indices: indices.ty(),
        result,
        dimension: numbers.index_vector_dim,
        limits,
    });
    let op = stablehlo::CompositeOp::build(
        &i.builder,
        &[indices],
        "xla.whole_windows",
        &name,
        &[result],
        Vec::new(),
    );
    i.step(op.version(0))
}

impl<'m> Importer<'m> {
    /// The function that moves windows which are not inside.
    pub fn build_whole_windows(
        &self,
        name: &str,
        windows: &WholeWindows<'m>,
    ) -> Result<(), Failure> {
        let location = self.builder.location();
        let body =
            self.builder.region_at(&[(windows.indices, location)], |builder, arguments| {
                let moved = match arguments {
                    [indices] => self.moved(builder, *indices, windows)?,
                    _ => return Err(failure("expected the indices")),
                };
                func::return_(builder, &[moved]);
                Ok(())
            })?;
        let ty = FunctionType::new(self.context, &[windows.indices], &[windows.result]);
        let function = func::FuncOp::build(&self.builder, name, ty.into(), body)
            .sym_visibility("private")
            .insert()
            .operation();
        // So that the export does not make a computation of it.
        function.set_attribute("mhlo.opcode", self.string("scatter"));
        Ok(())
    }

    fn moved(
        &self,
        builder: &Builder<'m>,
        indices: Value<'m>,
        windows: &WholeWindows<'m>,
    ) -> Result<Value<'m>, Failure> {
        let sizes = windows.indices.static_shape();
        let sizes = sizes.ok_or_else(|| failure("expected indices of known size"))?;
        let shape = windows.result;
        let indices = stablehlo::convert(builder, indices, shape);
        let column = |number: fn(&(i64, i64)) -> i64| -> Result<Value<'m>, Failure> {
            let values: Vec<i64> = windows.limits.iter().map(number).collect();
            let vector = self.integers(builder, &values)?;
            // An index of one component need not be a vector.
            let (vector, dimensions) = if windows.dimension < sizes.len() as i64 {
                (vector, vec![windows.dimension])
            } else {
                let scalar = self.tensor_of(&[], ElementType::I64)?;
                (stablehlo::reshape(builder, vector, scalar), vec![])
            };
            let spread = stablehlo::broadcast_in_dim(builder, vector, &dimensions, shape);
            Ok(spread)
        };
        let zero = self.filled(builder, shape, 0)?;
        let above = stablehlo::compare(builder, indices, zero, ComparisonDirection::Ge);
        let last = column(|limit| limit.0)?;
        let below = stablehlo::compare(builder, indices, last, ComparisonDirection::Le);
        let mut inside = stablehlo::and(builder, above, below);
        if windows.dimension < sizes.len() as i64 {
            inside = self.all(builder, inside, &sizes, windows.dimension)?;
        }
        let outside = column(|limit| limit.1)?;
        Ok(stablehlo::select(builder, inside, indices, outside))
    }

    /// The conjunction along a dimension.
    fn all(
        &self,
        builder: &Builder<'m>,
        values: Value<'m>,
        sizes: &[i64],
        dimension: i64,
    ) -> Result<Value<'m>, Failure> {
        let scalar = self.tensor_of(&[], ElementType::I1)?;
        let r#true = self.number(builder, ElementType::I1, 1)?;
        let rest = (0..sizes.len() as i64).filter(|at| *at != dimension);
        let rest: Vec<i64> = rest.collect();
        let kept: Vec<i64> =
            (0..).zip(sizes).filter(|(at, _)| *at != dimension).map(|it| *it.1).collect();
        let body = builder.region(
            &[scalar, scalar],
            |builder, arguments| -> Result<(), Failure> {
                let [one, other] = arguments else {
                    return Err(failure("expected two truth values"));
                };
                let both = stablehlo::and(builder, *one, *other);
                stablehlo::return_(builder, &[both]);
                Ok(())
            },
        )?;
        let op = stablehlo::ReduceOp::build(builder, &[values], &[r#true], &[dimension], body);
        let kept = self.tensor_of(&kept, ElementType::I1)?;
        let all = op.result_types(&[kept]).value();
        let ty = values.ty();
        Ok(stablehlo::broadcast_in_dim(builder, all, &rest, ty))
    }
}
