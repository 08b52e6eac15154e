//! Where the threads of this process are, asked at intervals while something runs.
//!
//! A processor without counters of hardware tells so much: which part of its time a thread spends
//! in which instructions. Each thread has a timer of the system that sends it a signal, whose
//! handler writes down the address at which the thread was interrupted.
//!
//! One of the few modules with `unsafe`: timers and handlers of signals are functions of C.

use std::time::Duration;

/// Runs something, and returns the addresses of instructions at which its threads were found, each
/// asked once in a period; `None` where the system has no such timers, the process has a handler of
/// `SIGPROF` of its own, or another thread samples.
pub fn sample<R>(period: Duration, run: impl FnOnce() -> R) -> (R, Option<Vec<u64>>) {
    #[cfg(all(
        target_os = "linux",
        target_env = "gnu",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))]
    return linux::sample(period, run);
    #[cfg(not(all(
        target_os = "linux",
        target_env = "gnu",
        any(target_arch = "x86_64", target_arch = "aarch64")
    )))]
    {
        let _ = period;
        (run(), None)
    }
}

#[cfg(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod linux {
    use std::{
        ffi::{c_int, c_void},
        fs, mem, ptr,
        sync::{
            Mutex, OnceLock, TryLockError,
            atomic::{AtomicU64, AtomicUsize, Ordering},
        },
        time::Duration,
    };

    /// So many addresses are kept at most.
    const MOST: usize = 1 << 17;

    static ADDRESSES: OnceLock<Vec<AtomicU64>> = OnceLock::new();
    static NEXT: AtomicUsize = AtomicUsize::new(MOST);
    static SAMPLING: Mutex<()> = Mutex::new(());

    pub fn sample<R>(period: Duration, run: impl FnOnce() -> R) -> (R, Option<Vec<u64>>) {
        let _sampling = match SAMPLING.try_lock() {
            Ok(sampling) => sampling,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return (run(), None),
        };
        let addresses = ADDRESSES.get_or_init(|| (0..MOST).map(|_| AtomicU64::new(0)).collect());
        if !install() {
            return (run(), None);
        }
        NEXT.store(0, Ordering::SeqCst);
        let timers: Vec<Timer> = threads()
            .filter_map(|it| Timer::start(it, period))
            .collect();
        let result = run();
        let is_asked = !timers.is_empty();
        drop(timers);
        let count = NEXT.swap(MOST, Ordering::SeqCst).min(MOST);
        let found = addresses[..count]
            .iter()
            .map(|it| it.load(Ordering::SeqCst));
        (result, is_asked.then(|| found.collect()))
    }

    /// The numbers of the threads of this process.
    fn threads() -> impl Iterator<Item = c_int> {
        let threads = fs::read_dir("/proc/self/task").into_iter().flatten();
        threads.filter_map(|thread| thread.ok()?.file_name().to_str()?.parse().ok())
    }

    /// Installs the handler, which stays: a signal may come late. Returns whether it is there.
    fn install() -> bool {
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = handle;
        // SAFETY: All zeros are a value of the structure of C.
        let mut own: libc::sigaction = unsafe { mem::zeroed() };
        own.sa_sigaction = handler as usize;
        own.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        // SAFETY: As above.
        let mut old: libc::sigaction = unsafe { mem::zeroed() };
        // SAFETY: The pointers are valid; the handler does what handlers of signals may.
        unsafe {
            if libc::sigaction(libc::SIGPROF, ptr::null(), &raw mut old) != 0 {
                return false;
            }
            let is_free = old.sa_sigaction == libc::SIG_DFL;
            let is_own = old.sa_sigaction == own.sa_sigaction;
            is_own
                || is_free && libc::sigaction(libc::SIGPROF, &raw const own, ptr::null_mut()) == 0
        }
    }

    /// Writes down where the thread is. It uses atomic numbers alone.
    extern "C" fn handle(_signal: c_int, _info: *mut libc::siginfo_t, context: *mut c_void) {
        let place = NEXT.load(Ordering::Relaxed);
        if place >= MOST || context.is_null() {
            return;
        }
        // SAFETY: The system passes a context of this type to handlers with `SA_SIGINFO`.
        let context = unsafe { &*context.cast::<libc::ucontext_t>() };
        #[cfg(target_arch = "x86_64")]
        let address = context.uc_mcontext.gregs[libc::REG_RIP as usize] as u64;
        #[cfg(target_arch = "aarch64")]
        let address = context.uc_mcontext.pc;
        let place = NEXT.fetch_add(1, Ordering::Relaxed);
        let kept = ADDRESSES.get().and_then(|all| all.get(place));
        if let Some(kept) = kept {
            kept.store(address, Ordering::Relaxed);
        }
    }

    /// A timer that asks one thread.
    struct Timer(libc::timer_t);

    impl Timer {
        fn start(thread: c_int, period: Duration) -> Option<Self> {
            // SAFETY: All zeros are a value of the structure of C.
            let mut event: libc::sigevent = unsafe { mem::zeroed() };
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = libc::SIGPROF;
            event.sigev_notify_thread_id = thread;
            let mut timer: libc::timer_t = ptr::null_mut();
            // SAFETY: The pointers are valid.
            let made = unsafe {
                libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer)
            };
            let timer = (made == 0).then_some(Self(timer))?;
            let time = libc::timespec {
                tv_sec: period.as_secs().try_into().ok()?,
                tv_nsec: period.subsec_nanos().into(),
            };
            let times = libc::itimerspec {
                it_interval: time,
                it_value: time,
            };
            // SAFETY: The timer is valid, and so are the pointers.
            let set = unsafe { libc::timer_settime(timer.0, 0, &raw const times, ptr::null_mut()) };
            (set == 0).then_some(timer)
        }
    }

    impl Drop for Timer {
        fn drop(&mut self) {
            // SAFETY: The timer is valid, and not used again.
            unsafe { libc::timer_delete(self.0) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{hint::black_box, time::Instant};

    #[inline(never)]
    fn busy(time: Duration) -> u64 {
        let start = Instant::now();
        let mut sum = 0_u64;
        while start.elapsed() < time {
            for number in 0..1000 {
                sum = black_box(sum.wrapping_mul(3).wrapping_add(number));
            }
        }
        sum
    }

    #[test]
    fn threads_are_found_where_they_work() {
        let (_, found) = sample(Duration::from_micros(500), || {
            busy(Duration::from_millis(100))
        });
        let Some(found) = found else {
            let is_here = cfg!(all(target_os = "linux", target_env = "gnu"));
            assert!(!is_here || !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")));
            return;
        };
        // Other programs may have the core meanwhile.
        assert!(found.len() >= 5, "{}", found.len());
        assert!(found.iter().all(|address| *address != 0));
        // Nobody is asked any more.
        let (_, again) = sample(Duration::from_secs(3600), || ());
        assert_eq!(again, Some(Vec::new()));
    }
}
