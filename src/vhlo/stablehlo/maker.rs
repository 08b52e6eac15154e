//! Attributes from values.

use crate::{Arena, Attribute, AttributeId, Type, TypeId, attribute::Enumeration};

/// Makes the attributes of a module.
pub struct AttributeMaker<'a> {
    pub attributes: &'a mut Arena<Attribute>,
    pub types: &'a mut Arena<Type>,
}

impl AttributeMaker<'_> {
    pub fn string(&mut self, text: &str) -> AttributeId {
        self.attributes.intern(Attribute::String(text.as_bytes().into()))
    }

    fn integer_type(&mut self) -> TypeId {
        self.types.intern(Type::Integer {
            width: 64,
            unsigned: false,
        })
    }

    pub fn integer(&mut self, value: i64) -> AttributeId {
        let ty = self.integer_type();
        let bits = value as u64;
        self.attributes.intern(Attribute::Integer { ty, bits })
    }

    pub fn boolean(&mut self, value: bool) -> AttributeId {
        self.attributes.intern(Attribute::Boolean(value))
    }

    /// A tensor of 64-bit integers.
    pub fn integers(&mut self, shape: Vec<i64>, values: &[i64]) -> AttributeId {
        let element = self.integer_type();
        let ty = self.types.intern(Type::RankedTensor {
            shape,
            element,
            encoding: None,
        });
        // A splat is stored as one element.
        let stored = match values {
            [first, rest @ ..] if rest.iter().all(|value| value == first) => &values[..1],
            _ => values,
        };
        let data: Vec<u8> = stored.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.attributes.intern(Attribute::Tensor {
            ty,
            data: data.into(),
        })
    }

    pub fn list(&mut self, values: &[i64]) -> AttributeId {
        self.integers(vec![values.len() as i64], values)
    }

    /// A tensor of booleans, packed into bits, or one byte for a splat.
    pub fn booleans(&mut self, values: &[bool]) -> AttributeId {
        let element = self.types.intern(Type::Boolean);
        let ty = self.types.intern(Type::RankedTensor {
            shape: vec![values.len() as i64],
            element,
            encoding: None,
        });
        let data: Vec<u8> = match values {
            [] => Vec::new(),
            [first, rest @ ..] if rest.iter().all(|value| value == first) => {
                vec![if *first { 0xff } else { 0 }]
            }
            _ => values
                .chunks(8)
                .map(|chunk| {
                    let bits = chunk.iter().enumerate();
                    bits.fold(0, |byte, (bit, value)| byte | u8::from(*value) << bit)
                })
                .collect(),
        };
        self.attributes.intern(Attribute::Tensor {
            ty,
            data: data.into(),
        })
    }

    /// A case of an enumeration.
    pub fn case(&mut self, kind: Enumeration, case: u32) -> AttributeId {
        self.attributes.intern(Attribute::Enumeration(kind, case))
    }

    /// The accuracy of a function: a mode, the absolute and the relative tolerance, and a tolerance
    /// in units of the last place.
    pub fn accuracy(&mut self, mode: u32, tolerances: [f64; 2], ulps: i64) -> AttributeId {
        let mode = self.case(Enumeration::ResultAccuracyMode, mode);
        let [atol, rtol] = tolerances.map(f64::to_bits);
        self.attributes.intern(Attribute::ResultAccuracy {
            atol,
            rtol,
            ulps,
            mode,
        })
    }
}
