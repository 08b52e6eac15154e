//! Large blocks of memory, from the operating system itself.
//!
//! A block of 2 MiB or more begins at a large page, and asks for large pages before anything
//! touches it. The process's allocator would give out memory again that lies in small pages
//! since its last use, where the advice comes too late; a step of training whose arena lay
//! there took two to three times as long, in one process and not in the next.
//!
//! Fresh pages cost faults, so blocks that are given back wait for the next of their size: a
//! training loop asks for the same sizes in each step. No more than [`KEPT`] bytes wait; the
//! oldest block goes back to the system first.

use std::collections::VecDeque;
use std::sync::Mutex;

use memmap2::MmapMut;

/// Where large pages begin, on the systems that have them.
pub(super) const HUGE_PAGE: usize = 2 << 20;

/// The most bytes that wait to be used again.
const KEPT: usize = 256 << 20;

static IDLE: Mutex<Idle> = Mutex::new(Idle(VecDeque::new()));

/// A block of memory that begins at a multiple of [`HUGE_PAGE`] bytes. Its contents are
/// zero or what an earlier user of the block left.
pub struct Pages(Option<Block>);

impl Pages {
    /// A block of `len` bytes, or `None` where memory does not suffice.
    pub(super) fn new(len: usize) -> Option<Self> {
        // Whoever cannot have the lock at once goes without: in a forked process it may
        // be held by a thread that does not exist.
        let kept = IDLE.try_lock().ok().and_then(|mut idle| idle.take(len));
        kept.or_else(|| Block::new(len)).map(|block| Self(Some(block)))
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Some(block) => &block.map[block.start..][..block.len],
            None => &[],
        }
    }

    pub(super) fn as_bytes_mut(&mut self) -> &mut [u8] {
        match &mut self.0 {
            Some(block) => &mut block.map[block.start..][..block.len],
            None => &mut [],
        }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        if let (Some(block), Ok(mut idle)) = (self.0.take(), IDLE.try_lock()) {
            idle.keep(block, KEPT);
        }
    }
}

/// A mapping, and the part of it that begins at a large page.
struct Block {
    map: MmapMut,
    start: usize,
    len: usize,
}

impl Block {
    fn new(len: usize) -> Option<Self> {
        let map = MmapMut::map_anon(len.checked_add(HUGE_PAGE - 1)?).ok()?;
        let address = map.as_ptr().addr();
        let start = address.next_multiple_of(HUGE_PAGE) - address;
        // A last large page that is not filled stays in small ones. Where the system does
        // not know the advice, nothing is lost.
        #[cfg(target_os = "linux")]
        let _ = map.advise_range(memmap2::Advice::HugePage, start, len - len % HUGE_PAGE);
        Some(Self { map, start, len })
    }
}

/// Blocks without a user, the oldest first.
struct Idle(VecDeque<Block>);

impl Idle {
    /// Bytes of all blocks.
    fn size(&self) -> usize {
        self.0.iter().map(|block| block.len).sum()
    }

    /// The youngest block of `len` bytes, which caches may still hold.
    fn take(&mut self, len: usize) -> Option<Block> {
        let position = self.0.iter().rposition(|block| block.len == len)?;
        self.0.remove(position)
    }

    /// Keeps a block, and lets old ones go until no more than `most` bytes are kept.
    fn keep(&mut self, block: Block, most: usize) {
        if block.len > most {
            return;
        }
        while self.size() > most - block.len {
            self.0.pop_front();
        }
        self.0.push_back(block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_begin_at_a_large_page() {
        for len in [HUGE_PAGE, HUGE_PAGE + 1, 5 * HUGE_PAGE - 1] {
            let mut pages = Pages::new(len).unwrap();
            assert_eq!(pages.as_bytes().len(), len);
            assert!(pages.as_bytes().as_ptr().addr().is_multiple_of(HUGE_PAGE));
            pages.as_bytes_mut().fill(7);
        }
        assert!(Pages::new(usize::MAX).is_none());
        assert!(Pages::new(isize::MAX.unsigned_abs() - 1).is_none());
    }

    #[test]
    fn the_youngest_of_a_size_is_used_again() {
        let mut idle = Idle(VecDeque::new());
        let block = |len| Block::new(len).unwrap();
        let address = |block: &Block| block.map.as_ptr();
        let (first, second) = (block(HUGE_PAGE), block(HUGE_PAGE));
        let youngest = address(&second);
        for block in [first, second, block(3 * HUGE_PAGE)] {
            idle.keep(block, 8 * HUGE_PAGE);
        }
        assert!(idle.take(2 * HUGE_PAGE).is_none());
        assert_eq!(address(&idle.take(HUGE_PAGE).unwrap()), youngest);
        assert_eq!((idle.size(), idle.0.len()), (4 * HUGE_PAGE, 2));
    }

    #[test]
    fn old_blocks_make_room() {
        let mut idle = Idle(VecDeque::new());
        for pages in [1, 2, 4] {
            idle.keep(Block::new(pages * HUGE_PAGE).unwrap(), 6 * HUGE_PAGE);
        }
        assert_eq!(idle.size(), 6 * HUGE_PAGE);
        assert!(idle.take(HUGE_PAGE).is_none());
        idle.keep(Block::new(7 * HUGE_PAGE).unwrap(), 6 * HUGE_PAGE);
        assert_eq!(idle.0.len(), 2);
    }
}
