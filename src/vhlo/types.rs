//! The types that a module of VHLO holds.

use crate::attribute::{AttributeId, Bytes, Reference};

/// The number of a type of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// The size of a dynamic dimension.
pub const DYNAMIC: i64 = i64::MIN;

/// The formats of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatFormat {
    BF16,
    F16,
    F32,
    F64,
    TF32,
    F4E2M1FN,
    F6E2M3FN,
    F6E3M2FN,
    F8E3M4,
    F8E4M3,
    F8E4M3B11FNUZ,
    F8E4M3FN,
    F8E4M3FNUZ,
    F8E5M2,
    F8E5M2FNUZ,
    F8E8M0FNU,
}

impl FloatFormat {
    /// The number of bits of a value.
    pub fn width(self) -> u32 {
        match self {
            Self::F4E2M1FN => 4,
            Self::F6E2M3FN | Self::F6E3M2FN => 6,
            Self::F8E3M4
            | Self::F8E4M3
            | Self::F8E4M3B11FNUZ
            | Self::F8E4M3FN
            | Self::F8E4M3FNUZ
            | Self::F8E5M2
            | Self::F8E5M2FNUZ
            | Self::F8E8M0FNU => 8,
            Self::BF16 | Self::F16 => 16,
            Self::TF32 => 19,
            Self::F32 => 32,
            Self::F64 => 64,
        }
    }

    /// Returns true if a value has eight bits.
    pub fn is_f8(self) -> bool {
        self.width() == 8
    }
}

/// The signedness of an integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signedness {
    Signless,
    Signed,
    Unsigned,
}

/// The common parts of both kinds of quantized types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QuantizedStorage {
    /// 1 if the storage is signed.
    pub flags: u64,
    pub storage: TypeId,
    pub expressed: TypeId,
    pub min: i64,
    pub max: i64,
}

/// A type of VHLO, or of MLIR.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Boolean,
    Float(FloatFormat),
    /// An integer of 2, 4, 8, 16, 32 or 64 bits.
    Integer {
        width: u32,
        unsigned: bool,
    },
    Index,
    Complex(TypeId),
    Function {
        inputs: Vec<TypeId>,
        outputs: Vec<TypeId>,
    },
    RankedTensor {
        shape: Vec<i64>,
        element: TypeId,
        encoding: Option<AttributeId>,
    },
    UnrankedTensor(TypeId),
    RankedBuffer {
        shape: Vec<i64>,
        element: TypeId,
    },
    Token,
    Tuple(Vec<TypeId>),
    Future(Vec<TypeId>),
    /// The scale as the bits of an f64.
    UniformQuantized {
        storage: QuantizedStorage,
        scale: u64,
        zero_point: i64,
    },
    UniformQuantizedPerAxis {
        storage: QuantizedStorage,
        dimension: u64,
        scales: Vec<u64>,
        zero_points: Vec<i64>,
    },
    Witness,
    None,
    Builtin(Builtin),
    /// A type of another dialect, or of MLIR, by its text.
    Text(Bytes),
}

/// Types of MLIR itself, which attributes and ops that are not of VHLO have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    Integer {
        width: u32,
        signedness: Signedness,
    },
    Index,
    Float(FloatFormat),
    Complex(TypeId),
    Function {
        inputs: Vec<TypeId>,
        outputs: Vec<TypeId>,
    },
    None,
    RankedTensor {
        shape: Vec<i64>,
        element: TypeId,
        encoding: Option<AttributeId>,
    },
    UnrankedTensor(TypeId),
    Tuple(Vec<TypeId>),
}

impl Type {
    /// Calls a function with everything that the type refers to.
    pub fn visit(&self, mut function: impl FnMut(Reference)) {
        let mut one = |id: &TypeId| function(Reference::Type(*id));
        match self {
            Self::Complex(element)
            | Self::UnrankedTensor(element)
            | Self::RankedBuffer { element, .. }
            | Self::Builtin(Builtin::Complex(element) | Builtin::UnrankedTensor(element)) => {
                one(element);
            }
            Self::Function { inputs, outputs }
            | Self::Builtin(Builtin::Function { inputs, outputs }) => {
                inputs.iter().for_each(&mut one);
                outputs.iter().for_each(one);
            }
            Self::RankedTensor {
                element, encoding, ..
            }
            | Self::Builtin(Builtin::RankedTensor {
                element, encoding, ..
            }) => {
                one(element);
                if let Some(encoding) = encoding {
                    function(Reference::Attribute(*encoding));
                }
            }
            Self::Tuple(elements)
            | Self::Future(elements)
            | Self::Builtin(Builtin::Tuple(elements)) => elements.iter().for_each(one),
            Self::UniformQuantized { storage, .. }
            | Self::UniformQuantizedPerAxis { storage, .. } => {
                one(&storage.storage);
                one(&storage.expressed);
            }
            Self::Boolean
            | Self::Float(_)
            | Self::Integer { .. }
            | Self::Index
            | Self::Token
            | Self::Witness
            | Self::None
            | Self::Text(_)
            | Self::Builtin(
                Builtin::Integer { .. } | Builtin::Index | Builtin::Float(_) | Builtin::None,
            ) => {}
        }
    }
}
