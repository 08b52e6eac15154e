//! Byte storage whose start is aligned for the widest vector registers.
//!
//! The alignment of all host memory for values: generated code may load any operand with aligned
//! instructions.

/// The least alignment of an [`AlignedBuffer`], in bytes.
pub const ALIGNMENT: usize = 64;

/// Blocks of fewer bytes are zeroed here.
const SMALL: usize = 1 << 10;

/// A fixed number of bytes that start at a multiple of [`ALIGNMENT`].
///
/// Zeroed buffers come from the allocator's zeroed pages, which costs no time until they are
/// touched. The standard library does that for byte-aligned memory only, so the buffer allocates a
/// little more than it needs and starts at the first aligned byte.
#[derive(Default)]
pub struct AlignedBuffer {
    storage: Vec<u8>,
    start: usize,
    len: usize,
}

impl AlignedBuffer {
    /// `len` zero bytes.
    pub fn zeroed(len: usize) -> Self {
        Self::from_storage(vec![0; len + (ALIGNMENT - 1)], len, ALIGNMENT)
    }

    /// Like [`zeroed`](Self::zeroed), but `None` if memory is exhausted, and aligned to
    /// `alignment`, a power of two.
    pub fn try_zeroed(len: usize, alignment: usize) -> Option<Self> {
        let alignment = alignment.max(ALIGNMENT);
        let size = len.checked_add(alignment - 1)?;
        let mut storage = Vec::new();
        if size < SMALL {
            // Allocators are quicker with small blocks that they need not zero.
            storage.try_reserve_exact(size).ok()?;
            storage.resize(size, 0);
        } else {
            storage = bytemuck::try_zeroed_vec(size).ok()?;
        }
        Some(Self::from_storage(storage, len, alignment))
    }

    fn from_storage(storage: Vec<u8>, len: usize, alignment: usize) -> Self {
        let address = storage.as_ptr() as usize;
        Self {
            start: address.next_multiple_of(alignment) - address,
            storage,
            len,
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.storage[self.start..][..self.len]
    }

    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        &mut self.storage[self.start..][..self.len]
    }
}

impl Clone for AlignedBuffer {
    fn clone(&self) -> Self {
        self.as_bytes().into()
    }
}

impl From<&[u8]> for AlignedBuffer {
    fn from(bytes: &[u8]) -> Self {
        let mut buffer = Self::zeroed(bytes.len());
        buffer.as_bytes_mut().copy_from_slice(bytes);
        buffer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_aligned_and_keeps_its_length() {
        for len in [0, 1, 63, 64, 65, 1000] {
            let buffer = AlignedBuffer::zeroed(len).clone();
            assert_eq!(buffer.as_bytes().len(), len);
            assert_eq!(buffer.as_bytes().as_ptr() as usize % ALIGNMENT, 0);
            assert!(buffer.as_bytes().iter().all(|byte| *byte == 0));
        }
        let buffer = AlignedBuffer::try_zeroed(100, 4096).unwrap();
        assert_eq!(buffer.as_bytes().as_ptr() as usize % 4096, 0);
    }

    #[test]
    fn impossible_sizes_are_none() {
        assert!(AlignedBuffer::try_zeroed(isize::MAX as usize - 128, 64).is_none());
        assert!(AlignedBuffer::try_zeroed(usize::MAX, 64).is_none());
    }
}
