//! A position in the bytes of an artifact.

use crate::Error;

/// Reads numbers and bytes one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    rest: &'a [u8],
    /// The offset of the remaining bytes in the artifact.
    offset: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8], offset: usize) -> Self {
        Self {
            rest: bytes,
            offset,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The bytes that have not been read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The offset of the next byte in the artifact.
    pub fn offset(&self) -> usize {
        self.offset
    }

    pub fn error(&self, message: impl Into<String>) -> Error {
        Error::malformed(self.offset, message)
    }

    /// Fails unless everything has been read.
    pub fn finish(&self, what: &str) -> Result<(), Error> {
        if self.rest.is_empty() {
            return Ok(());
        }
        Err(self.error(format!("expected the end of {what}")))
    }

    pub fn bytes(&mut self, count: u64, what: &str) -> Result<&'a [u8], Error> {
        let available = self.rest.len();
        let parts = usize::try_from(count).ok().and_then(|count| self.rest.split_at_checked(count));
        let Some((bytes, rest)) = parts else {
            return Err(self.error(format!(
                "expected {count} bytes of {what}, and there are {available}"
            )));
        };
        self.rest = rest;
        self.offset += bytes.len();
        Ok(bytes)
    }

    pub fn byte(&mut self, what: &str) -> Result<u8, Error> {
        match self.rest.split_first() {
            Some((byte, rest)) => {
                self.rest = rest;
                self.offset += 1;
                Ok(*byte)
            }
            None => Err(self.error(format!("expected {what}"))),
        }
    }

    /// A sub-cursor of the given length.
    pub fn part(&mut self, count: u64, what: &str) -> Result<Self, Error> {
        let offset = self.offset;
        Ok(Self::new(self.bytes(count, what)?, offset))
    }

    /// An unsigned number: the count of trailing zeros of the first byte is the number of bytes
    /// that follow it.
    pub fn number(&mut self, what: &str) -> Result<u64, Error> {
        let first = self.byte(what)?;
        let following = first.trailing_zeros();
        if following == 0 {
            return Ok(u64::from(first >> 1));
        }
        let bytes = self.bytes(u64::from(following), what)?;
        let mut word = [0; 8];
        if following == 8 {
            word.copy_from_slice(bytes);
            return Ok(u64::from_le_bytes(word));
        }
        // Of up to seven more bytes, all fit after the first.
        word[0] = first;
        for (target, byte) in word.iter_mut().skip(1).zip(bytes) {
            *target = *byte;
        }
        Ok(u64::from_le_bytes(word) >> (following + 1))
    }

    /// A signed number, whose lowest bit is the sign.
    pub fn signed(&mut self, what: &str) -> Result<i64, Error> {
        let bits = self.number(what)?;
        Ok((bits >> 1) as i64 ^ -((bits & 1) as i64))
    }

    /// A number with a flag in its lowest bit.
    pub fn flagged(&mut self, what: &str) -> Result<(u64, bool), Error> {
        let bits = self.number(what)?;
        Ok((bits >> 1, bits & 1 == 1))
    }

    /// The number of following items of at least one byte.
    pub fn count(&mut self, what: &str) -> Result<usize, Error> {
        let offset = self.offset;
        let count = self.number(what)?;
        self.check_count(count, offset, what)
    }

    pub fn check_count(&self, count: u64, offset: usize, what: &str) -> Result<usize, Error> {
        let available = self.rest.len();
        match usize::try_from(count) {
            Ok(count) if count <= available => Ok(count),
            _ => Err(Error::malformed(
                offset,
                format!("{count} {what} do not fit into {available} bytes"),
            )),
        }
    }

    /// A list prefixed by its length.
    pub fn list<T>(
        &mut self,
        what: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        (0..self.count(what)?).map(|_| item(self)).collect()
    }

    /// A list of signed numbers.
    pub fn signed_list(&mut self, what: &str) -> Result<Vec<i64>, Error> {
        self.list(what, |cursor| cursor.signed(what))
    }

    /// The bits of an integer or a float of a width.
    pub fn bits(&mut self, width: u32, what: &str) -> Result<u64, Error> {
        let bits = if width <= 8 {
            u64::from(self.byte(what)?)
        } else {
            self.signed(what)? as u64
        };
        Ok(match width {
            64.. => bits,
            _ => bits & ((1 << width) - 1),
        })
    }

    /// Bytes up to a zero.
    pub fn terminated(&mut self, what: &str) -> Result<&'a [u8], Error> {
        let Some(length) = self.rest.iter().position(|byte| *byte == 0) else {
            return Err(self.error(format!("expected a zero after {what}")));
        };
        let text = self.bytes(length as u64, what)?;
        self.byte(what)?;
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_long_as_they_need() {
        let read = |bytes: &[u8]| Cursor::new(bytes, 0).number("a number");
        assert_eq!(read(&[0x03]), Ok(1));
        assert_eq!(read(&[0xff]), Ok(127));
        assert_eq!(read(&[0x02, 0x02]), Ok(128));
        assert_eq!(read(&[0x04, 0x00, 0x02]), Ok(1 << 14));
        assert_eq!(read(&[0x80, 1, 2, 3, 4, 5, 6, 7]), Ok(0x07060504030201));
        assert!(read(&[0x80, 1, 2, 3, 4, 5, 6]).is_err());
        assert_eq!(read(&[0, 1, 2, 3, 4, 5, 6, 7, 8]), Ok(0x0807060504030201));
    }

    #[test]
    fn signs_are_in_the_lowest_bit() {
        let read = |bytes: &[u8]| Cursor::new(bytes, 0).signed("a number");
        assert_eq!(read(&[0x03]), Ok(-1));
        assert_eq!(read(&[0x05]), Ok(1));
        assert_eq!(
            read(&[0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
            Ok(i64::MIN)
        );
    }

    #[test]
    fn lists_are_no_longer_than_what_is_left() {
        let mut cursor = Cursor::new(&[0xff, 1, 1], 40);
        let error = cursor.signed_list("numbers").expect_err("too long");
        assert_eq!(
            error.to_string(),
            "byte 40: 127 numbers do not fit into 2 bytes"
        );
    }
}
