//! Counting the memory that a device has allocated.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

use crate::{
    MemoryUsage,
    memory_observer::{MemoryEvent, notify},
};

/// Counts allocated bytes, and notifies observers.
pub(crate) struct Usage {
    /// The name of the memory, for observers.
    name: &'static str,
    in_use: AtomicU64,
    peak: AtomicU64,
}

impl Usage {
    pub const fn of(name: &'static str) -> Self {
        Self {
            name,
            in_use: AtomicU64::new(0),
            peak: AtomicU64::new(0),
        }
    }

    pub fn add(&self, bytes: u64) {
        let in_use = self.in_use.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(in_use, Ordering::Relaxed);
        self.tell(bytes, false, in_use);
    }

    pub fn remove(&self, bytes: u64) {
        let before = self.in_use.fetch_sub(bytes, Ordering::Relaxed);
        self.tell(bytes, true, before.saturating_sub(bytes));
    }

    fn tell(&self, bytes: u64, is_release: bool, in_use: u64) {
        notify(|| MemoryEvent {
            memory: self.name,
            bytes,
            is_release,
            in_use,
            time: Instant::now(),
        });
    }

    /// Forgets earlier peaks.
    pub fn clear_peak(&self) {
        self.peak.store(self.in_use.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    pub fn get(&self) -> MemoryUsage {
        MemoryUsage {
            in_use: self.in_use.load(Ordering::Relaxed),
            peak: self.peak.load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_observer::{MemoryObserver, observe};
    use std::sync::{Arc, Mutex};

    #[derive(Default)]
    struct Log(Mutex<Vec<(u64, bool, u64)>>);

    impl MemoryObserver for Log {
        fn observe(&self, event: &MemoryEvent<'_>) {
            // Other tests of the process use other memory.
            if event.memory == "memory of a test" {
                let noted = (event.bytes, event.is_release, event.in_use);
                self.0.lock().unwrap().push(noted);
            }
        }
    }

    #[test]
    fn observers_are_told_while_they_watch() {
        let (usage, log) = (Usage::of("memory of a test"), Arc::new(Log::default()));
        usage.add(1);
        let observation = observe(log.clone());
        usage.add(10);
        usage.add(5);
        usage.remove(10);
        drop(observation);
        usage.remove(5);
        let expected = [(10, false, 11), (5, false, 16), (10, true, 6)];
        assert_eq!(*log.0.lock().unwrap(), expected);
        assert_eq!((usage.get().in_use, usage.get().peak), (1, 16));
        usage.clear_peak();
        assert_eq!((usage.get().in_use, usage.get().peak), (1, 1));
    }
}
