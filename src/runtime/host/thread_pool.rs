//! The threads that share the iterations of a parallel loop.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::{Error, Result};

/// Each thread takes memory, and those beyond the processor's cores are of no use.
const MOST_THREADS: usize = 1024;

/// A number of threads, of which the calling one is the first.
pub struct ThreadPool {
    threads: usize,
    /// The other threads; none if the caller works alone.
    others: Option<rayon::ThreadPool>,
}

impl ThreadPool {
    /// The pool of so many threads. Executables that want the same number
    /// share one, so that loading many does not start threads for each.
    pub fn shared(threads: NonZeroUsize) -> Result<Arc<Self>> {
        static POOLS: Mutex<BTreeMap<usize, Weak<ThreadPool>>> = Mutex::new(BTreeMap::new());
        let threads = threads.get();
        if threads > MOST_THREADS {
            return Err(Error::execution(format!(
                "{threads} threads are more than the {MOST_THREADS} that a program can have"
            )));
        }
        let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pool) = pools.get(&threads).and_then(Weak::upgrade) {
            return Ok(pool);
        }
        let others = match threads {
            1 => None,
            _ => Some(
                rayon::ThreadPoolBuilder::new()
                    .num_threads(threads - 1)
                    .thread_name(|index| format!("halo-worker-{}", index + 1))
                    .build()
                    .map_err(|error| {
                        Error::execution(format!("no pool of {threads} threads: {error}"))
                    })?,
            ),
        };
        let pool = Arc::new(Self { threads, others });
        pools.insert(threads, Arc::downgrade(&pool));
        Ok(pool)
    }

    /// Calls `body(begin, end)` for ranges that together are 0 to `count`, at
    /// most one for each thread; all but the last are multiples of `grain`
    /// long. Returns when all calls have. `body` may call this again.
    pub fn parallel_for(&self, count: i64, grain: i64, body: &(dyn Fn(i64, i64) + Sync)) {
        if count <= 0 {
            return;
        }
        let grain = grain.max(1);
        let grains = 1 + (count - 1) / grain;
        let tasks = grains.min(self.threads as i64);
        let Some(others) = self.others.as_ref().filter(|_| tasks > 1) else {
            return body(0, count);
        };
        // Below count in sum, except for the last grain of the last range.
        let step = (1 + (grains - 1) / tasks) * grain;
        others.in_place_scope(|scope| {
            let mut begin = step;
            while begin < count {
                let end = begin.saturating_add(step).min(count);
                scope.spawn(move |_| body(begin, end));
                begin = end;
            }
            body(0, step.min(count));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn pool(threads: usize) -> Arc<ThreadPool> {
        ThreadPool::shared(NonZeroUsize::new(threads).unwrap()).unwrap()
    }

    #[test]
    fn there_are_only_so_many_threads() {
        let threads = NonZeroUsize::new(1 << 32).unwrap();
        let error = ThreadPool::shared(threads).err().unwrap().to_string();
        assert!(
            error.ends_with("threads are more than the 1024 that a program can have"),
            "{error}"
        );
    }

    fn ranges(threads: usize, count: i64, grain: i64) -> Vec<(i64, i64)> {
        let ranges = Mutex::new(Vec::new());
        pool(threads).parallel_for(count, grain, &|begin, end| {
            ranges.lock().unwrap().push((begin, end));
        });
        let mut ranges = ranges.into_inner().unwrap();
        ranges.sort_unstable();
        ranges
    }

    #[test]
    fn ranges_are_static_and_cover_everything() {
        assert_eq!(ranges(1, 10, 1), [(0, 10)]);
        assert_eq!(ranges(3, 0, 1), []);
        assert_eq!(ranges(3, -5, 1), []);
        assert_eq!(ranges(3, 10, 1), [(0, 4), (4, 8), (8, 10)]);
        assert_eq!(ranges(3, 10, 4), [(0, 4), (4, 8), (8, 10)]);
        assert_eq!(ranges(3, 10, 100), [(0, 10)]);
        assert_eq!(ranges(4, 9, 2), [(0, 4), (4, 8), (8, 9)]);
        assert_eq!(ranges(2, 5, 0), [(0, 3), (3, 5)]);
        let all = ranges(4, i64::MAX, 1);
        assert_eq!((all[0].0, all[all.len() - 1].1), (0, i64::MAX));
    }

    #[test]
    fn loops_nest() {
        let total = AtomicUsize::new(0);
        let pool = pool(3);
        pool.parallel_for(8, 1, &|begin, end| {
            for _ in begin..end {
                pool.parallel_for(10, 1, &|begin, end| {
                    total.fetch_add((end - begin) as usize, Ordering::Relaxed);
                });
            }
        });
        assert_eq!(total.into_inner(), 80);
    }

    #[test]
    fn pools_of_a_size_are_shared() {
        let first = pool(2);
        assert!(Arc::ptr_eq(&first, &pool(2)));
        assert!(!Arc::ptr_eq(&first, &pool(3)));
    }
}
