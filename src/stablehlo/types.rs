//! Types of values.

use crate::elements::{full_range, type_text};
use crate::semantics::{Dim, Quantized, Ty};
use halo_vhlo::{
    Arena, Attribute, Type as Vhlo, TypeId,
    types::{DYNAMIC, FloatFormat, QuantizedStorage},
};
use std::{cell::RefCell, fmt};

/// The type of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// A ranked tensor.
    Tensor {
        dims: Vec<Dim>,
        element: ElementType,
    },
    Token,
    Tuple(Vec<Type>),
    /// The results of an op that runs asynchronously.
    Future(Vec<Type>),
}

/// The type of an element, by its name in StableHLO: `I8` is `i8`, `UI8` is `ui8`.
#[derive(Clone, Debug, PartialEq)]
#[rustfmt::skip]
pub enum ElementType {
    /// A boolean.
    I1,
    I2, I4, I8, I16, I32, I64,
    UI2, UI4, UI8, UI16, UI32, UI64,
    F4E2M1FN, F6E2M3FN, F6E3M2FN,
    F8E3M4, F8E4M3, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0FNU,
    BF16, F16, F32, F64,
    /// The type of the operands of an algorithm of `dot_general`; no tensor has it.
    TF32,
    /// `complex<f32>`
    ComplexF32,
    /// `complex<f64>`
    ComplexF64,
    /// Integers that represent real numbers.
    Quantized(Box<Quantization>),
}

/// A uniformly quantized element type: an element `q` represents `(q - zero_point) * scale`.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantization {
    /// An integer type.
    pub storage: ElementType,
    /// The smallest and the largest stored integer; `None` for all that the type has.
    pub storage_range: Option<(i64, i64)>,
    /// A float type.
    pub expressed: ElementType,
    /// The dimension with a scale and a zero point for each slice; `None` for one of each.
    pub dimension: Option<i64>,
    /// The scales and the zero points.
    pub parameters: Vec<(f64, i64)>,
}

const FLOATS: [(ElementType, FloatFormat); 16] = [
    (ElementType::F4E2M1FN, FloatFormat::F4E2M1FN),
    (ElementType::F6E2M3FN, FloatFormat::F6E2M3FN),
    (ElementType::F6E3M2FN, FloatFormat::F6E3M2FN),
    (ElementType::F8E3M4, FloatFormat::F8E3M4),
    (ElementType::F8E4M3, FloatFormat::F8E4M3),
    (ElementType::F8E4M3B11FNUZ, FloatFormat::F8E4M3B11FNUZ),
    (ElementType::F8E4M3FN, FloatFormat::F8E4M3FN),
    (ElementType::F8E4M3FNUZ, FloatFormat::F8E4M3FNUZ),
    (ElementType::F8E5M2, FloatFormat::F8E5M2),
    (ElementType::F8E5M2FNUZ, FloatFormat::F8E5M2FNUZ),
    (ElementType::F8E8M0FNU, FloatFormat::F8E8M0FNU),
    (ElementType::BF16, FloatFormat::BF16),
    (ElementType::F16, FloatFormat::F16),
    (ElementType::F32, FloatFormat::F32),
    (ElementType::F64, FloatFormat::F64),
    (ElementType::TF32, FloatFormat::TF32),
];

const INTEGERS: [(ElementType, u32, bool); 12] = [
    (ElementType::I2, 2, false),
    (ElementType::I4, 4, false),
    (ElementType::I8, 8, false),
    (ElementType::I16, 16, false),
    (ElementType::I32, 32, false),
    (ElementType::I64, 64, false),
    (ElementType::UI2, 2, true),
    (ElementType::UI4, 4, true),
    (ElementType::UI8, 8, true),
    (ElementType::UI16, 16, true),
    (ElementType::UI32, 32, true),
    (ElementType::UI64, 64, true),
];

impl Type {
    /// A tensor of static sizes; a scalar for no sizes.
    pub fn tensor(element: ElementType, sizes: impl AsRef<[i64]>) -> Self {
        Self::dynamic_tensor(
            element,
            sizes.as_ref().iter().map(|size| Dim::Static(*size)),
        )
    }

    /// A tensor whose dimensions may be bounded or dynamic.
    pub fn dynamic_tensor(element: ElementType, dims: impl IntoIterator<Item = Dim>) -> Self {
        Self::Tensor {
            dims: dims.into_iter().collect(),
            element,
        }
    }

    /// The dimensions of a tensor.
    pub fn dims(&self) -> Option<&[Dim]> {
        match self {
            Self::Tensor { dims, .. } => Some(dims),
            _ => None,
        }
    }

    /// The sizes of a tensor of static sizes.
    pub fn sizes(&self) -> Option<Vec<i64>> {
        self.dims()?.iter().map(|dim| dim.size()).collect()
    }

    /// The type of the elements of a tensor.
    pub fn element(&self) -> Option<&ElementType> {
        match self {
            Self::Tensor { element, .. } => Some(element),
            _ => None,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let types = Types::default();
        let id = types.intern(self);
        types.get(id).fmt(formatter)
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let types = Types::default();
        let id = types.intern_element(self);
        types.get(id).fmt(formatter)
    }
}

/// The types and attributes of a program, each once.
#[derive(Debug, Default)]
pub(crate) struct Types {
    pub types: RefCell<Arena<Vhlo>>,
    pub attributes: RefCell<Arena<Attribute>>,
}

impl Types {
    pub fn get(&self, id: TypeId) -> TypeRef<'_> {
        TypeRef { types: self, id }
    }

    pub fn add(&self, ty: Vhlo) -> TypeId {
        self.types.borrow_mut().intern(ty)
    }

    /// The type with a number.
    pub fn vhlo(&self, id: TypeId) -> Vhlo {
        self.types.borrow().get(id).clone()
    }

    pub fn attribute(&self, attribute: Attribute) -> halo_vhlo::AttributeId {
        self.attributes.borrow_mut().intern(attribute)
    }

    pub fn intern(&self, ty: &Type) -> TypeId {
        let all = |types: &[Type]| types.iter().map(|ty| self.intern(ty)).collect();
        match ty {
            Type::Tensor { dims, element } => self.tensor(dims, self.intern_element(element)),
            Type::Token => self.add(Vhlo::Token),
            Type::Tuple(types) => {
                let types = all(types);
                self.add(Vhlo::Tuple(types))
            }
            Type::Future(types) => {
                let types = all(types);
                self.add(Vhlo::Future(types))
            }
        }
    }

    fn tensor(&self, dims: &[Dim], element: TypeId) -> TypeId {
        let is_bounded = dims.iter().any(|dim| matches!(dim, Dim::Bounded(_)));
        let encoding = is_bounded.then(|| {
            let bounds = dims.iter().map(|dim| match dim {
                Dim::Bounded(bound) => *bound,
                Dim::Static(_) | Dim::Dynamic => DYNAMIC,
            });
            self.attribute(Attribute::TypeExtensions(bounds.collect()))
        });
        self.add(Vhlo::RankedTensor {
            shape: dims.iter().map(|dim| dim.size().unwrap_or(DYNAMIC)).collect(),
            element,
            encoding,
        })
    }

    pub fn intern_element(&self, element: &ElementType) -> TypeId {
        if let Some((_, format)) = FLOATS.iter().find(|entry| entry.0 == *element) {
            return self.add(Vhlo::Float(*format));
        }
        if let Some((_, width, unsigned)) = INTEGERS.iter().find(|entry| entry.0 == *element) {
            return self.add(Vhlo::Integer {
                width: *width,
                unsigned: *unsigned,
            });
        }
        let complex = |format| {
            let part = self.add(Vhlo::Float(format));
            self.add(Vhlo::Complex(part))
        };
        match element {
            ElementType::ComplexF32 => complex(FloatFormat::F32),
            ElementType::ComplexF64 => complex(FloatFormat::F64),
            ElementType::Quantized(quantization) => self.quantized(quantization),
            _ => self.add(Vhlo::Boolean),
        }
    }

    fn quantized(&self, quantization: &Quantization) -> TypeId {
        let stored = self.intern_element(&quantization.storage);
        let is_unsigned = self.get(stored).is_unsigned();
        let (min, max) = quantization
            .storage_range
            .unwrap_or_else(|| full_range(self.get(stored).bit_width().unwrap_or(8), is_unsigned));
        let signless = match self.vhlo(stored) {
            Vhlo::Integer { width, .. } => self.add(Vhlo::Integer {
                width,
                unsigned: false,
            }),
            _ => stored,
        };
        let storage = QuantizedStorage {
            flags: u64::from(!is_unsigned),
            storage: signless,
            expressed: self.intern_element(&quantization.expressed),
            min,
            max,
        };
        let bits = |(scale, zero): &(f64, i64)| (scale.to_bits(), *zero);
        self.add(match quantization.dimension {
            Some(dimension) => {
                let (scales, zero_points) = quantization.parameters.iter().map(bits).unzip();
                Vhlo::UniformQuantizedPerAxis {
                    storage,
                    dimension: u64::try_from(dimension).unwrap_or(u64::MAX),
                    scales,
                    zero_points,
                }
            }
            None => {
                let first = quantization.parameters.first().copied().unwrap_or((1.0, 0));
                let (scale, zero_point) = bits(&first);
                Vhlo::UniformQuantized {
                    storage,
                    scale,
                    zero_point,
                }
            }
        })
    }

    /// The type with a number, if the builder has such types.
    pub fn describe(&self, id: TypeId) -> Type {
        let all = |types: Vec<TypeId>| types.into_iter().map(|id| self.describe(id)).collect();
        match self.vhlo(id) {
            Vhlo::Tuple(types) => Type::Tuple(all(types)),
            Vhlo::Future(types) => Type::Future(all(types)),
            Vhlo::RankedTensor { element, .. } => Type::Tensor {
                dims: self.get(id).dims().unwrap_or_default(),
                element: self.describe_element(element),
            },
            _ => Type::Token,
        }
    }

    pub fn describe_element(&self, id: TypeId) -> ElementType {
        if let Some(quantized) = self.get(id).quantized() {
            let storage = match (self.vhlo(quantized.storage.id), quantized.is_signed) {
                (Vhlo::Integer { width, .. }, false) => self.add(Vhlo::Integer {
                    width,
                    unsigned: true,
                }),
                _ => quantized.storage.id,
            };
            let width = quantized.storage.bit_width().unwrap_or(8);
            let full = full_range(width, !quantized.is_signed);
            return ElementType::Quantized(Box::new(Quantization {
                storage: self.describe_element(storage),
                storage_range: (quantized.range != full).then_some(quantized.range),
                expressed: self.describe_element(quantized.expressed.id),
                dimension: quantized.axis,
                parameters: quantized.parameters,
            }));
        }
        let found = match self.vhlo(id) {
            Vhlo::Float(format) => {
                FLOATS.iter().find(|entry| entry.1 == format).map(|entry| entry.0.clone())
            }
            Vhlo::Integer { width, unsigned } => INTEGERS
                .iter()
                .find(|entry| (entry.1, entry.2) == (width, unsigned))
                .map(|entry| entry.0.clone()),
            Vhlo::Complex(part) => Some(match self.get(part).bit_width() {
                Some(64) => ElementType::ComplexF64,
                _ => ElementType::ComplexF32,
            }),
            _ => None,
        };
        found.unwrap_or(ElementType::I1)
    }
}

/// A type by its number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypeRef<'a> {
    pub types: &'a Types,
    pub id: TypeId,
}

impl PartialEq for TypeRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl fmt::Display for TypeRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let (types, attributes) = (self.types.types.borrow(), self.types.attributes.borrow());
        formatter.write_str(&type_text(&types, &attributes, self.id))
    }
}

impl TypeRef<'_> {
    fn other(self, id: TypeId) -> Self {
        Self { id, ..self }
    }
}

impl Ty for TypeRef<'_> {
    fn dims(self) -> Option<Vec<Dim>> {
        let Vhlo::RankedTensor {
            shape, encoding, ..
        } = self.types.vhlo(self.id)
        else {
            return None;
        };
        let attributes = self.types.attributes.borrow();
        let bounds = match encoding.map(|encoding| attributes.get(encoding)) {
            Some(Attribute::TypeExtensions(bounds)) => &bounds[..],
            _ => &[],
        };
        let dims = shape.iter().enumerate();
        Some(
            dims.map(|(index, size)| match (*size, bounds.get(index)) {
                (DYNAMIC, Some(bound)) if *bound != DYNAMIC => Dim::Bounded(*bound),
                (DYNAMIC, _) => Dim::Dynamic,
                (size, _) => Dim::Static(size),
            })
            .collect(),
        )
    }

    fn element_type(self) -> Self {
        match self.types.vhlo(self.id) {
            Vhlo::RankedTensor { element, .. } | Vhlo::UnrankedTensor(element) => {
                self.other(element)
            }
            _ => self,
        }
    }

    fn with_element_type(self, element: Self) -> Self {
        match self.types.vhlo(self.id) {
            Vhlo::RankedTensor {
                shape, encoding, ..
            } => self.other(self.types.add(Vhlo::RankedTensor {
                shape,
                element: element.id,
                encoding,
            })),
            _ => element,
        }
    }

    fn tensor_of(self, dims: &[Dim]) -> Self {
        self.other(self.types.tensor(dims, self.id))
    }

    fn unranked_tensor_of(self) -> Self {
        self.other(self.types.add(Vhlo::UnrankedTensor(self.id)))
    }

    fn is_tensor(self) -> bool {
        let ty = self.types.vhlo(self.id);
        matches!(ty, Vhlo::RankedTensor { .. } | Vhlo::UnrankedTensor(_))
    }

    fn is_token(self) -> bool {
        self.types.vhlo(self.id) == Vhlo::Token
    }

    fn is_float(self) -> bool {
        matches!(self.types.vhlo(self.id), Vhlo::Float(_))
    }

    fn is_integer(self) -> bool {
        let ty = self.types.vhlo(self.id);
        matches!(ty, Vhlo::Integer { .. } | Vhlo::Boolean)
    }

    fn is_signless(self) -> bool {
        self.is_integer() && !self.is_unsigned()
    }

    fn is_unsigned(self) -> bool {
        let ty = self.types.vhlo(self.id);
        matches!(ty, Vhlo::Integer { unsigned: true, .. })
    }

    fn bit_width(self) -> Option<u32> {
        match self.types.vhlo(self.id) {
            Vhlo::Boolean => Some(1),
            Vhlo::Integer { width, .. } => Some(width),
            Vhlo::Float(format) => Some(format.width()),
            _ => None,
        }
    }

    fn complex_element(self) -> Option<Self> {
        match self.types.vhlo(self.id) {
            Vhlo::Complex(part) => Some(self.other(part)),
            _ => None,
        }
    }

    fn complex_of(self) -> Self {
        self.other(self.types.add(Vhlo::Complex(self.id)))
    }

    fn quantized(self) -> Option<Quantized<Self>> {
        let number = |(scale, zero): (u64, i64)| (f64::from_bits(scale), zero);
        let (storage, axis, parameters) = match self.types.vhlo(self.id) {
            Vhlo::UniformQuantized {
                storage,
                scale,
                zero_point,
            } => (storage, None, vec![number((scale, zero_point))]),
            Vhlo::UniformQuantizedPerAxis {
                storage,
                dimension,
                scales,
                zero_points,
            } => {
                let parameters = scales.into_iter().zip(zero_points).map(number).collect();
                let axis = i64::try_from(dimension).unwrap_or(i64::MAX);
                (storage, Some(axis), parameters)
            }
            _ => return None,
        };
        Some(Quantized {
            storage: self.other(storage.storage),
            is_signed: storage.flags & 1 == 1,
            expressed: self.other(storage.expressed),
            range: (storage.min, storage.max),
            axis,
            parameters,
        })
    }

    fn tuple_types(self) -> Option<Vec<Self>> {
        match self.types.vhlo(self.id) {
            Vhlo::Tuple(types) => Some(types.into_iter().map(|id| self.other(id)).collect()),
            _ => None,
        }
    }

    fn future_types(self) -> Option<Vec<Self>> {
        match self.types.vhlo(self.id) {
            Vhlo::Future(types) => Some(types.into_iter().map(|id| self.other(id)).collect()),
            _ => None,
        }
    }
}
