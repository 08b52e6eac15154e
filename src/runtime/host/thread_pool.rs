//! The threads that share the iterations of a parallel loop.
//!
//! Programs have many short loops, one after the other, so what counts is the time
//! from the call to the begin of the last range and from the end of the last range
//! to the return. Workers look out for the next loop for some microseconds before
//! they sleep; range `i` of a loop goes to worker `i` if that is free, so that data
//! stays in the cache of a core from one loop to the next; and a caller runs itself
//! what no worker has begun when its own range is done, so that it waits for no
//! worker that is still waking up or has no core. A caller takes only workers that
//! are free, and waits only for what these have begun. Loops can therefore nest, and
//! several threads can call at a time.
//!
//! Rayon's pool has no static ranges, and takes 17 microseconds for an empty loop of
//! two ranges whose worker is awake, where this one takes 0.3. The pools of OpenMP's
//! kind take one caller at a time, or let workers spin for ever.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::{Error, Result};
use worker::{CORES, Claim, Loop, Worker};

mod worker;

/// Each thread takes memory, and those beyond the processor's cores are of no use.
const MOST_THREADS: usize = 1024;

/// A number of threads, of which the calling one is the first.
pub struct ThreadPool {
    /// The other threads; none if the caller works alone.
    workers: Vec<Worker>,
}

impl ThreadPool {
    /// The pool of so many threads. Executables that want the same number
    /// share one, so that loading many does not start threads for each. If the
    /// process has one core only, the caller works alone.
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
        let pool = Arc::new(Self::new(if *CORES == 1 { 1 } else { threads })?);
        pools.insert(threads, Arc::downgrade(&pool));
        Ok(pool)
    }

    /// Starts the threads but the first, which is the one that calls.
    fn new(threads: usize) -> Result<Self> {
        let start = |number| Worker::start(format!("halo-worker-{number}"));
        let workers = (1..threads).map(start).collect::<std::io::Result<_>>();
        let workers = workers
            .map_err(|error| Error::execution(format!("no pool of {threads} threads: {error}")))?;
        Ok(Self { workers })
    }

    /// The iterations of each range but the last, which may have fewer, where so many threads
    /// share a positive number of iterations by multiples of `grain`.
    pub fn range_length(count: i64, grain: i64, threads: i64) -> i64 {
        (1 + (grains(count, grain) - 1) / threads).saturating_mul(grain)
    }

    /// Calls `body(begin, end)` for ranges that together are 0 to `count`, at
    /// most one for each thread; all but the last are multiples of `grain`
    /// long. Returns when all calls have. `body` may call this again. There are
    /// fewer ranges while threads are busy with other loops.
    ///
    /// # Panics
    /// If `body` panics, with what it panics, when all other calls have returned.
    pub fn parallel_for(&self, count: i64, grain: i64, body: &(dyn Fn(i64, i64) + Sync)) {
        if count <= 0 {
            return;
        }
        let grain = grain.max(1);
        let grains = grains(count, grain);
        let others = usize::try_from(grains - 1).unwrap_or(usize::MAX);
        let others = others.min(self.workers.len());
        if others == 0 {
            return body(0, count);
        }
        let free = self.workers.iter().filter_map(Worker::claim);
        let claims: Vec<Claim> = free.take(others).collect();
        let tasks = 1 + claims.len() as i64;
        if tasks == 1 {
            return body(0, count);
        }
        let step = Self::range_length(count, grain, tasks);
        let shared = Loop::new(body, count, step, claims.len());
        for (index, claim) in claims.iter().enumerate() {
            // SAFETY: the loop counts one range for each claim. It stays where it is,
            // and nothing here panics, until `finish` returns, which gets all claims.
            unsafe { claim.post(&shared, 1 + index) };
        }
        shared.run(0);
        shared.finish(&claims);
        if let Some(panic) = shared.into_panic() {
            std::panic::resume_unwind(panic);
        }
    }
}

/// How many grains there are, of which the last may be shorter.
fn grains(count: i64, grain: i64) -> i64 {
    1 + (count - 1) / grain
}

#[cfg(test)]
mod tests;
