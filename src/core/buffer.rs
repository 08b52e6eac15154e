//! Byte storage whose start is aligned for the widest vector registers.
//!
//! Generated code may load any operand with aligned instructions, so all host
//! memory that values live in comes from here.

use bytemuck::{Pod, Zeroable};

/// The alignment of every [`AlignedBuffer`], in bytes.
pub const ALIGNMENT: usize = 64;

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Block([u8; ALIGNMENT]);

/// A fixed number of bytes that start at a multiple of [`ALIGNMENT`].
#[derive(Clone, Default)]
pub struct AlignedBuffer {
    blocks: Vec<Block>,
    len: usize,
}

impl AlignedBuffer {
    /// `len` zero bytes. Large buffers cost no time until they are touched:
    /// the allocator is asked for zeroed pages.
    pub fn zeroed(len: usize) -> Self {
        Self {
            blocks: bytemuck::zeroed_vec(len.div_ceil(ALIGNMENT)),
            len,
        }
    }

    /// Like [`zeroed`](Self::zeroed), but `None` where memory does not
    /// suffice.
    pub fn try_zeroed(len: usize) -> Option<Self> {
        let blocks = bytemuck::try_zeroed_vec(len.div_ceil(ALIGNMENT)).ok()?;
        Some(Self { blocks, len })
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn as_bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.blocks)[..self.len]
    }

    pub fn as_bytes_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.blocks)[..self.len]
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
            let buffer = AlignedBuffer::zeroed(len);
            assert_eq!(buffer.as_bytes().len(), len);
            assert_eq!(buffer.as_bytes().as_ptr() as usize % ALIGNMENT, 0);
            assert!(buffer.as_bytes().iter().all(|byte| *byte == 0));
        }
    }

    #[test]
    fn impossible_sizes_are_none() {
        assert!(AlignedBuffer::try_zeroed(isize::MAX as usize - 128).is_none());
    }
}
