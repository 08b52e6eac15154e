//! Large blocks of memory, from the operating system itself.
//!
//! A block of 2 MiB or more begins at a large page, and requests large pages before its first
//! access. The process's allocator would reuse memory that is in small pages since its last use,
//! for which the advice comes too late; a training step with such an arena took two to three times
//! as long, in some processes only.
//!
//! Fresh pages cost faults, so freed blocks are kept for the next request of their size: a training
//! loop requests the same sizes in each step. At most [`KEPT`] bytes are kept; the oldest block is
//! returned to the system first.

use std::collections::VecDeque;
use std::sync::Mutex;

use memmap2::MmapMut;

/// The alignment of large pages, on the systems that have them.
pub(super) const HUGE_PAGE: usize = 2 << 20;

/// The maximum size of unused blocks that are kept.
const KEPT: usize = 256 << 20;

static IDLE: Mutex<Idle> = Mutex::new(Idle(VecDeque::new()));

/// A block of memory that begins at a multiple of [`HUGE_PAGE`] bytes. Its contents are zero or
/// those left by an earlier user of the block.
pub struct Pages(Option<Block>);

impl Pages {
    /// A block of `len` bytes, or `None` if memory is exhausted.
    pub(super) fn new(len: usize) -> Option<Self> {
        // If the lock is not available at once, no block is reused: in a forked process, a thread
        // that does not exist may hold it.
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

/// A mapping, and its range that begins at a large page.
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
        // A last large page that is not filled stays in small ones. On systems that do not support
        // the advice, it has no effect.
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

    /// Keeps a block, and frees old ones until at most `most` bytes are kept.
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
