//! Checks the accesses that instrumented kernels report.
//!
//! Two threads of a block may not access the same byte of shared memory between
//! two barriers if one of them writes it; two blocks of a launch may not access
//! the same byte of global memory if one of them writes it; and no access may be
//! out of bounds. Atomic updates are not reported.
//!
//! A thread of the host runs one block at a time, so the records of a block
//! since its last barrier are thread-local.

use crate::emulate_kernels::accesses::{ACCESS, BARRIER, BLOCK, SHARED, WRITES};
use std::{
    cell::RefCell,
    collections::HashMap,
    ffi::CStr,
    sync::{Arc, Mutex, PoisonError},
};

/// A thread of a block, or a block of the grid, and the line of its access.
type Doer = (u32, u32);

/// The first accesses to a byte, of each kind: for shared memory, since the last barrier.
#[derive(Clone, Copy, Default)]
struct Byte {
    /// The phase of the other fields.
    phase: u64,
    written: Option<Doer>,
    read: Option<Doer>,
    /// A second reader.
    read_too: Option<Doer>,
}

/// The accesses to a buffer in shared memory.
struct Buffer {
    address: i64,
    bytes: Vec<Byte>,
}

/// The accesses of a launch to global memory, by the numbers of pages.
#[derive(Default)]
pub struct GlobalAccesses(Mutex<HashMap<i64, Box<[Byte]>>>);

/// The bytes of a page of [`GlobalAccesses`].
const PAGE: i64 = 1024;

/// The accesses of the block that a thread of the host runs.
#[derive(Default)]
struct Block {
    /// Its number in the grid.
    number: u32,
    buffers: Vec<Buffer>,
    /// Counts the barriers of all blocks.
    phase: u64,
    /// The accesses of its launch.
    global: Option<Arc<GlobalAccesses>>,
    /// The first error.
    error: Option<String>,
}

/// The maximum number of recorded buffers; a kernel has a few.
const MOST_BUFFERS: usize = 64;

thread_local! {
    static CURRENT: RefCell<Block> = RefCell::default();
}

/// The functions that such kernels call.
pub fn functions() -> [(&'static CStr, usize); 3] {
    const _: () = {
        assert!(matches!(BLOCK.as_bytes(), b"halo_emulator_block"));
        assert!(matches!(ACCESS.as_bytes(), b"halo_emulator_access"));
        assert!(matches!(BARRIER.as_bytes(), b"halo_emulator_barrier"));
    };
    [
        (c"halo_emulator_block", begin_block as *const () as usize),
        (c"halo_emulator_access", access as *const () as usize),
        (c"halo_emulator_barrier", barrier as *const () as usize),
    ]
}

/// Runs blocks of a launch on this thread, and returns their first error.
pub fn check(global: &Arc<GlobalAccesses>, run: impl FnOnce()) -> Option<String> {
    CURRENT.with_borrow_mut(|block| block.global = Some(Arc::clone(global)));
    run();
    CURRENT.with_borrow_mut(|block| {
        block.global = None;
        block.error.take()
    })
}

extern "C" fn begin_block(number: i64) {
    CURRENT.with_borrow_mut(|block| {
        block.number = narrow(number);
        block.phase += 1;
    });
}

/// The number of a thread, block or line, which has at most 32 bits.
fn narrow(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

extern "C" fn barrier() {
    CURRENT.with_borrow_mut(|block| block.phase += 1);
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
    CURRENT.with_borrow_mut(|block| {
        if block.error.is_some() {
            return;
        }
        let offset = address.wrapping_sub(buffer);
        if offset < 0 || offset.saturating_add(size) > buffer_size {
            block.error = Some(format!(
                "{line}:{column}: thread {thread} reaches byte {offset} of a buffer of \
                 {buffer_size} bytes"
            ));
            return;
        }
        let (writes, line) = (kind & WRITES != 0, narrow(line));
        if kind & SHARED != 0 {
            let doer = (narrow(thread), line);
            block.reach_shared((buffer, buffer_size), (offset, size), doer, writes, column);
        } else {
            block.reach_global((address, size), line, writes, column);
        }
    });
}

impl Block {
    /// Records an access to global memory.
    fn reach_global(&mut self, (address, size): (i64, i64), line: u32, writes: bool, column: i64) {
        let own = if writes { "writes" } else { "reads" };
        let number = self.number;
        let Some(global) = &self.global else {
            return;
        };
        let mut pages = global.0.lock().unwrap_or_else(PoisonError::into_inner);
        for address in address..address.saturating_add(size) {
            let page = (pages.entry(address.div_euclid(PAGE)))
                .or_insert_with(|| vec![Byte::default(); PAGE as usize].into());
            let byte = &mut page[address.rem_euclid(PAGE) as usize];
            if let Some(((other, before), verb)) = byte.reach((number, line), writes) {
                self.error = Some(format!(
                    "{line}:{column}: block {number} {own} global memory that block {other} has \
                     {verb} at line {before}, and blocks have no order"
                ));
                return;
            }
        }
    }

    /// Records an access within its buffer in shared memory.
    fn reach_shared(
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
