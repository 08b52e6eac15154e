use super::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A separate pool of the test: loops of other tests occupy the workers of a shared one.
fn pool(threads: usize) -> ThreadPool {
    ThreadPool::start(threads, || ()).unwrap()
}

fn shared(threads: usize) -> Result<Arc<ThreadPool>> {
    ThreadPool::shared(NonZeroUsize::new(threads).unwrap())
}

fn message(panic: Box<dyn std::any::Any + Send>) -> String {
    panic.downcast_ref::<&str>().unwrap().to_string()
}

/// Calls a loop whose ranges wait for each other, so that each needs a separate thread. The test
/// fails if that does not happen for a minute.
fn meet(pool: &ThreadPool, threads: usize) {
    let arrived = AtomicUsize::new(0);
    pool.parallel_for(threads as i64, 1, &|_, _| {
        arrived.fetch_add(1, Ordering::SeqCst);
        let start = Instant::now();
        while arrived.load(Ordering::SeqCst) < threads {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "a range has no thread"
            );
            thread::yield_now();
        }
    });
}

#[test]
fn there_are_only_so_many_threads() {
    let error = shared(1 << 32).err().unwrap().to_string();
    assert!(
        error.ends_with("threads are more than the 1024 that a program can have"),
        "{error}"
    );
}

#[test]
fn pools_of_a_size_are_shared() {
    let first = shared(2).unwrap();
    assert!(Arc::ptr_eq(&first, &shared(2).unwrap()));
    assert!(!Arc::ptr_eq(&first, &shared(3).unwrap()));
}

#[test]
fn a_limit_leaves_threads_to_other_loops() {
    let begun = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&begun);
    let begin = move || {
        counted.fetch_add(1, Ordering::SeqCst);
    };
    let all = ThreadPool::start(4, begin).unwrap();
    let limit = |threads| all.limited(NonZeroUsize::new(threads).unwrap());
    assert_eq!([1, 2, 9].map(|threads| limit(threads).threads()), [1, 2, 4]);
    // Two loops of two threads have all four at the same time.
    let barrier = Barrier::new(2);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let pool = limit(2);
                barrier.wait();
                meet(&pool, 2);
            });
        }
    });
    meet(&all, 4);
    let ranges = Mutex::new(0);
    limit(1).parallel_for(8, 1, &|_, _| *ranges.lock().unwrap() += 1);
    assert_eq!(*ranges.lock().unwrap(), 1);
    assert_eq!(begun.load(Ordering::SeqCst), 3);
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
fn a_range_keeps_its_thread_from_loop_to_loop() {
    let pool = pool(3);
    let threads = || {
        let found = Mutex::new(vec![None; 3]);
        let arrived = Barrier::new(3);
        pool.parallel_for(3, 1, &|begin, _| {
            arrived.wait();
            found.lock().unwrap()[begin as usize] = Some(thread::current().id());
        });
        found.into_inner().unwrap()
    };
    let first = threads();
    assert_eq!(first[0], Some(thread::current().id()));
    for pause in [0, 0, 1, 0] {
        thread::sleep(Duration::from_millis(pause));
        assert_eq!(threads(), first);
    }
}

#[test]
fn every_thread_takes_part_whether_it_was_asleep_or_not() {
    for threads in [2, 3, 7] {
        let pool = pool(threads);
        for pause in [0, 0, 0, 2, 0, 5] {
            thread::sleep(Duration::from_millis(pause));
            meet(&pool, threads);
        }
    }
}

#[test]
fn loops_nest() {
    for threads in [2, 3, 7] {
        let (total, pool) = (AtomicUsize::new(0), pool(threads));
        for _ in 0..100 {
            pool.parallel_for(8, 1, &|begin, end| {
                for _ in begin..end {
                    pool.parallel_for(10, 1, &|begin, end| {
                        pool.parallel_for(end - begin, 1, &|begin, end| {
                            total.fetch_add((end - begin) as usize, Ordering::Relaxed);
                        });
                    });
                }
            });
        }
        assert_eq!(total.into_inner(), 8000);
    }
}

#[test]
fn a_nested_loop_has_the_threads_that_the_outer_one_leaves() {
    let pool = pool(4);
    let found = AtomicUsize::new(0);
    pool.parallel_for(2, 1, &|begin, _| {
        if begin == 0 {
            meet(&pool, 2);
            found.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert_eq!(found.into_inner(), 1);
}

#[test]
fn many_threads_call_one_pool() {
    let (total, pool) = (AtomicUsize::new(0), pool(3));
    thread::scope(|scope| {
        for caller in 0..8 {
            let (total, pool) = (&total, &pool);
            scope.spawn(move || {
                for round in 0..2000 {
                    let count = 1 + (caller + round) % 7;
                    let sum = AtomicUsize::new(0);
                    pool.parallel_for(count, 1, &|begin, end| {
                        for number in begin..end {
                            sum.fetch_add(1 + number as usize, Ordering::Relaxed);
                        }
                    });
                    let count = count as usize;
                    assert_eq!(sum.into_inner(), count * (count + 1) / 2);
                    total.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(total.into_inner(), 16000);
}

#[test]
fn a_panic_reaches_the_caller_when_the_other_ranges_are_done() {
    let pool = pool(3);
    for panicking in [0, 1, 2] {
        let done = AtomicUsize::new(0);
        let panic = catch_unwind(AssertUnwindSafe(|| {
            pool.parallel_for(3, 1, &|begin, _| {
                if begin == panicking {
                    panic!("this range panics");
                }
                thread::sleep(Duration::from_millis(2));
                done.fetch_add(1, Ordering::SeqCst);
            });
        }));
        assert_eq!(message(panic.unwrap_err()), "this range panics");
        assert_eq!(done.into_inner(), 2);
        meet(&pool, 3);
    }
}

#[test]
fn a_panic_leaves_nested_loops() {
    let pool = pool(2);
    let panic = catch_unwind(AssertUnwindSafe(|| {
        pool.parallel_for(2, 1, &|begin, _| {
            pool.parallel_for(2, 1, &|_, end| {
                assert!(begin + end < 3, "the last one");
            });
        });
    }));
    assert_eq!(message(panic.unwrap_err()), "the last one");
    meet(&pool, 2);
}

#[test]
fn threads_end_with_their_pool() {
    // Awake, asleep, and just done.
    for pause in [0, 3] {
        let pool = pool(4);
        meet(&pool, 4);
        thread::sleep(Duration::from_millis(pause));
        let mailboxes: Vec<_> = pool.workers.iter().map(Worker::observe).collect();
        drop(pool);
        assert!(mailboxes.iter().all(|mailbox| mailbox.strong_count() == 0));
    }
}

#[test]
fn a_pool_can_be_dropped_while_others_work() {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let busy = pool(3);
        let stop = &stop;
        scope.spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                meet(&busy, 3);
            }
        });
        for _ in 0..50 {
            let short = pool(3);
            short.parallel_for(3, 1, &|_, _| {});
        }
        stop.store(true, Ordering::Relaxed);
    });
}

/// The time that the threads of a pool have been on a core.
#[cfg(target_os = "linux")]
fn time_of_workers(pool: &ThreadPool) -> Duration {
    let times = Mutex::new(Duration::ZERO);
    let arrived = Barrier::new(1 + pool.workers.len());
    pool.parallel_for(1 + pool.workers.len() as i64, 1, &|begin, _| {
        arrived.wait();
        if begin > 0 {
            let mut time = libc::timespec {
                tv_sec: 0,
                tv_nsec: 0,
            };
            // SAFETY: the function writes to the given structure.
            unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
            *times.lock().unwrap() += Duration::new(time.tv_sec as u64, time.tv_nsec as u32);
        }
    });
    times.into_inner().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn workers_sleep_when_there_is_no_work() {
    let pool = pool(3);
    let before = time_of_workers(&pool);
    thread::sleep(Duration::from_millis(300));
    let spent = time_of_workers(&pool) - before;
    // Two workers poll for loops twice, before and after the pause.
    assert!(spent < Duration::from_millis(20), "{spent:?} of 600 ms");
}
