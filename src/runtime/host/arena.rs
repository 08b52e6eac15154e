//! Scratch memory that an executable keeps from call to call.
//!
//! Fresh pages cost a fault each: a matrix product that allocates its packing
//! buffers anew on every call loses a quarter of its speed. So every call
//! borrows an arena, and gives it back. Calls that run at the same time have
//! one each. This module talks to the operating system about page sizes.

use std::sync::{Mutex, PoisonError};

use halo_core::AlignedBuffer;
use halo_core::buffer::ALIGNMENT;

use crate::{Error, Result};

/// Where large pages begin, on the systems that have them.
const HUGE_PAGE: usize = 2 << 20;

/// Arenas of one size.
pub(super) struct ArenaPool {
    size: usize,
    /// Where in the program the largest part of an arena is needed.
    largest: String,
    idle: Mutex<Vec<AlignedBuffer>>,
}

impl ArenaPool {
    /// A pool of arenas of `size` bytes, with none in it yet. Errors name
    /// `largest`, a location in the program.
    pub fn new(size: usize, largest: String) -> Self {
        Self {
            size,
            largest,
            idle: Mutex::default(),
        }
    }

    /// An arena for one call; its contents are arbitrary.
    ///
    /// # Errors
    /// Execution if memory does not suffice.
    pub fn borrow(&self) -> Result<Arena<'_>> {
        let idle = self.lock().pop();
        let buffer = match idle {
            Some(buffer) => buffer,
            None => allocate(self.size).ok_or_else(|| self.out_of_memory())?,
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

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<AlignedBuffer>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An arena that goes back to its pool.
pub(super) struct Arena<'a> {
    pool: &'a ArenaPool,
    buffer: AlignedBuffer,
}

impl Arena<'_> {
    pub fn address(&mut self) -> *mut u8 {
        self.buffer.as_bytes_mut().as_mut_ptr()
    }
}

impl Drop for Arena<'_> {
    fn drop(&mut self) {
        self.pool.lock().push(std::mem::take(&mut self.buffer));
    }
}

fn allocate(size: usize) -> Option<AlignedBuffer> {
    let alignment = if size >= HUGE_PAGE {
        HUGE_PAGE
    } else {
        ALIGNMENT
    };
    let mut buffer = AlignedBuffer::try_zeroed(size, alignment)?;
    if size >= HUGE_PAGE {
        advise_huge_pages(buffer.as_bytes_mut());
    }
    Some(buffer)
}

/// Asks for large pages, of which a thousandth as many need a fault.
fn advise_huge_pages(bytes: &mut [u8]) {
    #[cfg(target_os = "linux")]
    {
        let len = bytes.len() - bytes.len() % HUGE_PAGE;
        // SAFETY: the range is ours, and the advice does not change what it
        // holds. Where the system does not know the advice, it fails, which
        // is no loss.
        unsafe { libc::madvise(bytes.as_mut_ptr().cast(), len, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = bytes;
}

#[cfg(test)]
mod tests {
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
            ArenaPool::new(100, String::new())
                .borrow()
                .unwrap()
                .address() as usize
                % 64,
            0
        );
        assert!(ArenaPool::new(0, String::new()).borrow().is_ok());
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
