//! What kernels that are compiled with checks tell of their accesses to memory.
//!
//! A thread of the host runs one block at a time, so that what a block has done
//! since its threads last met is the thread's own matter. Two threads of a block
//! may not reach the same byte of shared memory between two barriers if one of
//! them writes it, and nothing may be reached outside of a buffer.

use crate::codegen::gpu::emulate_kernels::accesses::{ACCESS, BARRIER, SHARED, WRITES};
use std::{cell::RefCell, collections::HashMap, ffi::CStr};

/// Who reached a byte of shared memory since the last barrier: the first thread
/// and line of each kind.
#[derive(Clone, Copy, Default)]
struct Byte {
    written: Option<(i64, i64)>,
    read: Option<(i64, i64)>,
    /// A second thread that read it.
    read_too: Option<(i64, i64)>,
}

/// What the block that a thread of the host runs has done.
#[derive(Default)]
struct Block {
    bytes: HashMap<i64, Byte>,
    /// What was wrong first.
    error: Option<String>,
}

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
    BLOCK.with_borrow_mut(|block| block.bytes.clear());
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
            for byte in address..address.saturating_add(size) {
                block.reach(byte, (thread, line), kind & WRITES != 0, column);
            }
        }
    });
}

impl Block {
    fn reach(&mut self, address: i64, (thread, line): (i64, i64), writes: bool, column: i64) {
        let byte = self.bytes.entry(address).or_default();
        let other = |who: Option<(i64, i64)>| who.filter(|(other, _)| *other != thread);
        let mut against = other(byte.written).map(|who| (who, "written"));
        if writes {
            let read = other(byte.read).or(other(byte.read_too));
            against = against.or(read.map(|who| (who, "read")));
            byte.written = byte.written.or(Some((thread, line)));
        } else if byte.read.is_none() {
            byte.read = Some((thread, line));
        } else if other(byte.read).is_some() {
            byte.read_too = byte.read_too.or(Some((thread, line)));
        }
        if let Some(((other, before), verb)) = against {
            let own = if writes { "writes" } else { "reads" };
            self.error = Some(format!(
                "{line}:{column}: thread {thread} {own} shared memory that thread {other} has \
                 {verb} at line {before}, without a barrier between them"
            ));
        }
    }
}
