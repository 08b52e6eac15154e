//! Counting the memory that a device has allocated.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::MemoryUsage;

/// Counts the bytes that are allocated.
#[derive(Default)]
pub(crate) struct Usage {
    in_use: AtomicU64,
    peak: AtomicU64,
}

impl Usage {
    pub fn add(&self, bytes: u64) {
        let in_use = self.in_use.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(in_use, Ordering::Relaxed);
    }

    pub fn remove(&self, bytes: u64) {
        self.in_use.fetch_sub(bytes, Ordering::Relaxed);
    }

    pub fn get(&self) -> MemoryUsage {
        MemoryUsage {
            in_use: self.in_use.load(Ordering::Relaxed),
            peak: self.peak.load(Ordering::Relaxed),
        }
    }
}
