//! Convolutions of a dilated input, as transposed convolutions and the gradients of strided ones
//! are.
//!
//! Between the elements of a dilated input are zeros. Whether an element of the kernel is multiplied
//! by one of them depends only on its index and on the index of the output, modulo a number of
//! phases. The outputs of one phase form a convolution of the input without dilation by a strided
//! slice of the kernel:
//!
//! ```mlir
//! %0 = stablehlo.convolution(%x, %w) ..., window = {pad = [[1, 1]], lhs_dilate = [2]}
//!        : (tensor<1x9x4xf32>, tensor<3x4x8xf32>) -> tensor<1x17x8xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %even = /* the convolution of %x and the second element of %w */
//! %1 = tensor.insert_slice %even into %empty[0, 0, 0] [1, 9, 8] [1, 2, 1]
//! %odd = /* the convolution of %x and the first and the third element of %w */
//! %2 = tensor.insert_slice %odd into %1[0, 1, 0] [1, 8, 8] [1, 2, 1]
//! ```

use super::{Convolution, Operand, Role};
use crate::conversion::stablehlo_legalize_to_linalg::slice;
use halo_hlo::semantics::WindowDim;
use halo_ir::prelude::*;
use num_integer::{div_ceil, gcd};

/// The maximal number of convolutions. For more phases, one convolution of the input with zeros
/// between its elements skips them.
const MOST_PHASES: usize = 64;

/// The outputs at one index of a dimension modulo the number of phases.
#[derive(Clone, Copy)]
struct Phase {
    first_output: i64,
    output_step: i64,
    output_count: i64,
    first_of_kernel: i64,
    kernel_step: i64,
    /// The window over the input without dilation, by the slice of the kernel.
    window: WindowDim,
}

/// The phases of a dimension with `output_count` outputs.
fn phases_of(window: WindowDim, output_count: i64) -> Vec<Phase> {
    let base = window.base_dilation;
    let output_step = base / gcd(base, window.stride);
    let kernel_step = base / gcd(base, window.dilation);
    let mut phases = Vec::new();
    for first_output in 0..output_step.min(output_count) {
        // The place of an element of the kernel in the dilated input.
        let place =
            |index: i64| first_output * window.stride + index * window.dilation - window.padding.0;
        let kernel_size = window.size.unwrap_or(1);
        let first = (0..kernel_step.min(kernel_size)).find(|index| place(*index) % base == 0);
        let first_of_kernel = first.unwrap_or(kernel_size);
        let start = first.map_or(0, |index| place(index) / base);
        phases.push(Phase {
            first_output,
            output_step,
            output_count: div_ceil(output_count - first_output, output_step),
            first_of_kernel,
            kernel_step,
            window: WindowDim {
                size: Some(div_ceil(kernel_size - first_of_kernel, kernel_step)),
                stride: window.stride * output_step / base,
                padding: (-start, 0),
                base_dilation: 1,
                dilation: window.dilation * kernel_step / base,
            },
        });
    }
    phases
}

impl<'c> Convolution<'c> {
    /// Emits a convolution of an input that is not padded yet.
    pub(super) fn emit_phases(&self, b: &Builder<'c>) -> RewriteResult<Value<'c>> {
        let dimensions = self.window.iter().zip(&self.output);
        let dimensions: Vec<Vec<Phase>> =
            dimensions.map(|(window, output)| phases_of(*window, *output)).collect();
        let count = dimensions.iter().map(Vec::len).fold(1, usize::saturating_mul);
        if !self.has_dilated_input() {
            return self.padded(b)?.emit(b);
        }
        if count > MOST_PHASES {
            return self.padded(b)?.direct(b);
        }
        let mut combinations: Vec<Vec<Phase>> = vec![Vec::new()];
        for phases in &dimensions {
            let extended = combinations.iter().flat_map(|combination| {
                phases.iter().map(|phase| [&combination[..], &[*phase]].concat())
            });
            combinations = extended.collect();
        }
        let target = tensor_type(&self.result_dims(), self.element);
        let is_empty = |phase: &Phase| phase.window.size == Some(0);
        let mut result = if dimensions.iter().flatten().any(is_empty) {
            structured::filled(b, arith::number(b, self.element, 0), target)
        } else {
            structured::empty(b, target)
        };
        for phases in &combinations {
            if phases.iter().any(is_empty) {
                continue;
            }
            let computed = self.of_phases(b, phases).padded(b)?.emit(b)?;
            let mut part =
                slice::Part::contiguous(&vec![0; self.roles.len()], &computed.ty().sizes());
            for (dimension, roles) in self.roles.iter().enumerate() {
                if let [Role::Output(number)] = roles[..] {
                    part.offsets[dimension] = Size::Static(phases[number].first_output);
                    part.strides[dimension] = phases[number].output_step.into();
                }
            }
            result = slice::insert(b, computed, result, &part);
        }
        Ok(result)
    }

    /// The convolution that computes the outputs of one phase in each dimension.
    fn of_phases(&self, b: &Builder<'c>, phases: &[Phase]) -> Self {
        let sizes = self.kernel.value.ty().sizes();
        let mut part = slice::Part::contiguous(&vec![0; sizes.len()], &sizes);
        for (dimension, role) in self.kernel.roles.iter().enumerate() {
            if let Role::Kernel(number) = *role {
                let phase = &phases[number];
                part.offsets[dimension] = Size::Static(phase.first_of_kernel);
                part.strides[dimension] = phase.kernel_step.into();
                part.sizes[dimension] = phase.window.size.unwrap_or(1).into();
            }
        }
        Self {
            kernel: Operand {
                value: slice::extract(b, self.kernel.value, &part),
                ..self.kernel.clone()
            },
            output: phases.iter().map(|phase| phase.output_count).collect(),
            window: phases.iter().map(|phase| phase.window).collect(),
            ..self.clone()
        }
    }

    /// The convolution with a padded input.
    fn padded(&self, b: &Builder<'c>) -> RewriteResult<Self> {
        Ok(Self {
            input: self.input.clone().padded(b, &self.window, &self.output)?,
            ..self.clone()
        })
    }
}
