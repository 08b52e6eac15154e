//! Convolutions whose spatial sizes are known only at run time: one loop nest over all indices. The
//! kernel and the features have static sizes.

use super::{Convolution, Operand, Role, grouped_sizes, is_of_input, roles_of};
use crate::conversion::stablehlo_legalize_to_linalg::{
    Lowered, Lowering, dot, reduce_window, slice,
};
use halo_hlo::semantics::WindowDim;
use halo_ir::{prelude::*, stablehlo::attributes::ConvDimensionNumbers};
use melior::ir::AffineExpr;

/// The attributes of a convolution.
pub(super) struct Attributes<'c> {
    pub numbers: ConvDimensionNumbers,
    pub window: Vec<WindowDim>,
    /// The padding before and after each spatial dimension.
    pub padding: Vec<[Size<'c>; 2]>,
    pub feature_groups: i64,
    pub batch_groups: i64,
    pub reversed: Vec<i64>,
    pub precision: dot::Precision,
}

impl<'c> Lowering<'_, 'c> {
    /// Emits one loop nest for the convolution.
    pub(super) fn convolution_of_any_size(&self, attributes: &Attributes<'c>) -> Lowered<'c> {
        let b = &self.builder;
        let numbers = &attributes.numbers;
        let original = self.original_elements();
        let (input, kernel) = (self.operand(0)?, self.operand(1)?);
        let groups = attributes.feature_groups.max(attributes.batch_groups);
        let kernel_sizes = kernel.ty().static_shape().ok_or_else(|| self.is_dynamic(kernel))?;
        let batch = numbers.input_batch_dimension as usize;
        let channel = numbers.input_feature_dimension as usize;
        let mut sizes = self.sizes(0)?;
        let divided = if attributes.batch_groups > 1 {
            batch
        } else {
            channel
        };
        if groups > 1 && sizes[divided].known().is_none() {
            return Err(self.is_dynamic(input));
        }
        let channels = kernel_sizes[numbers.kernel_input_feature_dimension as usize];
        let all_channels = Size::Static(channels * attributes.feature_groups);
        self.expect_equal(
            sizes[channel],
            "the number of input features",
            all_channels,
            "",
        );
        sizes[channel] = all_channels;

        let known: Vec<i64> = sizes.iter().map(|size| size.known().unwrap_or(0)).collect();
        let input_roles = roles_of(
            (&known, groups),
            (
                numbers.input_batch_dimension,
                Role::Batch,
                attributes.batch_groups > 1,
            ),
            (
                numbers.input_feature_dimension,
                Role::Channel,
                attributes.feature_groups > 1,
            ),
            &numbers.input_spatial_dimensions,
            Role::Input,
        );
        let kernel_roles = roles_of(
            (&kernel_sizes, groups),
            (numbers.kernel_input_feature_dimension, Role::Channel, false),
            (
                numbers.kernel_output_feature_dimension,
                Role::Feature,
                groups > 1,
            ),
            &numbers.kernel_spatial_dimensions,
            Role::Kernel,
        );
        // The padding of each dimension of the input, and the number of windows in it.
        let mut padding = Vec::new();
        let mut windows = vec![Size::Static(0); attributes.window.len()];
        for (roles, size) in input_roles.iter().zip(&sizes) {
            let mut amounts = [Size::Static(0); 3];
            if let [Role::Input(number)] = roles[..] {
                let window = attributes.window[number];
                let [low, high] = attributes.padding[number];
                amounts = [low, Size::Static(window.base_dilation - 1), high];
                let padded = slice::Padding::around(b, *size, amounts);
                windows[number] = reduce_window::windows_in(b, padded.target, window);
            }
            padding.push(slice::Padding::around(b, *size, amounts));
        }
        let mut target = vec![Size::Static(0); sizes.len()];
        target[numbers.output_batch_dimension as usize] = match sizes[batch] {
            Size::Static(size) => (size / attributes.batch_groups).into(),
            size => size,
        };
        target[numbers.output_feature_dimension as usize] =
            kernel_sizes[numbers.kernel_output_feature_dimension as usize].into();
        for (dimension, count) in numbers.output_spatial_dimensions.iter().zip(windows) {
            target[*dimension as usize] = count;
        }
        let result = self.result_shape(0, &target)?;
        let known: Vec<i64> = result.sizes.iter().map(|size| size.known().unwrap_or(0)).collect();
        let output_roles = roles_of(
            (&known, groups),
            (numbers.output_batch_dimension, Role::Batch, false),
            (numbers.output_feature_dimension, Role::Feature, groups > 1),
            &numbers.output_spatial_dimensions,
            Role::Output,
        );

        let zero = arith::number(b, input.ty().element_type(), 0);
        let input = slice::padded(b, input, zero, &padding);
        let kernel = structured::reverse(b, kernel, &attributes.reversed);
        let operand = |value: Value<'c>, original, roles: &[Vec<Role>]| Operand {
            value: structured::reshape_to(b, value, &grouped_sizes(b, value, roles, groups)),
            roles: roles.concat(),
            original,
        };
        let input = operand(input, original[0], &input_roles);
        let kernel = operand(kernel, original[1], &kernel_roles);
        let output = output_roles.concat();
        let mut roles = output.clone();
        roles.extend((0..attributes.window.len()).map(Role::Kernel));
        roles.push(Role::Channel);
        let expanded = output_roles.iter().zip(&result.sizes).flat_map(|(roles, size)| {
            match (roles.len(), size.known()) {
                (2, Some(size)) => vec![groups.into(), Size::Static(size / groups)],
                _ => vec![*size],
            }
        });
        let sums = Convolution::sums(
            b,
            [&input, &kernel]
                .map(|operand| (operand, loops(b, operand, &roles, &attributes.window))),
            &Shape::new(expanded.collect(), result.element),
            roles.len(),
            |b| {
                let padding = attributes.padding.iter().map(|[low, _]| *low);
                is_of_input(b, &roles, &attributes.window, &padding.collect::<Vec<_>>())
            },
        )?;
        attributes.precision.annotate(b, sums);
        let value = dot::rounded(b, sums, result.element);
        Ok(vec![structured::reshape_to(b, value, &result.sizes)])
    }

    fn is_dynamic(&self, operand: Value) -> RewriteError {
        RewriteError::Invalid(format!(
            "'{}' has the dynamic shape {} in a dimension that must be static: refine the shapes \
             first",
            self.op.name(),
            operand.ty()
        ))
    }
}

/// The map from loops over `roles` to an operand.
fn loops<'c>(
    b: &Builder<'c>,
    operand: &Operand<'c>,
    roles: &[Role],
    window: &[WindowDim],
) -> AffineMap<'c> {
    let index = |role: Role| {
        let number = roles.iter().position(|other| *other == role);
        number.map_or(AffineExpr::constant(b.context(), 0), |number| {
            AffineExpr::dim(b.context(), number)
        })
    };
    let indices: Vec<AffineExpr> = operand
        .roles
        .iter()
        .map(|role| match *role {
            Role::Input(number) => {
                let output = index(Role::Output(number));
                let inside = index(Role::Kernel(number));
                reduce_window::scaled(b, output, window[number].stride)
                    + reduce_window::scaled(b, inside, window[number].dilation)
            }
            role => index(role),
        })
        .collect();
    structured::map(b, roles.len(), &indices)
}
