//! `convolution`: a matrix product of patches (im2col) if it is large enough, else a
//! `linalg.generic` over all indices.
//!
//! ```mlir
//! %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], ...
//!        : (tensor<1x58x58x64xf32>, tensor<3x3x64x32xf32>) -> tensor<1x56x56x32xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %patches = linalg.generic {indexing_maps = [(b, y, x, i, j, c) -> (b, y + i, x + j, c), identity],
//!              iterator_types = ["parallel", ...]}
//!              ins(%x) outs(%empty : tensor<1x56x56x3x3x64xf32>) { yield }
//! %1 = linalg.generic {... product of (b y x)x(i j c) and (i j c)xo ...}
//!        ins(%patches_as_matrix, %w_as_matrix) outs(%zeros : tensor<3136x32xf32>)
//! ```
//!
//! The patches copy the input once per element of the kernel, but turn the convolution into a
//! matrix product, for which the micro-kernel is fast. Their dimensions have the order of the input
//! dimensions: the channels are last, or before the spatial dimensions. In the latter case each
//! large image is a separate product, so that the result is not transposed. A loop splits a
//! convolution whose patches need more memory than [`PATCHES`]. If a group has few output features,
//! as in depthwise convolutions, the patches would not be reused, and the convolution is computed
//! directly. A number of images that is known only at run time is a loop over convolutions of one.

mod dynamic;
mod phases;

use super::{Lowered, Lowering, dot, reduce_window, region, slice};
use halo_hlo::semantics::{Window, WindowDim, op::Op};
use halo_ir::{
    prelude::*,
    stablehlo::attributes::{ConvDimensionNumbers, DotDimensionNumbers},
};
use melior::ir::AffineExpr;

/// The maximal bytes of patches at a time. Products on CPUs pack patches from the image and store none
/// of them, except in a loop over parts of the image.
const PATCHES: i64 = 256 << 20;
/// Convolutions with fewer multiplications are computed without patches.
const FEW_PRODUCTS: i64 = 1 << 15;
/// The minimal pixels of an image that is a separate product, if the channels of the result come
/// before the spatial dimensions. Smaller images are joined, and the result is transposed.
const IMAGE: i64 = 128;
/// The minimal output features, and the minimal elements of a patch, for which copying patches is
/// profitable.
const FEATURES: i64 = 4;
const PATCH_ELEMENTS: i64 = 8;

/// The role of a dimension of the input, the kernel, the patches or the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Groups of features or of batches.
    Group,
    Batch,
    /// Output features of a group.
    Feature,
    /// Input features of a group.
    Channel,
    /// A spatial dimension of the output.
    Output(usize),
    /// A spatial dimension of the kernel.
    Kernel(usize),
    /// A spatial dimension of the input, indexed by the window and the index in the window.
    Input(usize),
}

/// A tensor and the roles of its dimensions.
#[derive(Clone)]
struct Operand<'c> {
    value: Value<'c>,
    roles: Vec<Role>,
    /// The type of the elements in HLO.
    original: Type<'c>,
}

/// A convolution without reversal.
#[derive(Clone)]
struct Convolution<'c> {
    input: Operand<'c>,
    kernel: Operand<'c>,
    groups: i64,
    batches: i64,
    features: i64,
    channels: i64,
    output: Vec<i64>,
    window: Vec<WindowDim>,
    /// The roles of each dimension of the output.
    roles: Vec<Vec<Role>>,
    element: Type<'c>,
    precision: dot::Precision,
}

impl<'c> Lowering<'_, 'c> {
    pub(super) fn convolution(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let result = self.result()?;
        let op = Op::Built(self.op);
        let numbers = op
            .required("dimension_numbers", ConvDimensionNumbers::from_attribute)
            .map_err(RewriteError::Invalid)?;
        let (input, kernel) = (self.operand(0)?, self.operand(1)?);
        if self.op.operand_count() == 3 {
            return self.convolution_of_any_size(&self.attributes(numbers)?);
        }
        let dynamic = [input, kernel].map(|operand| dynamic_dimensions(operand.ty()));
        let [inputs, kernels] = &dynamic;
        let results = dynamic_dimensions(result);
        if [inputs, kernels, &results].iter().all(|dimensions| dimensions.is_empty()) {
            let operands = (input, kernel);
            return Ok(vec![self.convolution_of(&b, &numbers, operands, result)?]);
        }
        let are_images = *inputs == [numbers.input_batch_dimension]
            && results == [numbers.output_batch_dimension]
            && kernels.is_empty()
            && self.op_as::<stablehlo::ConvolutionOp>()?.batch_group_count() == 1;
        if are_images {
            return Ok(vec![self.convolution_of_images(&numbers, result)?]);
        }
        self.convolution_of_any_size(&self.attributes(numbers)?)
    }

    /// A number of images that is known only at run time: a loop over convolutions of one image.
    fn convolution_of_images(
        &self,
        numbers: &ConvDimensionNumbers,
        result: Type<'c>,
    ) -> RewriteResult<Value<'c>> {
        let b = &self.builder;
        let (input, kernel) = (self.operand(0)?, self.operand(1)?);
        let count = Size::of(b, input, numbers.input_batch_dimension as usize);
        let mut target = sizes::fixed(&of_one_image(result));
        target[numbers.output_batch_dimension as usize] = count;
        let images = structured::empty(b, self.result_shape(0, &target)?);
        let part = |ty: Type<'c>, batch: i64, number: Value<'c>| {
            let sizes = of_one_image(ty);
            let mut part = slice::Part::contiguous(&vec![0; sizes.len()], &sizes);
            part.offsets[batch as usize] = Size::Dynamic(number);
            part
        };
        let images = scf::nest(b, &[count], &[images], |b, at, carried| {
            let image = part(input.ty(), numbers.input_batch_dimension, at[0]);
            let image = slice::extract(b, input, &image);
            let of_result = part(result, numbers.output_batch_dimension, at[0]);
            let result = tensor_type(&of_one_image(result), result.element_type());
            let computed = self.convolution_of(b, numbers, (image, kernel), result)?;
            Ok::<_, RewriteError>(vec![slice::insert(b, computed, carried[0], &of_result)])
        })?;
        images.first().copied().ok_or_else(|| no_match("there are no images"))
    }

    /// A convolution of static sizes.
    fn convolution_of(
        &self,
        b: &Builder<'c>,
        numbers: &ConvDimensionNumbers,
        (input, kernel): (Value<'c>, Value<'c>),
        result: Type<'c>,
    ) -> RewriteResult<Value<'c>> {
        let op = Op::Built(self.op);
        let target = result.sizes();
        let kernel_dims = kernel.ty().sizes();
        let sizes = |dimensions: &[i64], of: &[i64]| -> Vec<i64> {
            dimensions.iter().map(|dimension| of[*dimension as usize]).collect()
        };
        let kernel_sizes = sizes(&numbers.kernel_spatial_dimensions, &kernel_dims);
        if target.contains(&0) || kernel_dims.contains(&0) || input.ty().sizes().contains(&0) {
            let zero = arith::number(b, result.element_type(), 0);
            return Ok(structured::filled(b, zero, result));
        }
        let window = window_of(op, kernel_sizes)?;
        let output = sizes(&numbers.output_spatial_dimensions, &target);
        let convolution = self.op_as::<stablehlo::ConvolutionOp>()?;
        let feature_groups = convolution.feature_group_count();
        let batch_groups = convolution.batch_group_count();
        let groups = feature_groups.max(batch_groups);
        let original = self.original_elements();
        let features = kernel_dims[numbers.kernel_output_feature_dimension as usize];
        let (of_features, of_batches) = (feature_groups > 1, batch_groups > 1);
        let input_roles = roles_of(
            (&input.ty().sizes(), groups),
            (numbers.input_batch_dimension, Role::Batch, of_batches),
            (numbers.input_feature_dimension, Role::Channel, of_features),
            &numbers.input_spatial_dimensions,
            Role::Input,
        );
        let kernel_roles = roles_of(
            (&kernel_dims, groups),
            (numbers.kernel_input_feature_dimension, Role::Channel, false),
            (
                numbers.kernel_output_feature_dimension,
                Role::Feature,
                groups > 1,
            ),
            &numbers.kernel_spatial_dimensions,
            Role::Kernel,
        );
        let output_roles = roles_of(
            (&target, groups),
            (numbers.output_batch_dimension, Role::Batch, false),
            (numbers.output_feature_dimension, Role::Feature, groups > 1),
            &numbers.output_spatial_dimensions,
            Role::Output,
        );
        let reversed = reversed_dimensions(op, numbers);
        let kernel = if reversed.is_empty() {
            kernel
        } else {
            structured::reverse(b, kernel, &reversed)
        };
        let convolution = Convolution {
            input: grouped(b, (input, original[0]), &input_roles, groups),
            kernel: grouped(b, (kernel, original[1]), &kernel_roles, groups),
            groups,
            batches: target[numbers.output_batch_dimension as usize],
            features: features / groups,
            channels: kernel_dims[numbers.kernel_input_feature_dimension as usize],
            output,
            window,
            roles: output_roles,
            element: result.element_type(),
            precision: dot::Precision::of(op),
        };
        convolution.emit_phases(b)
    }

    /// The attributes of a convolution with a kernel of static shape. The padding of a
    /// `dynamic_conv` is an operand.
    fn attributes(&self, numbers: ConvDimensionNumbers) -> RewriteResult<dynamic::Attributes<'c>> {
        let op = Op::Built(self.op);
        let kernel = self.operand(1)?.ty().shape().unwrap_or_default();
        let sizes = numbers.kernel_spatial_dimensions.iter();
        let sizes = sizes.map(|dimension| kernel[*dimension as usize].unwrap_or(1)).collect();
        let window = window_of(op, sizes)?;
        let padding = if self.op.operand_count() == 3 {
            self.indices(2)?.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
        } else {
            let pair = |window: &WindowDim| [window.padding.0, window.padding.1].map(Size::from);
            window.iter().map(pair).collect()
        };
        let count = |name: &str| op.integer(name).map_err(RewriteError::Invalid);
        Ok(dynamic::Attributes {
            feature_groups: count("feature_group_count")?,
            batch_groups: count("batch_group_count")?,
            reversed: reversed_dimensions(op, &numbers),
            precision: dot::Precision::of(op),
            numbers,
            window,
            padding,
        })
    }
}

/// The dimensions of a tensor that have dynamic sizes.
fn dynamic_dimensions(ty: Type) -> Vec<i64> {
    let sizes = (0..).zip(ty.shape().unwrap_or_default());
    sizes
        .filter_map(|(dimension, size)| size.is_none().then_some(dimension))
        .collect()
}

/// The sizes of a tensor of images whose number is dynamic, if there is one.
fn of_one_image(ty: Type) -> Vec<i64> {
    let sizes = ty.shape().unwrap_or_default().into_iter();
    sizes.map(|size| size.unwrap_or(1)).collect()
}

/// The window of a convolution with a kernel of these sizes.
fn window_of(op: Op, kernel_sizes: Vec<i64>) -> RewriteResult<Vec<WindowDim>> {
    let window = Window::new(kernel_sizes.len(), "the kernel", kernel_sizes)
        .and_then(|window| window.with_strides(op, "window_strides"))
        .and_then(|window| window.with_base_dilations(op, "lhs_dilation"))
        .and_then(|window| window.with_dilations(op, "rhs_dilation"))
        .and_then(|window| window.with_padding(op, "padding"));
    Ok(window.map_err(RewriteError::Invalid)?.dims)
}

/// The dimensions of the kernel that run backwards.
fn reversed_dimensions(op: Op, numbers: &ConvDimensionNumbers) -> Vec<i64> {
    op.booleans("window_reversal")
        .unwrap_or_default()
        .into_iter()
        .zip(&numbers.kernel_spatial_dimensions)
        .filter_map(|(reversed, dimension)| reversed.then_some(*dimension))
        .collect()
}

/// The roles of the dimensions of a tensor. A dimension that is divided into groups of several
/// elements has two roles.
fn roles_of(
    (sizes, groups): (&[i64], i64),
    batch: (i64, Role, bool),
    feature: (i64, Role, bool),
    spatial: &[i64],
    role: impl Fn(usize) -> Role,
) -> Vec<Vec<Role>> {
    let mut roles = vec![Vec::new(); spatial.len() + 2];
    for (dimension, role, is_grouped) in [batch, feature] {
        roles[dimension as usize] = if !is_grouped {
            vec![role]
        } else if sizes[dimension as usize] == groups {
            vec![Role::Group]
        } else {
            vec![Role::Group, role]
        };
    }
    for (number, dimension) in spatial.iter().enumerate() {
        roles[*dimension as usize] = vec![role(number)];
    }
    roles
}

/// Reshapes a tensor so that each dimension has one role.
fn grouped<'c>(
    b: &Builder<'c>,
    (value, original): (Value<'c>, Type<'c>),
    roles: &[Vec<Role>],
    groups: i64,
) -> Operand<'c> {
    let sizes = grouped_sizes(b, value, roles, groups);
    Operand {
        value: structured::reshape_to(b, value, &sizes),
        roles: roles.concat(),
        original,
    }
}

/// The sizes of a tensor after a reshape that makes each dimension have one role.
fn grouped_sizes<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    roles: &[Vec<Role>],
    groups: i64,
) -> Vec<Size<'c>> {
    let sizes = Size::all(b, value).into_iter().zip(roles);
    sizes
        .flat_map(|(size, roles)| match (roles.len(), size.known()) {
            (2, Some(size)) => vec![groups.into(), Size::Static(size / groups)],
            _ => vec![size],
        })
        .collect()
}

impl<'c> Operand<'c> {
    /// Pads the input for its windows; `output` is the number of windows in each dimension.
    fn padded(self, b: &Builder<'c>, window: &[WindowDim], output: &[i64]) -> RewriteResult<Self> {
        let mut around = vec![WindowDim::new(Some(1)); self.roles.len()];
        let mut window_counts = self.value.ty().sizes();
        for (dimension, role) in self.roles.iter().enumerate() {
            if let Role::Input(number) = *role {
                around[dimension] = window[number];
                window_counts[dimension] = output[number];
            }
        }
        let zero = arith::number(b, self.value.ty().element_type(), 0);
        Ok(Self {
            value: reduce_window::padded(
                b,
                self.value,
                zero,
                &around,
                &sizes::fixed(&window_counts),
            )?,
            ..self
        })
    }

    fn position(&self, role: Role) -> Option<i64> {
        let position = self.roles.iter().position(|other| *other == role)?;
        Some(position as i64)
    }

    /// The positions of the roles that exist.
    fn positions(&self, roles: &[Role]) -> Vec<i64> {
        roles.iter().filter_map(|role| self.position(*role)).collect()
    }
}

impl<'c> Convolution<'c> {
    /// Emits the convolution of a padded input, whole or split by a loop.
    fn emit(&self, b: &Builder<'c>) -> RewriteResult<Value<'c>> {
        if !self.is_product() {
            return self.direct(b);
        }
        let mut part = self.clone();
        let mut counts = Vec::new();
        for (number, role) in self.cut_roles().into_iter().enumerate() {
            let size = self.size(role);
            let bytes = part.patch_bytes();
            let least = (bytes.saturating_add(PATCHES - 1) / PATCHES).min(size);
            let count = (least..=size).find(|count| size % count == 0).unwrap_or(size);
            *match number {
                0 => &mut part.batches,
                _ => &mut part.output[number - 1],
            } = size / count;
            counts.push(count);
        }
        if self.is_pointwise() || counts.iter().all(|count| *count == 1) {
            return self.product(b);
        }
        let result = structured::empty(b, tensor_type(&self.result_dims(), self.element));
        let parts = scf::nest(b, &counts, &[result], |b, at, carried| {
            let mut part = part.clone();
            part.input.value = part.read(b, &self.input, at)?;
            let computed = part.product(b)?;
            let slice = part.result_slice(b, &computed.ty().sizes(), at);
            Ok::<_, RewriteError>(vec![slice::insert(b, computed, carried[0], &slice)])
        })?;
        parts.first().copied().ok_or_else(|| no_match("there are no parts to join"))
    }

    /// The dimensions along which the convolution may be split.
    fn cut_roles(&self) -> Vec<Role> {
        let spatial = (0..self.output.len()).map(Role::Output);
        [Role::Batch].into_iter().chain(spatial).collect()
    }

    /// The slice of the input for one iteration of the split; `at` is its index.
    fn read(
        &self,
        b: &Builder<'c>,
        whole: &Operand<'c>,
        at: &[Value<'c>],
    ) -> RewriteResult<Value<'c>> {
        let mut sizes = whole.value.ty().sizes();
        let mut part = slice::Part::contiguous(&vec![0; sizes.len()], &sizes);
        for (dimension, role) in whole.roles.iter().enumerate() {
            let (number, step) = match role {
                Role::Batch => (at[0], self.batches),
                Role::Input(number) => {
                    let window = self.window[*number];
                    let steps = self.output[*number] - 1;
                    let inside = (window.size.unwrap_or(1) - 1) * window.dilation;
                    sizes[dimension] = steps * window.stride + inside + 1;
                    (at[number + 1], self.output[*number] * window.stride)
                }
                _ => continue,
            };
            if *role == Role::Batch {
                sizes[dimension] = self.batches;
            }
            part.offsets[dimension] = offset(b, number, step);
        }
        part.sizes = sizes::fixed(&sizes);
        Ok(slice::extract(b, whole.value, &part))
    }

    /// The slice of the result, of these sizes, that an iteration writes.
    fn result_slice(&self, b: &Builder<'c>, sizes: &[i64], at: &[Value<'c>]) -> slice::Part<'c> {
        let mut part = slice::Part::contiguous(&vec![0; sizes.len()], sizes);
        for (dimension, roles) in self.roles.iter().enumerate() {
            part.offsets[dimension] = match roles[..] {
                [Role::Batch] => offset(b, at[0], self.batches),
                [Role::Output(number)] => offset(b, at[number + 1], self.output[number]),
                _ => continue,
            };
        }
        part
    }

    fn size(&self, role: Role) -> i64 {
        match role {
            Role::Group => self.groups,
            Role::Batch => self.batches,
            Role::Feature => self.features,
            Role::Channel => self.channels,
            Role::Output(number) => self.output[number],
            Role::Kernel(number) => self.window[number].size.unwrap_or(1),
            Role::Input(_) => 1,
        }
    }

    /// The sizes of the result.
    fn result_dims(&self) -> Vec<i64> {
        let size = |roles: &Vec<Role>| roles.iter().map(|role| self.size(*role)).product();
        self.roles.iter().map(size).collect()
    }

    fn spatial(&self, role: impl Fn(usize) -> Role) -> impl Iterator<Item = Role> {
        (0..self.window.len()).map(role)
    }

    fn count(&self, roles: &[Role]) -> i64 {
        let sizes = roles.iter().map(|role| self.size(*role));
        sizes.fold(1, i64::saturating_mul)
    }

    /// Returns true for a 1x1 kernel with unit strides.
    fn is_pointwise(&self) -> bool {
        let mut window = self.window.iter();
        window.all(|window| window.size == Some(1) && window.stride == 1)
    }

    /// Returns true if the convolution is computed as a matrix product.
    fn is_product(&self) -> bool {
        // The micro-kernel supports real elements of whole bytes.
        if self.element.complex_element().is_some()
            || self.element.bit_width().is_none_or(|bits| bits < 8)
        {
            return false;
        }
        let patch = self.count(&self.patch_roles());
        let products = self.count(&self.patches()).saturating_mul(self.features);
        products >= FEW_PRODUCTS && self.features >= FEATURES && patch >= PATCH_ELEMENTS
    }

    /// The elements of a patch, in the order of the input's dimensions.
    fn patch_roles(&self) -> Vec<Role> {
        let kernel = self.spatial(Role::Kernel);
        if self.has_channels_last() {
            kernel.chain([Role::Channel]).collect()
        } else {
            [Role::Channel].into_iter().chain(kernel).collect()
        }
    }

    fn has_channels_last(&self) -> bool {
        let last = self.input.roles.last();
        !matches!(last, Some(Role::Input(_)))
    }

    /// The dimensions of all patches.
    fn patches(&self) -> Vec<Role> {
        let mut places = self.cut_roles();
        let mut roles = Vec::new();
        if self.has_images_apart() {
            roles.push(places.remove(0));
        }
        if self.groups > 1 {
            roles.push(Role::Group);
        }
        if self.has_channels_last() {
            roles.extend(places);
            roles.extend(self.patch_roles());
        } else {
            roles.extend(self.patch_roles());
            roles.extend(places);
        }
        roles
    }

    /// Returns true if each image is a separate product.
    fn has_images_apart(&self) -> bool {
        let places: Vec<Role> = self.spatial(Role::Output).collect();
        !self.has_channels_last() && self.batches > 1 && self.count(&places) >= IMAGE
    }

    fn patch_bytes(&self) -> i64 {
        let bytes = self
            .input
            .value
            .ty()
            .element_type()
            .bit_width()
            .map_or(1, |bits| bits.div_ceil(8));
        self.count(&self.patches()).saturating_mul(i64::from(bytes))
    }

    /// The map from loops over `roles` to a tensor.
    fn map(&self, b: &Builder<'c>, operand: &Operand<'c>, roles: &[Role]) -> AffineMap<'c> {
        let context = b.context();
        let index = |role: Role| {
            let number = roles.iter().position(|other| *other == role)?;
            (self.size(role) > 1).then(|| AffineExpr::dim(context, number))
        };
        let loop_of = |role: Role| {
            let number = roles.iter().position(|other| *other == role);
            number.map_or(AffineExpr::constant(context, 0), |number| {
                AffineExpr::dim(context, number)
            })
        };
        let indices: Vec<AffineExpr> = operand
            .roles
            .iter()
            .map(|role| match *role {
                Role::Input(number) => {
                    let window = self.window[number];
                    let output = index(Role::Output(number))
                        .map(|index| reduce_window::scaled(b, index, window.stride));
                    let inside = index(Role::Kernel(number))
                        .map(|index| reduce_window::scaled(b, index, window.dilation));
                    match (output, inside) {
                        (Some(output), Some(inside)) => output + inside,
                        (Some(index), None) | (None, Some(index)) => index,
                        (None, None) => AffineExpr::constant(context, 0),
                    }
                }
                role => loop_of(role),
            })
            .collect();
        structured::map(b, roles.len(), &indices)
    }

    /// The product of patches and kernel.
    fn product(&self, b: &Builder<'c>) -> RewriteResult<Value<'c>> {
        let (patches, kernel) = if self.is_pointwise() {
            self.pointwise(b)
        } else {
            (self.cut_out(b), self.kernel.clone())
        };
        let summed = self.patch_roles();
        let last = self.has_channels_last();
        let (left, right) = if last {
            (&patches, &kernel)
        } else {
            (&kernel, &patches)
        };
        let numbers = DotDimensionNumbers {
            lhs_batching_dimensions: left.positions(&[Role::Group]),
            rhs_batching_dimensions: right.positions(&[Role::Group]),
            lhs_contracting_dimensions: left.positions(&summed),
            rhs_contracting_dimensions: right.positions(&summed),
        };
        let mut roles = Vec::new();
        if self.has_images_apart() {
            roles.push(Role::Batch);
        }
        let outer = right.positions(&roles);
        if self.groups > 1 {
            roles.push(Role::Group);
        }
        let first = roles.clone();
        for operand in [left, right] {
            let is_free = |role: &&Role| !first.contains(role) && !summed.contains(role);
            roles.extend(operand.roles.iter().filter(is_free));
        }
        let sizes: Vec<i64> = roles.iter().map(|role| self.size(*role)).collect();
        let value = dot::product(
            b,
            ((left.value, left.original), (right.value, right.original)),
            &numbers,
            &outer,
            &tensor_type(&sizes, self.element).into(),
            self.precision,
        )?;
        let order: Vec<i64> = self
            .roles
            .concat()
            .iter()
            .filter_map(|role| roles.iter().position(|other| other == role))
            .map(|position| position as i64)
            .collect();
        let value = structured::transpose(b, value, &order);
        Ok(structured::reshape(b, value, &self.result_dims()))
    }

    /// Copies the patches (im2col).
    fn cut_out(&self, b: &Builder<'c>) -> Operand<'c> {
        let roles = self.patches();
        let sizes: Vec<i64> = roles.iter().map(|role| self.size(*role)).collect();
        let map = self.map(b, &self.input, &roles);
        let result = tensor_type(&sizes, self.input.value.ty().element_type());
        let value = structured::gather_elements(
            b,
            vec![(self.input.value, map)],
            result,
            |_, arguments| arguments[0],
        );
        Operand {
            value,
            roles,
            original: self.input.original,
        }
    }

    /// The operands of a pointwise convolution, whose patches are elements of the input.
    fn pointwise(&self, b: &Builder<'c>) -> (Operand<'c>, Operand<'c>) {
        let mut input = self.input.clone();
        if let (1, Some(batch)) = (self.batches, input.position(Role::Batch)) {
            let mut sizes = input.value.ty().sizes();
            sizes.remove(batch as usize);
            input.roles.remove(batch as usize);
            input.value = structured::reshape(b, input.value, &sizes);
        }
        for role in &mut input.roles {
            if let Role::Input(number) = *role {
                *role = Role::Output(number);
            }
        }
        let mut kernel = self.kernel.clone();
        kernel.roles.retain(|role| !matches!(role, Role::Kernel(_)));
        let sizes: Vec<i64> = kernel.roles.iter().map(|role| self.size(*role)).collect();
        kernel.value = structured::reshape(b, kernel.value, &sizes);
        (input, kernel)
    }

    /// Emits one loop nest over all indices.
    fn direct(&self, b: &Builder<'c>) -> RewriteResult<Value<'c>> {
        let output = self.roles.concat();
        let mut roles = output.clone();
        roles.extend(self.spatial(Role::Kernel));
        roles.push(Role::Channel);
        let sizes: Vec<i64> = output.iter().map(|role| self.size(*role)).collect();
        let sum = Self::sums(
            b,
            [&self.input, &self.kernel].map(|operand| (operand, self.map(b, operand, &roles))),
            &tensor_type(&sizes, self.element).into(),
            roles.len(),
            |b| {
                let padding = self.window.iter().map(|window| Size::Static(window.padding.0));
                is_of_input(b, &roles, &self.window, &padding.collect::<Vec<_>>())
            },
        )?;
        self.precision.annotate(b, sum);
        let value = dot::rounded(b, sum, self.element);
        Ok(structured::reshape(b, value, &self.result_dims()))
    }

    /// The loop nest that sums the products of elements of the input and of the kernel: the first
    /// loops are the dimensions of the result. `is_summed` is whether an element of the input is, if
    /// not all are.
    fn sums(
        b: &Builder<'c>,
        operands: [(&Operand<'c>, AffineMap<'c>); 2],
        result: &Shape<'c>,
        loops: usize,
        is_summed: impl Fn(&Builder<'c>) -> Option<Value<'c>>,
    ) -> RewriteResult<Value<'c>> {
        let accumulator = dot::accumulator_type(b, result.element);
        let zero = arith::number(b, accumulator, 0);
        let start = structured::filled(b, zero, result.with_element(accumulator));
        let rank = result.sizes.len();
        let kept: Vec<usize> = (0..rank).collect();
        let mut iterators = vec![IteratorType::Parallel; rank];
        iterators.resize(loops, IteratorType::Reduction);
        let generic = structured::Generic {
            inputs: operands.map(|(operand, map)| (operand.value, map)).to_vec(),
            outputs: vec![(start, structured::projection(b, loops, &kept))],
            iterators,
        };
        let sums = generic.build(b, |b, arguments| {
            let [input, kernel] = [0, 1].map(|number| {
                let original = operands[number].0.original;
                region::promoted(b, arguments[number], original, accumulator)
            });
            let sum = dot::multiply_add(b, input?, kernel?, arguments[2]);
            let is_summed = is_summed(b);
            Ok::<_, RewriteError>(vec![is_summed.map_or(sum, |is_summed| {
                arith::select(b, is_summed, sum, arguments[2])
            })])
        })?;
        Ok(sums[0])
    }

    fn has_dilated_input(&self) -> bool {
        self.window.iter().any(|window| window.base_dilation > 1)
    }
}

/// Within loops over `roles`: whether the element of the input is not one of the zeros between the
/// elements of a dilated input.
fn is_of_input<'c>(
    b: &Builder<'c>,
    roles: &[Role],
    window: &[WindowDim],
    padding: &[Size<'c>],
) -> Option<Value<'c>> {
    let dilated = window.iter().zip(padding).enumerate();
    let dilated = dilated.filter(|(_, (window, _))| window.base_dilation > 1);
    dilated
        .map(|(number, (window, padding))| {
            let scaled = |role: Role, by: i64| {
                let dimension = roles.iter().position(|other| *other == role).unwrap_or(0);
                let at = linalg::index(b, dimension as i64);
                arith::muli(b, at, index::constant(b, by))
            };
            let place = arith::addi(
                b,
                scaled(Role::Output(number), window.stride),
                scaled(Role::Kernel(number), window.dilation),
            );
            let place = index::sub(b, place, *padding);
            let rest = arith::remsi(b, place, index::constant(b, window.base_dilation));
            arith::cmpi(b, CmpIPredicate::Eq, rest, index::constant(b, 0))
        })
        .reduce(|all, one| arith::andi(b, all, one))
}

/// A multiple of an index.
fn offset<'c>(b: &Builder<'c>, number: Value<'c>, step: i64) -> Size<'c> {
    let step = index::constant(b, step);
    let value = arith::muli(b, number, step);
    Size::Dynamic(value)
}
