//! Elementwise ops, and ops without operands.

use crate::{
    builder::{Builder, Plan, Results, Value},
    cases::{ComparisonDirection, ComparisonType},
    constants::Operand,
    error::ErrorKind,
    types::{ElementType, Quantization, Type},
};
use halo_vhlo::{
    Attribute, AttributeId, Type as Vhlo, attribute::Enumeration, stablehlo::AttributeMaker,
};

pub(crate) type Attributes = Vec<(&'static str, AttributeId)>;

impl Builder {
    /// Makes an attribute.
    pub(crate) fn make<T>(&self, make: impl FnOnce(&mut AttributeMaker) -> T) -> T {
        make(&mut AttributeMaker {
            attributes: &mut self.types.attributes.borrow_mut(),
            types: &mut self.types.types.borrow_mut(),
        })
    }

    pub(crate) fn list(&self, values: impl AsRef<[i64]>) -> AttributeId {
        self.make(|maker| maker.list(values.as_ref()))
    }

    pub(crate) fn int(&self, value: i64) -> AttributeId {
        self.make(|maker| maker.integer(value))
    }

    pub(crate) fn int32(&self, value: i32) -> AttributeId {
        let ty = self.types.add(Vhlo::Integer {
            width: 32,
            unsigned: false,
        });
        let bits = u64::from(value as u32);
        self.types.attribute(Attribute::Integer { ty, bits })
    }

    pub(crate) fn flag(&self, value: bool) -> AttributeId {
        self.make(|maker| maker.boolean(value))
    }

    pub(crate) fn enumeration(&self, kind: Enumeration, case: u32) -> AttributeId {
        self.make(|maker| maker.case(kind, case))
    }

    /// A matrix of rows, which are padded with -1 to the length of the longest.
    pub(crate) fn matrix<R: AsRef<[i64]>>(&self, rows: &[R]) -> AttributeId {
        let width = rows.iter().map(|row| row.as_ref().len()).max().unwrap_or(0);
        let padded = |row: &R| {
            let row = row.as_ref();
            let padding = std::iter::repeat_n(-1, width - row.len());
            row.iter().copied().chain(padding).collect::<Vec<_>>()
        };
        let values: Vec<i64> = rows.iter().flat_map(padded).collect();
        self.make(|maker| maker.integers(vec![rows.len() as i64, width as i64], &values))
    }

    /// Adds an op of one result.
    #[track_caller]
    pub(crate) fn one<'b>(
        &'b self,
        family: &'static str,
        operands: &[Value<'b>],
        attributes: Attributes,
        results: Results,
    ) -> Value<'b> {
        let values = self.many(family, operands, attributes, results, 1);
        values.first().copied().unwrap_or(self.invalid())
    }

    /// Adds an op without regions.
    #[track_caller]
    pub(crate) fn many<'b>(
        &'b self,
        family: &'static str,
        operands: &[Value<'b>],
        attributes: Attributes,
        results: Results,
        fallback: usize,
    ) -> Vec<Value<'b>> {
        self.emit(Plan {
            family,
            operands,
            attributes,
            regions: Vec::new(),
            results,
            fallback,
        })
    }

    /// A result of a shape that is inferred.
    pub(crate) fn of_element(&self, element: &ElementType) -> Results {
        Results::Element(self.types.intern_element(element))
    }

    pub(crate) fn of_type(&self, ty: &Type) -> Results {
        Results::Types(vec![self.types.intern(ty)])
    }

    /// The numbers of an element of a dimension, along `iota_dimension`.
    #[track_caller]
    pub fn iota(&self, ty: Type, iota_dimension: i64) -> Value<'_> {
        let attributes = vec![("iota_dimension", self.int(iota_dimension))];
        self.one("iota", &[], attributes, self.of_type(&ty))
    }

    #[track_caller]
    pub fn create_token(&self) -> Value<'_> {
        self.one("create_token", &[], Vec::new(), Results::Inferred)
    }

    /// The number of this process's partition.
    #[track_caller]
    pub fn partition_id(&self) -> Value<'_> {
        self.one("partition_id", &[], Vec::new(), Results::Inferred)
    }

    /// The number of this process's replica.
    #[track_caller]
    pub fn replica_id(&self) -> Value<'_> {
        self.one("replica_id", &[], Vec::new(), Results::Inferred)
    }

    #[track_caller]
    pub fn after_all<'b>(&'b self, inputs: &[Value<'b>]) -> Value<'b> {
        self.one("after_all", inputs, Vec::new(), Results::Inferred)
    }

    #[track_caller]
    pub fn optimization_barrier<'b>(&'b self, operands: &[Value<'b>]) -> Vec<Value<'b>> {
        let count = operands.len();
        self.many(
            "optimization_barrier",
            operands,
            Vec::new(),
            Results::Inferred,
            count,
        )
    }

    #[track_caller]
    pub fn tuple<'b>(&'b self, values: &[Value<'b>]) -> Value<'b> {
        self.one("tuple", values, Vec::new(), Results::Inferred)
    }

    #[track_caller]
    pub fn concatenate<'b>(&'b self, inputs: &[Value<'b>], dimension: i64) -> Value<'b> {
        let attributes = vec![("dimension", self.int(dimension))];
        self.one("concatenate", inputs, attributes, Results::Inferred)
    }
}

/// Declares ops whose result has an inferred type.
macro_rules! elementwise {
    (unary { $($unary:ident)+ } binary { $($binary:ident)+ }) => {
        /// Elementwise ops of one operand.
        #[allow(clippy::should_implement_trait, reason = "the names of StableHLO")]
        impl<'b> Value<'b> {
            $(
                #[doc = concat!("The op `stablehlo.", stringify!($unary), "`.")]
                #[track_caller]
                pub fn $unary(self) -> Self {
                    self.builder.one(stringify!($unary), &[self], Vec::new(), Results::Inferred)
                }
            )+
        }

        /// Elementwise ops of two operands of one type, or of a value and a number.
        #[allow(clippy::should_implement_trait, reason = "the names of StableHLO")]
        impl<'b> Value<'b> {
            $(
                #[doc = concat!("The op `stablehlo.", stringify!($binary), "`.")]
                #[track_caller]
                pub fn $binary(self, rhs: impl Operand<'b>) -> Self {
                    let rhs = rhs.like(self);
                    let name = stringify!($binary);
                    self.builder.one(name, &[self, rhs], Vec::new(), Results::Inferred)
                }
            )+
        }
    };
}

elementwise! {
    unary {
        abs cbrt ceil cosine count_leading_zeros exponential exponential_minus_one floor imag
        is_finite log log_plus_one logistic negate not popcnt real round_nearest_afz
        round_nearest_even rsqrt sign sine sqrt tan tanh uniform_dequantize
    }
    binary {
        add and atan2 complex divide maximum minimum multiply or power remainder shift_left
        shift_right_arithmetic shift_right_logical subtract xor
    }
}

macro_rules! operator {
    ($($name:ident $method:ident $op:ident,)+) => {
        $(
            impl<'b, R: Operand<'b>> std::ops::$name<R> for Value<'b> {
                type Output = Value<'b>;

                #[track_caller]
                fn $method(self, rhs: R) -> Value<'b> {
                    self.$op(rhs)
                }
            }
        )+
    };
}

operator! {
    Add add add,
    Sub sub subtract,
    Mul mul multiply,
    Div div divide,
    Rem rem remainder,
}

impl<'b> std::ops::Neg for Value<'b> {
    type Output = Value<'b>;

    #[track_caller]
    fn neg(self) -> Value<'b> {
        self.negate()
    }
}

/// The error that a function may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ResultAccuracy {
    Default,
    Highest,
    /// `atol + rtol * |exact|`, or `ulps` units in the last place.
    Tolerance {
        atol: f64,
        rtol: f64,
        ulps: i64,
    },
}

impl<'b> Value<'b> {
    /// Sets the accuracy of the function that computes this value, such as `exponential`.
    #[track_caller]
    pub fn result_accuracy(self, accuracy: ResultAccuracy) -> Self {
        let (mode, tolerances, ulps) = match accuracy {
            ResultAccuracy::Default => (0, [0.0; 2], 0),
            ResultAccuracy::Highest => (1, [0.0; 2], 0),
            ResultAccuracy::Tolerance { atol, rtol, ulps } => (2, [atol, rtol], ulps),
        };
        let is_valid = tolerances.iter().all(|tolerance| *tolerance >= 0.0) && ulps >= 0;
        let id = self.builder.make(|maker| maker.accuracy(mode, tolerances, ulps));
        if is_valid && self.builder.replace_attribute(self, "result_accuracy", id) {
            return self;
        }
        let kind = ErrorKind::Attribute {
            name: "result_accuracy",
            expected: "a tolerance that is not negative, of a function",
            found: format!("{accuracy:?} of {self:?}"),
        };
        self.builder.fail("result_accuracy", kind)
    }

    /// A tensor of this shape and element type, filled with a number.
    #[track_caller]
    pub fn full_like(self, number: f64) -> Self {
        let Some(Type::Tensor { dims, element }) = self.ty() else {
            return self.builder.invalid();
        };
        let scalar = self.builder.number(&element, number);
        if dims.is_empty() {
            return scalar;
        }
        scalar.broadcast_like(self, [])
    }

    /// Repeats the elements to the shape of another value: dimension `i` becomes dimension
    /// `broadcast_dimensions[i]`.
    #[track_caller]
    pub fn broadcast_like(self, other: Value<'b>, broadcast_dimensions: impl AsRef<[i64]>) -> Self {
        let (Some(element), dims) = (self.element(), other.dims()) else {
            return self.builder.invalid();
        };
        let sizes: Option<Vec<i64>> = dims.iter().map(|dim| dim.size()).collect();
        match sizes {
            Some(sizes) => self.broadcast_in_dim(sizes, broadcast_dimensions),
            None => {
                let ty = Type::dynamic_tensor(element, dims);
                let sizes = other.shape_of();
                let dimensions = broadcast_dimensions.as_ref();
                self.dynamic_broadcast_in_dim(sizes, dimensions, &ty, None)
            }
        }
    }

    /// The sizes of the dimensions, as a vector of `i32`.
    #[track_caller]
    pub fn shape_of(self) -> Self {
        let size = |index| self.get_dimension_size(index as i64).reshape([1]);
        let sizes: Vec<Value> = (0..self.dims().len()).map(size).collect();
        match &sizes[..] {
            [] => self.builder.constant::<i32>([], [0]),
            sizes => self.builder.concatenate(sizes, 0),
        }
    }

    /// The op `stablehlo.compare`.
    #[track_caller]
    pub fn compare(
        self,
        rhs: impl Operand<'b>,
        direction: ComparisonDirection,
        compare_type: ComparisonType,
    ) -> Self {
        let b = self.builder;
        let rhs = rhs.like(self);
        let attributes = vec![
            (
                "comparison_direction",
                b.enumeration(ComparisonDirection::KIND, direction as u32),
            ),
            (
                "compare_type",
                b.enumeration(ComparisonType::KIND, compare_type as u32),
            ),
        ];
        b.one("compare", &[self, rhs], attributes, Results::Inferred)
    }
}

macro_rules! comparisons {
    ($($name:ident $case:ident,)+) => {
        /// Comparisons in the default order of the element type.
        impl<'b> Value<'b> {
            $(
                #[doc = concat!("The op `stablehlo.compare` in direction `", stringify!($case), "`.")]
                #[track_caller]
                pub fn $name(self, rhs: impl Operand<'b>) -> Self {
                    self.compare(rhs, ComparisonDirection::$case, ComparisonType::NoType)
                }
            )+
        }
    };
}

comparisons! { eq Eq, ne Ne, ge Ge, gt Gt, le Le, lt Lt, }

/// Ops of elements and types.
impl<'b> Value<'b> {
    /// The op `stablehlo.convert`.
    #[track_caller]
    pub fn convert(self, element: ElementType) -> Self {
        let results = self.builder.of_element(&element);
        self.builder.one("convert", &[self], Vec::new(), results)
    }

    /// The op `stablehlo.bitcast_convert`.
    #[track_caller]
    pub fn bitcast_convert(self, ty: &Type) -> Self {
        self.builder.one(
            "bitcast_convert",
            &[self],
            Vec::new(),
            self.builder.of_type(ty),
        )
    }

    /// The op `stablehlo.reduce_precision`.
    #[track_caller]
    pub fn reduce_precision(self, exponent_bits: i32, mantissa_bits: i32) -> Self {
        let b = self.builder;
        if exponent_bits < 1 || mantissa_bits < 0 {
            let kind = ErrorKind::Attribute {
                name: "exponent_bits, mantissa_bits",
                expected: "at least 1 and 0",
                found: format!("{exponent_bits}, {mantissa_bits}"),
            };
            return b.fail("stablehlo.reduce_precision", kind);
        }
        let attributes = vec![
            ("exponent_bits", b.int32(exponent_bits)),
            ("mantissa_bits", b.int32(mantissa_bits)),
        ];
        b.one("reduce_precision", &[self], attributes, Results::Inferred)
    }

    /// The op `stablehlo.uniform_quantize`.
    #[track_caller]
    pub fn uniform_quantize(self, quantization: Quantization) -> Self {
        let element = ElementType::Quantized(Box::new(quantization));
        let results = self.builder.of_element(&element);
        self.builder.one("uniform_quantize", &[self], Vec::new(), results)
    }

    /// The op `stablehlo.select`: this value is the predicate, a scalar or of the shape of the
    /// others.
    #[track_caller]
    pub fn select(self, on_true: Value<'b>, on_false: impl Operand<'b>) -> Self {
        let on_false = on_false.like(on_true);
        let operands = [self, on_true, on_false];
        self.builder.one("select", &operands, Vec::new(), Results::Inferred)
    }

    /// The op `stablehlo.clamp`: bounds are scalars, or of the shape of the value.
    #[track_caller]
    pub fn clamp(self, min: impl Operand<'b>, max: impl Operand<'b>) -> Self {
        let operands = [min.like(self), self, max.like(self)];
        self.builder.one("clamp", &operands, Vec::new(), Results::Inferred)
    }
}
