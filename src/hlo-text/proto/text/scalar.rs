//! Values of fields in text format.

use halo_core::ElementType;

use super::{FieldText, ReadText};
use crate::{
    ParseError,
    parser::{element_bits, unescape},
    proto::schema::enumerations::Enumeration,
};

impl FieldText<'_> {
    fn word(&self) -> Result<&str, ParseError> {
        let parts = self.scalar()?;
        Ok(parts.first().copied().unwrap_or_default())
    }

    fn integer<T: std::str::FromStr>(&self) -> Result<T, ParseError> {
        let word = self.word()?;
        word.parse().map_err(|_| {
            let shown: String = word.chars().take(40).collect();
            let bits = 8 * size_of::<T>();
            self.error(format!("'{shown}' is not an integer of {bits} bits"))
        })
    }

    /// The bits of a float: `1.5`, `1.5f`, `inf`.
    fn float(&self, element_type: ElementType) -> Result<u64, ParseError> {
        let word = self.word()?;
        let digits = word.strip_suffix('f').filter(|_| !word.ends_with("inf"));
        let bits = element_bits(element_type, digits.unwrap_or(word));
        bits.map_err(|wrong| self.error(wrong))
    }

    fn bytes(&self) -> Result<Vec<u8>, ParseError> {
        let mut bytes = Vec::new();
        for part in self.scalar()? {
            let string = unescape(part).filter(|_| part.starts_with(['"', '\'']));
            bytes.extend(string.ok_or_else(|| self.error("expected a string"))?);
        }
        Ok(bytes)
    }
}

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl ReadText for $integer {
            fn read_text(&mut self, field: &FieldText) -> Result<(), ParseError> {
                *self = field.integer()?;
                Ok(())
            }
        }
    )*};
}

integers! { i64 u32 u64 }

/// An integer, or the name of an enumeration's value.
impl ReadText for i32 {
    fn read_text(&mut self, field: &FieldText) -> Result<(), ParseError> {
        let is_name = field.word()?.starts_with(|c: char| c.is_ascii_alphabetic());
        *self = match Enumeration::of_field(field.name) {
            Some(enumeration) if is_name => {
                let number = enumeration.number(field.word()?);
                number.map_err(|wrong| field.error(wrong))?
            }
            _ => field.integer()?,
        };
        Ok(())
    }
}

impl ReadText for bool {
    fn read_text(&mut self, field: &FieldText) -> Result<(), ParseError> {
        *self = match field.word()? {
            "true" | "True" | "t" | "1" => true,
            "false" | "False" | "f" | "0" => false,
            word => return Err(field.error(format!("expected true or false, got '{word}'"))),
        };
        Ok(())
    }
}

impl ReadText for f32 {
    fn read_text(&mut self, field: &FieldText) -> Result<(), ParseError> {
        *self = f32::from_bits(field.float(ElementType::F32)? as u32);
        Ok(())
    }
}

impl ReadText for f64 {
    fn read_text(&mut self, field: &FieldText) -> Result<(), ParseError> {
        *self = f64::from_bits(field.float(ElementType::F64)?);
        Ok(())
    }
}

impl ReadText for String {
    fn read_text(&mut self, field: &FieldText) -> Result<(), ParseError> {
        let text = String::from_utf8(field.bytes()?);
        *self = text.map_err(|_| field.error("the string is not UTF-8"))?;
        Ok(())
    }
}

impl ReadText for Vec<u8> {
    fn read_text(&mut self, field: &FieldText) -> Result<(), ParseError> {
        *self = field.bytes()?;
        Ok(())
    }
}

/// A repeated field.
impl<T: ReadText + Default> ReadText for Vec<T> {
    fn read_text(&mut self, field: &FieldText) -> Result<(), ParseError> {
        let mut element = T::default();
        element.read_text(field)?;
        self.push(element);
        Ok(())
    }
}

impl<T: ReadText + Default> ReadText for Option<T> {
    fn read_text(&mut self, field: &FieldText) -> Result<(), ParseError> {
        self.get_or_insert_default().read_text(field)
    }
}

impl<T: ReadText> ReadText for Box<T> {
    fn read_text(&mut self, field: &FieldText) -> Result<(), ParseError> {
        (**self).read_text(field)
    }
}
