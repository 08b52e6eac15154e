//! What kernels that are compiled with checks tell of their accesses to memory.
//!
//! A thread of the host runs one block at a time, so that what a block has done
//! since its threads last met is the thread's own matter. Two threads of a block
//! may not reach the same byte of shared memory between two barriers if one of
//! them writes it, and nothing may be reached outside of a buffer.

use crate::emulate_kernels::accesses::{ACCESS, BARRIER, SHARED, WRITES};
use std::{cell::RefCell, ffi::CStr};

/// A thread of a block, and the line of what it did.
type Doer = (i64, i64);

/// Who reached a byte of shared memory first, of each kind, since the threads
/// last met.
#[derive(Clone, Copy, Default)]
struct Byte {
    /// The phase that the rest is about.
    phase: u64,
    written: Option<Doer>,
    read: Option<Doer>,
    /// A second thread that read it.
    read_too: Option<Doer>,
}

/// What is known of a buffer in shared memory.
struct Buffer {
    address: i64,
    bytes: Vec<Byte>,
}

/// What the block that a thread of the host runs has done.
#[derive(Default)]
struct Block {
    buffers: Vec<Buffer>,
    /// Counts the meetings of all blocks.
    phase: u64,
    /// What was wrong first.
    error: Option<String>,
}

/// How many buffers are remembered; a kernel has a few.
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

/// What was wrong on this thread since the last call.
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
    /// Notes an access that is inside of its buffer.
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
    /// Notes an access, and gives one of another thread that it may not meet.
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
