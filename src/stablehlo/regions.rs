//! Ops with regions, whose bodies are closures.

use crate::{
    builder::{Builder, Plan, Results, Value},
    error::ErrorKind,
    ops::Attributes,
    planned::Region,
    semantics::{ScatterDimensionNumbers, Ty as _},
    types::{ElementType, Type},
};
use halo_vhlo::TypeId;

/// The window of `reduce_window` and `select_and_scatter`. Empty lists mean no strides, dilations
/// or padding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReduceWindow {
    pub window_dimensions: Vec<i64>,
    pub window_strides: Vec<i64>,
    /// Not an attribute of `select_and_scatter`.
    pub base_dilations: Vec<i64>,
    /// Not an attribute of `select_and_scatter`.
    pub window_dilations: Vec<i64>,
    /// Elements before and after each dimension.
    pub padding: Vec<[i64; 2]>,
}

impl ReduceWindow {
    fn attributes(&self, b: &Builder) -> Attributes {
        let mut attributes = vec![("window_dimensions", b.list(&self.window_dimensions))];
        for (name, list) in [
            ("window_strides", &self.window_strides),
            ("base_dilations", &self.base_dilations),
            ("window_dilations", &self.window_dilations),
        ] {
            if !list.is_empty() {
                attributes.push((name, b.list(list)));
            }
        }
        if !self.padding.is_empty() {
            attributes.push(("padding", b.matrix(&self.padding)));
        }
        attributes
    }
}

/// The attributes of `scatter` besides its dimension numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScatterOptions {
    pub indices_are_sorted: bool,
    pub unique_indices: bool,
}

impl Builder {
    /// The types of scalars of the elements of values, `repeat` times in a row.
    pub(crate) fn scalars(&self, values: &[Value]) -> Vec<TypeId> {
        let scalar = |id: &TypeId| self.types.get(*id).element_type().tensor_of(&[]).id;
        self.types_of(values).iter().map(scalar).collect()
    }

    /// Adds an op with regions.
    #[track_caller]
    pub(crate) fn with_regions<'b>(
        &'b self,
        family: &'static str,
        operands: &[Value<'b>],
        attributes: Attributes,
        regions: Vec<Result<Region, ErrorKind>>,
        fallback: usize,
    ) -> Vec<Value<'b>> {
        match regions.into_iter().collect() {
            Ok(regions) => self.emit(Plan {
                family,
                operands,
                attributes,
                regions,
                results: Results::Inferred,
                fallback,
            }),
            Err(kind) => {
                let value = self.fail(&format!("stablehlo.{family}"), kind);
                vec![value; fallback]
            }
        }
    }

    /// The op `stablehlo.reduce`: the body takes the values so far of all inputs, then an element
    /// of each.
    #[track_caller]
    pub fn reduce<'b, R: AsRef<[Value<'b>]>>(
        &'b self,
        inputs: &[Value<'b>],
        init_values: &[Value<'b>],
        dimensions: impl AsRef<[i64]>,
        body: impl FnOnce(&[Value<'b>]) -> R,
    ) -> Vec<Value<'b>> {
        // Arguments have the elements of the initial values, to which inputs are promoted.
        let region = self.region(&self.scalars(init_values).repeat(2), body);
        let attributes = vec![("dimensions", self.list(dimensions))];
        let operands = [inputs, init_values].concat();
        self.with_regions("reduce", &operands, attributes, vec![region], inputs.len())
    }

    /// The op `stablehlo.reduce_window`.
    #[track_caller]
    pub fn reduce_window<'b, R: AsRef<[Value<'b>]>>(
        &'b self,
        inputs: &[Value<'b>],
        init_values: &[Value<'b>],
        window: &ReduceWindow,
        body: impl FnOnce(&[Value<'b>]) -> R,
    ) -> Vec<Value<'b>> {
        let region = self.region(&self.scalars(init_values).repeat(2), body);
        let operands = [inputs, init_values].concat();
        let attributes = window.attributes(self);
        self.with_regions(
            "reduce_window",
            &operands,
            attributes,
            vec![region],
            inputs.len(),
        )
    }

    /// The op `stablehlo.map`.
    #[track_caller]
    pub fn map<'b>(
        &'b self,
        inputs: &[Value<'b>],
        dimensions: impl AsRef<[i64]>,
        body: impl FnOnce(&[Value<'b>]) -> Value<'b>,
    ) -> Value<'b> {
        let region = self.region(&self.scalars(inputs), body);
        let attributes = vec![("dimensions", self.list(dimensions))];
        self.with_regions("map", inputs, attributes, vec![region], 1)[0]
    }

    /// The op `stablehlo.sort`: the comparator takes two elements of each input, and returns true
    /// if the first ones come first.
    #[track_caller]
    pub fn sort<'b>(
        &'b self,
        inputs: &[Value<'b>],
        dimension: i64,
        is_stable: bool,
        comparator: impl FnOnce(&[Value<'b>]) -> Value<'b>,
    ) -> Vec<Value<'b>> {
        let pairs: Vec<TypeId> = self.scalars(inputs).into_iter().flat_map(|ty| [ty, ty]).collect();
        let region = self.region(&pairs, comparator);
        let attributes = vec![
            ("dimension", self.int(dimension)),
            ("is_stable", self.flag(is_stable)),
        ];
        self.with_regions("sort", inputs, attributes, vec![region], inputs.len())
    }

    /// The op `stablehlo.scatter`: the body takes the elements of all inputs, then an update of
    /// each.
    #[track_caller]
    pub fn scatter<'b, R: AsRef<[Value<'b>]>>(
        &'b self,
        inputs: &[Value<'b>],
        scatter_indices: Value<'b>,
        updates: &[Value<'b>],
        numbers: &ScatterDimensionNumbers,
        options: ScatterOptions,
        body: impl FnOnce(&[Value<'b>]) -> R,
    ) -> Vec<Value<'b>> {
        let region = self.region(&self.scalars(inputs).repeat(2), body);
        let attributes = vec![
            ("index_vector_dim", self.int(numbers.index_vector_dim)),
            ("indices_are_sorted", self.flag(options.indices_are_sorted)),
            (
                "input_batching_dims",
                self.list(&numbers.input_batching_dims),
            ),
            (
                "inserted_window_dims",
                self.list(&numbers.inserted_window_dims),
            ),
            (
                "scatter_dims_to_operand_dims",
                self.list(&numbers.scatter_dims_to_operand_dims),
            ),
            (
                "scatter_indices_batching_dims",
                self.list(&numbers.scatter_indices_batching_dims),
            ),
            ("unique_indices", self.flag(options.unique_indices)),
            ("update_window_dims", self.list(&numbers.update_window_dims)),
        ];
        let operands = [inputs, &[scatter_indices], updates].concat();
        self.with_regions("scatter", &operands, attributes, vec![region], inputs.len())
    }

    /// The op `stablehlo.while`: both bodies take the values of the loop.
    #[track_caller]
    pub fn while_loop<'b, R: AsRef<[Value<'b>]>>(
        &'b self,
        operands: &[Value<'b>],
        cond: impl FnOnce(&[Value<'b>]) -> Value<'b>,
        body: impl FnOnce(&[Value<'b>]) -> R,
    ) -> Vec<Value<'b>> {
        let types = self.types_of(operands);
        let regions = vec![self.region(&types, cond), self.region(&types, body)];
        self.with_regions("while", operands, Vec::new(), regions, operands.len())
    }

    /// The op `stablehlo.case`: `branch` is called with the number of each branch. The last one is
    /// taken if the index is out of range.
    #[track_caller]
    pub fn case<'b, R: AsRef<[Value<'b>]>>(
        &'b self,
        index: Value<'b>,
        branches: usize,
        mut branch: impl FnMut(usize) -> R,
    ) -> Vec<Value<'b>> {
        let regions: Vec<_> =
            (0..branches).map(|number| self.region(&[], |_| branch(number))).collect();
        let count = returned_count(&regions);
        self.with_regions("case", &[index], Vec::new(), regions, count)
    }
}

/// The number of values that the first region returns.
fn returned_count(regions: &[Result<Region, ErrorKind>]) -> usize {
    match regions.first() {
        Some(Ok(region)) => region.results.len(),
        _ => 0,
    }
}

impl<'b> Value<'b> {
    /// The op `stablehlo.reduce` of one input.
    #[track_caller]
    pub fn reduce(
        self,
        init_value: Value<'b>,
        dimensions: impl AsRef<[i64]>,
        body: impl FnOnce(Value<'b>, Value<'b>) -> Value<'b>,
    ) -> Self {
        let body = |arguments: &[Value<'b>]| match arguments {
            [x, y] => body(*x, *y),
            _ => self.builder.invalid(),
        };
        self.builder.reduce(&[self], &[init_value], dimensions, body)[0]
    }

    /// The op `stablehlo.if`: this value is the predicate.
    #[track_caller]
    pub fn if_else<R: AsRef<[Value<'b>]>, S: AsRef<[Value<'b>]>>(
        self,
        true_branch: impl FnOnce() -> R,
        false_branch: impl FnOnce() -> S,
    ) -> Vec<Self> {
        let b = self.builder;
        let regions = vec![
            b.region(&[], |_| true_branch()),
            b.region(&[], |_| false_branch()),
        ];
        let count = returned_count(&regions);
        b.with_regions("if", &[self], Vec::new(), regions, count)
    }

    /// The op `stablehlo.select_and_scatter`: `select` takes two elements of this value and returns
    /// true for the first, `scatter` combines sources.
    #[track_caller]
    pub fn select_and_scatter(
        self,
        source: Value<'b>,
        init_value: Value<'b>,
        window: &ReduceWindow,
        select: impl FnOnce(Value<'b>, Value<'b>) -> Value<'b>,
        scatter: impl FnOnce(Value<'b>, Value<'b>) -> Value<'b>,
    ) -> Self {
        let b = self.builder;
        let pair = |arguments: &[Value<'b>]| match arguments {
            [x, y] => (*x, *y),
            _ => (b.invalid(), b.invalid()),
        };
        let regions = vec![
            b.region(&b.scalars(&[self]).repeat(2), |arguments| {
                let (x, y) = pair(arguments);
                select(x, y)
            }),
            b.region(&b.scalars(&[init_value]).repeat(2), |arguments| {
                let (x, y) = pair(arguments);
                scatter(x, y)
            }),
        ];
        let attributes = window.attributes(b);
        let operands = [self, source, init_value];
        b.with_regions("select_and_scatter", &operands, attributes, regions, 1)[0]
    }
}

/// Reductions to a sum, a product or an extremum of numbers.
impl<'b> Value<'b> {
    /// The sums along dimensions.
    #[track_caller]
    pub fn reduce_sum(self, dimensions: impl AsRef<[i64]>) -> Self {
        self.reduced(dimensions, 0.0, |x, y| x.add(y))
    }

    /// The products along dimensions.
    #[track_caller]
    pub fn reduce_product(self, dimensions: impl AsRef<[i64]>) -> Self {
        self.reduced(dimensions, 1.0, |x, y| x.multiply(y))
    }

    /// The largest elements along dimensions.
    #[track_caller]
    pub fn reduce_max(self, dimensions: impl AsRef<[i64]>) -> Self {
        self.reduced(dimensions, f64::NEG_INFINITY, |x, y| x.maximum(y))
    }

    /// The smallest elements along dimensions.
    #[track_caller]
    pub fn reduce_min(self, dimensions: impl AsRef<[i64]>) -> Self {
        self.reduced(dimensions, f64::INFINITY, |x, y| x.minimum(y))
    }

    #[track_caller]
    fn reduced(
        self,
        dimensions: impl AsRef<[i64]>,
        init: f64,
        body: impl FnOnce(Self, Self) -> Self,
    ) -> Self {
        let Some(element) = self.element() else {
            return self.of_invalid_type("reduce");
        };
        let init = self.builder.limit(&element, init);
        self.reduce(init, dimensions, body)
    }
}

impl Builder {
    /// A number of a type; infinities are the largest and smallest integers of integer types.
    #[track_caller]
    fn limit(&self, element: &ElementType, number: f64) -> Value<'_> {
        let id = self.types.intern_element(element);
        let ty = self.types.get(id);
        let has_infinity = matches!(
            element,
            ElementType::BF16 | ElementType::F16 | ElementType::F32 | ElementType::F64
        );
        if number.is_finite() || has_infinity {
            return self.number(element, number);
        }
        let Some(width) = ty.integer_width() else {
            let kind = ErrorKind::NotRepresentable {
                number: number.to_string(),
                ty: Type::tensor(element.clone(), []),
            };
            return self.fail("stablehlo.reduce", kind);
        };
        let is_unsigned = ty.is_unsigned() || width == 1;
        let largest = if is_unsigned { u64::MAX } else { u64::MAX >> 1 };
        let largest = largest >> (64 - width);
        let bits = match (number > 0.0, is_unsigned) {
            (true, _) => largest,
            (false, true) => 0,
            (false, false) => !largest,
        };
        let size = (width as usize).div_ceil(8);
        self.constant_bytes(element.clone(), [], &bits.to_le_bytes()[..size])
    }
}
