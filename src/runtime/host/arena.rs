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

/// Arenas of one size.
pub(super) struct ArenaPool {
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

    /// An arena for one call; its contents are arbitrary.
    ///
    /// # Errors
    /// Returns an execution error if memory is exhausted.
    pub fn borrow(&self) -> Result<Arena<'_>> {
        // Empty arenas need no pool.
        let idle = match self.size {
            0 => Some(HostBytes::default()),
            _ => self.lock().pop(),
        };
        let buffer = match idle {
            Some(buffer) => buffer,
            None => {
                let buffer = allocate(self.size).ok_or_else(|| self.out_of_memory())?;
                USAGE.add(self.size as u64);
                buffer
            }
        };
        Ok(Arena { pool: self, buffer })
    }

    fn out_of_memory(&self) -> Error {
        let message = format!(
            "out of memory: intermediate values take {} bytes",
            self.size
        );
        Error::execution_at(&self.largest, message)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<HostBytes>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ArenaPool {
    fn drop(&mut self) {
        let size = self.size as u64;
        let idle = self.idle.get_mut().unwrap_or_else(PoisonError::into_inner);
        for _ in idle {
            USAGE.remove(size);
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
        match self.pool.size {
            0 => std::ptr::without_provenance_mut(ALIGNMENT),
            _ => self.buffer.as_bytes_mut().as_mut_ptr(),
        }
    }
}

impl Drop for Arena<'_> {
    fn drop(&mut self) {
        if self.pool.size > 0 {
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
            let (mut one, mut two) = (pool.borrow().unwrap(), pool.borrow().unwrap());
            assert_ne!(one.address(), two.address());
            assert_eq!(one.address() as usize % HUGE_PAGE, 0);
            one.address()
        };
        let mut again = [pool.borrow().unwrap(), pool.borrow().unwrap()];
        assert!(again.iter_mut().any(|arena| arena.address() == first));
    }

    #[test]
    fn small_none_and_impossible() {
        assert_eq!(
            ArenaPool::new(100, String::new()).borrow().unwrap().address() as usize % 64,
            0
        );
        let none = ArenaPool::new(0, String::new());
        assert_eq!(none.borrow().unwrap().address() as usize % 64, 0);
        let impossible = ArenaPool::new(usize::MAX, "a.mlir:1:2".to_owned());
        let error = impossible.borrow().err().map(|error| error.to_string());
        assert_eq!(
            error.unwrap_or_default(),
            format!(
                "a.mlir:1:2: error: out of memory: intermediate values take {} bytes",
                usize::MAX
            )
        );
    }
}
