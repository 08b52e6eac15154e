//! Scratch memory that an executable keeps from call to call.
//!
//! Fresh pages cost a fault each: a matrix product that allocates new packing buffers on every call
//! loses a quarter of its speed. So every call borrows an arena, and gives it back. Concurrent
//! calls have one each.

use std::sync::{Mutex, PoisonError};

use halo_core::buffer::ALIGNMENT;

use super::memory::{HostBytes, allocate};
use crate::usage::Usage;
use crate::{Error, Result};

/// The arenas of all executables.
static USAGE: Usage = Usage::of("cpu arenas");

/// Arenas of one program.
pub(super) struct ArenaPool {
    /// The usual size.
    size: usize,
    /// The location of the largest buffer of an arena in the program.
    largest: String,
    idle: Mutex<Vec<HostBytes>>,
}

impl ArenaPool {
    /// An empty pool of arenas of `size` bytes. Errors name `largest`, a location in the program.
    pub fn new(size: usize, largest: String) -> Self {
        Self {
            size,
            largest,
            idle: Mutex::default(),
        }
    }

    /// Bytes of an arena.
    pub fn size(&self) -> usize {
        self.size
    }

    /// An arena of at least `size` bytes for one call; its contents are arbitrary. An idle one that
    /// is too small is freed.
    ///
    /// # Errors
    /// Returns an execution error if memory is exhausted.
    pub fn borrow(&self, size: usize) -> Result<Arena<'_>> {
        // Empty arenas need no pool.
        if size == 0 {
            let buffer = HostBytes::default();
            return Ok(Arena { pool: self, buffer });
        }
        let idle = self.lock().pop();
        if let Some(buffer) = idle {
            if buffer.as_bytes().len() >= size {
                return Ok(Arena { pool: self, buffer });
            }
            USAGE.remove(buffer.as_bytes().len() as u64);
        }
        let buffer = allocate(size).ok_or_else(|| self.out_of_memory(size))?;
        USAGE.add(buffer.as_bytes().len() as u64);
        Ok(Arena { pool: self, buffer })
    }

    fn out_of_memory(&self, size: usize) -> Error {
        let message = format!("out of memory: intermediate values take {size} bytes");
        Error::execution_at(&self.largest, message)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<HostBytes>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ArenaPool {
    fn drop(&mut self) {
        let idle = self.idle.get_mut().unwrap_or_else(PoisonError::into_inner);
        for buffer in idle {
            USAGE.remove(buffer.as_bytes().len() as u64);
        }
    }
}

/// An arena that is returned to its pool.
pub(super) struct Arena<'a> {
    pool: &'a ArenaPool,
    buffer: HostBytes,
}

impl Arena<'_> {
    pub fn address(&mut self) -> *mut u8 {
        match self.buffer.as_bytes_mut() {
            [] => std::ptr::without_provenance_mut(ALIGNMENT),
            bytes => bytes.as_mut_ptr(),
        }
    }
}

impl Drop for Arena<'_> {
    fn drop(&mut self) {
        if !self.buffer.as_bytes().is_empty() {
            self.pool.lock().push(std::mem::take(&mut self.buffer));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::pages::HUGE_PAGE;
    use super::*;

    #[test]
    fn arenas_are_reused_and_never_shared() {
        let pool = ArenaPool::new(HUGE_PAGE + 1, String::new());
        let first = {
            let (mut one, mut two) = (
                pool.borrow(pool.size).unwrap(),
                pool.borrow(pool.size).unwrap(),
            );
            assert_ne!(one.address(), two.address());
            assert_eq!(one.address() as usize % HUGE_PAGE, 0);
            one.address()
        };
        let mut again = [
            pool.borrow(pool.size).unwrap(),
            pool.borrow(pool.size).unwrap(),
        ];
        assert!(again.iter_mut().any(|arena| arena.address() == first));
    }

    #[test]
    fn small_none_and_impossible() {
        assert_eq!(
            ArenaPool::new(100, String::new()).borrow(100).unwrap().address() as usize % 64,
            0
        );
        let none = ArenaPool::new(0, String::new());
        assert_eq!(none.borrow(0).unwrap().address() as usize % 64, 0);
        let impossible = ArenaPool::new(usize::MAX, "a.mlir:1:2".to_owned());
        let error = impossible.borrow(usize::MAX).err().map(|error| error.to_string());
        assert_eq!(
            error.unwrap_or_default(),
            format!(
                "a.mlir:1:2: error: out of memory: intermediate values take {} bytes",
                usize::MAX
            )
        );
    }
}
