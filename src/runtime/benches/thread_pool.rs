//! The overhead of a parallel loop: for consecutive loops, and for loops with work of the caller
//! between them, in which workers may fall asleep.
//!
//! ```sh
//! cargo bench -p halo-runtime
//! ```

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use halo_runtime::host::ThreadPool;

/// Loops for each row.
const LOOPS: usize = 1000;

fn main() {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    println!("loops of one empty range for each thread, microseconds");
    println!(
        "{:>7} {:>8} {:>9} {:>9}",
        "threads", "between", "minimum", "median"
    );
    for threads in [2, 4, cores].into_iter().filter(|threads| *threads <= cores) {
        let threads = NonZeroUsize::new(threads).expect("not 0");
        let pool = ThreadPool::shared(threads).expect("threads start");
        for between in [0, 10, 30, 100, 1000].map(Duration::from_micros) {
            let mut times: Vec<Duration> =
                (0..LOOPS).map(|_| time(&pool, threads, between)).collect();
            times.sort_unstable();
            let microseconds = |time: Duration| time.as_secs_f64() * 1e6;
            println!(
                "{threads:>7} {:>8} {:>9.2} {:>9.2}",
                between.as_micros(),
                microseconds(times[0]),
                microseconds(times[LOOPS / 2]),
            );
        }
    }
}

fn time(pool: &ThreadPool, threads: NonZeroUsize, between: Duration) -> Duration {
    let start = Instant::now();
    while start.elapsed() < between {
        std::hint::spin_loop();
    }
    let start = Instant::now();
    pool.parallel_for(threads.get() as i64, 1, &|begin, end| {
        std::hint::black_box((begin, end));
    });
    start.elapsed()
}
