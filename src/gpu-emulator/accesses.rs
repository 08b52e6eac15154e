//! Checks the accesses that instrumented kernels report.
//!
//! A thread of the host runs one block at a time, so the records of a block
//! since its last barrier are thread-local. Two threads of a block may not
//! access the same byte of shared memory between two barriers if one of them
//! writes it, and no access may be out of bounds.

use crate::emulate_kernels::accesses::{ACCESS, BARRIER, SHARED, WRITES};
use std::{cell::RefCell, ffi::CStr};

/// A thread of a block, and the line of its access.
type Doer = (i64, i64);

/// The first accesses to a byte of shared memory, of each kind, since the last
/// barrier.
#[derive(Clone, Copy, Default)]
struct Byte {
    /// The phase of the other fields.
    phase: u64,
    written: Option<Doer>,
    read: Option<Doer>,
    /// A second thread that read it.
    read_too: Option<Doer>,
}

/// The accesses to a buffer in shared memory.
struct Buffer {
    address: i64,
    bytes: Vec<Byte>,
}

/// The accesses of the block that a thread of the host runs.
#[derive(Default)]
struct Block {
    buffers: Vec<Buffer>,
    /// Counts the barriers of all blocks.
    phase: u64,
    /// The first error.
    error: Option<String>,
}

/// The maximum number of recorded buffers; a kernel has a few.
const MOST_BUFFERS: usize = 64;

thread_local! {
    static BLOCK: RefCell<Block> = RefCell::default();
}

/// The functions that such kernels call.
pub fn functions() -> [(&'static CStr, usize); 2] {
    const _: () = {
        assert!(matches!(ACCESS.as_bytes(), b"halo_emulator_access"));
        assert!(matches!(BARRIER.as_bytes(), b"halo_emulator_barrier"));
    };
    [
        (c"halo_emulator_access", access as *const () as usize),
        (c"halo_emulator_barrier", barrier as *const () as usize),
    ]
}

/// The error on this thread since the last call.
pub fn take_error() -> Option<String> {
    BLOCK.with_borrow_mut(|block| block.error.take())
}

extern "C" fn barrier() {
    BLOCK.with_borrow_mut(|block| block.phase += 1);
}

extern "C" fn access(
    buffer: i64,
    buffer_size: i64,
    address: i64,
    size: i64,
    thread: i64,
    kind: i64,
    line: i64,
    column: i64,
) {
    BLOCK.with_borrow_mut(|block| {
        if block.error.is_some() {
            return;
        }
        let offset = address.wrapping_sub(buffer);
        if offset < 0 || offset.saturating_add(size) > buffer_size {
            block.error = Some(format!(
                "{line}:{column}: thread {thread} reaches byte {offset} of a buffer of \
                 {buffer_size} bytes"
            ));
        } else if kind & SHARED != 0 {
            block.reach(
                (buffer, buffer_size),
                (offset, size),
                (thread, line),
                kind & WRITES != 0,
                column,
            );
        }
    });
}

impl Block {
    /// Records an access within its buffer.
    fn reach(
        &mut self,
        (address, buffer_size): (i64, i64),
        (offset, size): (i64, i64),
        (thread, line): Doer,
        writes: bool,
        column: i64,
    ) {
        let (Ok(buffer_size), Ok(offset), Ok(size)) = (
            usize::try_from(buffer_size),
            usize::try_from(offset),
            usize::try_from(size),
        ) else {
            return;
        };
        let same = |buffer: &Buffer| buffer.address == address && buffer.bytes.len() == buffer_size;
        let position = self.buffers.iter().position(same).unwrap_or_else(|| {
            if self.buffers.len() >= MOST_BUFFERS {
                self.buffers.clear();
            }
            let bytes = vec![Byte::default(); buffer_size];
            self.buffers.push(Buffer { address, bytes });
            self.buffers.len() - 1
        });
        for byte in &mut self.buffers[position].bytes[offset..offset + size] {
            if byte.phase != self.phase {
                *byte = Byte {
                    phase: self.phase,
                    ..Byte::default()
                };
            }
            if let Some(((other, before), verb)) = byte.reach((thread, line), writes) {
                let own = if writes { "writes" } else { "reads" };
                self.error = Some(format!(
                    "{line}:{column}: thread {thread} {own} shared memory that thread {other} \
                     has {verb} at line {before}, without a barrier between them"
                ));
                return;
            }
        }
    }
}

impl Byte {
    /// Records an access, and returns a conflicting one of another thread.
    fn reach(&mut self, doer: Doer, writes: bool) -> Option<(Doer, &'static str)> {
        let other = |who: Option<Doer>| who.filter(|(thread, _)| *thread != doer.0);
        let written = other(self.written).map(|who| (who, "written"));
        let read = other(self.read).or(other(self.read_too));
        if writes {
            self.written = self.written.or(Some(doer));
            return written.or(read.map(|who| (who, "read")));
        }
        if self.read.is_none() {
            self.read = Some(doer);
        } else if other(self.read).is_some() {
            self.read_too = self.read_too.or(Some(doer));
        }
        written
    }
}
