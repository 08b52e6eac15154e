//! Attributes as Rust values, and back.

use crate::{
    attributes::{
        AttributeExt, affine_map_attribute, array_attribute, bool_attribute, float_attribute,
        i64_array_attribute, integer_attribute, string_attribute, type_attribute, unit_attribute,
    },
    handles::{Attribute, Type},
    stablehlo::attributes::{self, *},
    untrusted::bool_array_attribute,
};
use melior::{
    Context,
    ir::{
        AffineMap, AttributeLike,
        attribute::{
            ArrayAttribute, BoolAttribute, DenseI32ArrayAttribute, FlatSymbolRefAttribute,
            TypeAttribute,
        },
        r#type::IntegerType,
    },
};
use mlir_sys::{MlirAttribute, MlirContext};

/// The Rust representation of an attribute's value.
pub trait Codec {
    /// The type that is read.
    type Read<'c>;
    /// The type that is written.
    type Write<'a, 'c: 'a>: Clone + 'a;
    /// Whether a value without an attribute means that the attribute is absent.
    const IS_ABSENT_WHEN_NONE: bool = false;

    /// The value of an attribute; `None` if it is of another kind.
    fn read(attribute: Attribute<'_>) -> Option<Self::Read<'_>>;

    /// The attribute of a value; `None` if it cannot be represented, as for an enum of a dialect
    /// that is not loaded.
    fn write<'a, 'c: 'a>(context: &'c Context, value: Self::Write<'a, 'c>)
    -> Option<Attribute<'c>>;
}

/// An enum of ODS.
#[doc(hidden)]
pub trait Enumeration: Copy + 'static {
    /// The cases in the spelling of programs, each with its number; empty if a value is a set of
    /// bits.
    const CASES: &'static [(&'static str, u64)];

    /// The number of the case.
    fn number(self) -> u64;
    /// The case of a number.
    fn from_number(number: u64) -> Option<Self>;
}

macro_rules! codec {
    (
        $(#[$doc:meta])*
        $name:ident $(<const $parameter:ident: u32>)?: $read:ty, $write:ty,
        |$attribute:ident| $from:expr, |$context:pat_param, $value:ident| $to:expr
    ) => {
        $(#[$doc])*
        pub struct $name $(<const $parameter: u32>)?;

        impl $(<const $parameter: u32>)? Codec for $name $(<$parameter>)? {
            type Read<'c> = $read;
            type Write<'a, 'c: 'a> = $write;

            fn read<'c>($attribute: Attribute<'c>) -> Option<$read> {
                $from
            }

            fn write<'a, 'c: 'a>(
                $context: &'c Context,
                $value: $write,
            ) -> Option<Attribute<'c>> {
                Some($to)
            }
        }
    };
}

codec! {
    /// Any attribute, unchanged.
    Any: Attribute<'c>, Attribute<'c>,
    |attribute| Some(attribute), |_, value| value
}
codec! {
    /// `true` or `false`
    Bool: bool, bool,
    |attribute| Some(attribute.cast::<BoolAttribute>()?.value()),
    |context, value| bool_attribute(context, value)
}
codec! {
    /// `N : iW`
    Signless<const W: u32>: i64, i64,
    |attribute| attribute.integer_value(),
    |context, value| integer_attribute(IntegerType::new(context, W).into(), value)
}
codec! {
    /// `N : siW`
    Signed<const W: u32>: i64, i64,
    |attribute| attribute.integer_value(),
    |context, value| integer_attribute(IntegerType::signed(context, W).into(), value)
}
codec! {
    /// `N : uiW`
    Unsigned<const W: u32>: i64, i64,
    |attribute| attribute.integer_value(),
    |context, value| integer_attribute(IntegerType::unsigned(context, W).into(), value)
}
codec! {
    /// `N : index`
    Index: i64, i64,
    |attribute| attribute.integer_value(),
    |context, value| integer_attribute(Type::index(context), value)
}
codec! {
    /// `x : fW`
    Float<const W: u32>: f64, f64,
    |attribute| attribute.float_value(),
    |context, value| float_attribute(
        match W {
            32 => Type::float32(context),
            _ => Type::float64(context),
        },
        value,
    )
}
codec! {
    /// `"text"`
    Text: &'c str, &'a str,
    |attribute| attribute.string_value(), |context, value| string_attribute(context, value)
}
codec! {
    /// `@name`
    Symbol: &'c str, &'a str,
    |attribute| attribute.symbol_value(),
    |context, value| FlatSymbolRefAttribute::new(context, value).into()
}
codec! {
    /// A type.
    OfType: Type<'c>, Type<'c>,
    |attribute| Some(attribute.cast::<TypeAttribute>()?.value()),
    |_, value| type_attribute(value)
}
codec! {
    /// `array<i64: ...>`
    I64s: Vec<i64>, &'a [i64],
    |attribute| attribute.i64_array_value(), |context, value| i64_array_attribute(context, value)
}
codec! {
    /// `array<i32: ...>`
    I32s: Vec<i32>, &'a [i32],
    |attribute| attribute.i32_array_value(),
    |context, value| DenseI32ArrayAttribute::new(context, value).into()
}
codec! {
    /// `array<i1: ...>`
    Bools: Vec<bool>, &'a [bool],
    |attribute| attribute.bool_array_value(),
    |context, value| bool_array_attribute(context, value)
}
codec! {
    /// `affine_map<...>`
    Map: AffineMap<'c>, AffineMap<'c>,
    |attribute| attribute.affine_map_value(), |_, value| affine_map_attribute(value)
}

/// `unit`, whose presence is its value.
pub struct Unit;

impl Codec for Unit {
    type Read<'c> = bool;
    type Write<'a, 'c: 'a> = bool;
    const IS_ABSENT_WHEN_NONE: bool = true;

    fn read(attribute: Attribute<'_>) -> Option<bool> {
        attribute.is_unit().then_some(true)
    }

    fn write<'a, 'c: 'a>(context: &'c Context, value: bool) -> Option<Attribute<'c>> {
        value.then(|| unit_attribute(context))
    }
}

/// `[a, b, ...]`
#[doc(hidden)]
pub struct List<C>(std::marker::PhantomData<C>);

impl<C: Codec> Codec for List<C> {
    type Read<'c> = Vec<C::Read<'c>>;
    type Write<'a, 'c: 'a> = &'a [C::Write<'a, 'c>];

    fn read(attribute: Attribute<'_>) -> Option<Self::Read<'_>> {
        let array = attribute.cast::<ArrayAttribute>()?;
        (0..array.len()).map(|index| C::read(array.element(index).ok()?)).collect()
    }

    fn write<'a, 'c: 'a>(
        context: &'c Context,
        value: Self::Write<'a, 'c>,
    ) -> Option<Attribute<'c>> {
        let elements: Option<Vec<_>> =
            value.iter().map(|element| C::write(context, element.clone())).collect();
        Some(array_attribute(context, &elements?))
    }
}

/// An enum in an integer attribute of a width.
#[doc(hidden)]
pub struct EnumInteger<E, const W: u32>(std::marker::PhantomData<E>);

impl<E: Enumeration, const W: u32> Codec for EnumInteger<E, W> {
    type Read<'c> = E;
    type Write<'a, 'c: 'a> = E;

    fn read(attribute: Attribute<'_>) -> Option<E> {
        E::from_number(attribute.integer_value()? as u64)
    }

    fn write<'a, 'c: 'a>(context: &'c Context, value: E) -> Option<Attribute<'c>> {
        let ty = IntegerType::new(context, W).into();
        Some(integer_attribute(ty, value.number() as i64))
    }
}

/// An enum in an attribute of a dialect, with the ordinal in the list that the generator passes to
/// dialects/cpp/syntax/EnumAttributes.cpp.
#[doc(hidden)]
pub struct EnumAttribute<E, const ORDINAL: u32>(std::marker::PhantomData<E>);

unsafe extern "C" {
    fn haloEnumAttributeRead(attribute: MlirAttribute, ordinal: u32, value: *mut u64) -> bool;
    fn haloEnumAttributeBuild(context: MlirContext, ordinal: u32, value: u64) -> MlirAttribute;
}

impl<E: Enumeration, const ORDINAL: u32> Codec for EnumAttribute<E, ORDINAL> {
    type Read<'c> = E;
    type Write<'a, 'c: 'a> = E;

    fn read(attribute: Attribute<'_>) -> Option<E> {
        let mut number = 0;
        // SAFETY: The attribute is alive, and the number is written only here.
        unsafe { haloEnumAttributeRead(attribute.to_raw(), ORDINAL, &mut number) }
            .then(|| E::from_number(number))?
    }

    fn write<'a, 'c: 'a>(context: &'c Context, value: E) -> Option<Attribute<'c>> {
        // SAFETY: The context is alive, and an attribute lives as long as it; the number is a valid
        // case.
        unsafe {
            let raw = haloEnumAttributeBuild(context.to_raw(), ORDINAL, value.number());
            (!raw.ptr.is_null()).then(|| Attribute::from_raw(raw))
        }
    }
}

/// Values of StableHLO that are written as they are.
macro_rules! copied {
    ($($name:ident)+) => {$(
        impl Codec for $name {
            type Read<'c> = Self;
            type Write<'a, 'c: 'a> = Self;

            fn read(attribute: Attribute<'_>) -> Option<Self> {
                Self::from_attribute(attribute)
            }

            fn write<'a, 'c: 'a>(context: &'c Context, value: Self) -> Option<Attribute<'c>> {
                Some(value.to_attribute(context))
            }
        }
    )+};
}

copied! {
    ComparisonDirection ComparisonType CustomCallApiVersion FftType Precision RngAlgorithm
    RngDistribution Transpose
}

/// Values of StableHLO that are written from a reference.
macro_rules! borrowed {
    ($($name:ident)+) => {$(
        impl Codec for $name {
            type Read<'c> = Self;
            type Write<'a, 'c: 'a> = &'a Self;

            fn read(attribute: Attribute<'_>) -> Option<Self> {
                Self::from_attribute(attribute)
            }

            fn write<'a, 'c: 'a>(context: &'c Context, value: &'a Self) -> Option<Attribute<'c>> {
                Some(value.to_attribute(context))
            }
        }
    )+};
}

borrowed! {
    ChannelHandle ConvDimensionNumbers DotDimensionNumbers GatherDimensionNumbers
    OutputOperandAlias RaggedDotDimensionNumbers ScatterDimensionNumbers
}

/// An enum of CHLO that also exists in StableHLO.
#[doc(hidden)]
pub struct Chlo<E>(std::marker::PhantomData<E>);

macro_rules! of_chlo {
    ($($name:ident)+) => {$(
        impl Codec for Chlo<$name> {
            type Read<'c> = $name;
            type Write<'a, 'c: 'a> = $name;

            fn read(attribute: Attribute<'_>) -> Option<$name> {
                $name::from_attribute(attribute)
            }

            fn write<'a, 'c: 'a>(context: &'c Context, value: $name) -> Option<Attribute<'c>> {
                Some(value.to_chlo_attribute(context))
            }
        }
    )+};
}

of_chlo! { ComparisonDirection ComparisonType Precision }

impl Codec for ResultAccuracy {
    type Read<'c> = Self;
    type Write<'a, 'c: 'a> = Self;

    fn read(attribute: Attribute<'_>) -> Option<Self> {
        Self::from_attribute(attribute)
    }

    fn write<'a, 'c: 'a>(context: &'c Context, value: Self) -> Option<Attribute<'c>> {
        value.to_attribute(context)
    }
}

/// `#stablehlo.dot_algorithm`
pub struct DotAlgorithm;

impl Codec for DotAlgorithm {
    type Read<'c> = attributes::DotAlgorithm<'c>;
    type Write<'a, 'c: 'a> = attributes::DotAlgorithm<'c>;

    fn read(attribute: Attribute<'_>) -> Option<attributes::DotAlgorithm<'_>> {
        attributes::DotAlgorithm::from_attribute(attribute)
    }

    fn write<'a, 'c: 'a>(
        context: &'c Context,
        value: attributes::DotAlgorithm<'c>,
    ) -> Option<Attribute<'c>> {
        value.to_attribute(context)
    }
}
