//! The bytes of an artifact during writing.

/// Writes numbers and bytes one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Emitter {
    pub bytes: Vec<u8>,
}

impl Emitter {
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// An unsigned number in the minimum number of bytes.
    pub fn number(&mut self, value: u64) {
        let bits = 64 - value.leading_zeros();
        let following = bits.saturating_sub(1) / 7;
        if following >= 8 {
            self.byte(0);
            self.raw(&value.to_le_bytes());
            return;
        }
        let word = ((value << 1 | 1) << following).to_le_bytes();
        self.raw(&word[..=following as usize]);
    }

    pub fn signed(&mut self, value: i64) {
        self.number((value << 1 ^ value >> 63) as u64);
    }

    pub fn flagged(&mut self, value: u64, flag: bool) {
        self.number(value << 1 | u64::from(flag));
    }

    pub fn signed_list(&mut self, values: &[i64]) {
        self.number(values.len() as u64);
        for value in values {
            self.signed(*value);
        }
    }

    /// The bits of an integer or a float of a width.
    pub fn bits(&mut self, width: u32, bits: u64) {
        if width <= 8 {
            self.byte(bits as u8);
        } else {
            self.signed(bits as i64);
        }
    }

    /// Bytes with their length in front.
    pub fn blob(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.raw(bytes);
    }

    pub fn section(&mut self, number: u8, content: &Self) {
        self.aligned_section(number, &content.bytes, 1);
    }

    /// A section whose content begins at a multiple of a power of two.
    pub fn aligned_section(&mut self, number: u8, content: &[u8], alignment: u64) {
        const PADDING: u8 = 0xcb;
        if alignment == 1 {
            self.byte(number);
            self.blob(content);
            return;
        }
        self.byte(number | 0x80);
        self.number(content.len() as u64);
        self.number(alignment);
        while self.bytes.len() as u64 & (alignment - 1) != 0 {
            self.byte(PADDING);
        }
        self.raw(content);
    }
}

#[cfg(test)]
mod tests {
    use super::{super::cursor::Cursor, *};

    #[test]
    fn numbers_are_read_as_they_are_written() {
        let mut values = vec![0, u64::MAX];
        values.extend((0..64).flat_map(|bit| [(1 << bit) - 1, 1_u64 << bit]));
        for value in values {
            let mut emitter = Emitter::default();
            emitter.number(value);
            emitter.signed(value as i64);
            emitter.signed((value as i64).wrapping_neg());
            let mut cursor = Cursor::new(&emitter.bytes, 0);
            assert_eq!(cursor.number("it"), Ok(value));
            assert_eq!(cursor.signed("it"), Ok(value as i64));
            assert_eq!(cursor.signed("it"), Ok((value as i64).wrapping_neg()));
            assert!(cursor.is_empty());
        }
        let mut emitter = Emitter::default();
        emitter.number(128);
        assert_eq!(emitter.bytes, [0x02, 0x02]);
    }
}
