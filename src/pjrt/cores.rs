//! The cores of devices: all cores of the process, or separate cores for each device.

use std::num::NonZeroUsize;

use halo_runtime::host::ThreadPool;

use crate::status::{Result, Status};

/// Cores of one device. Threads that [`enter`](Self::enter) run on them only, where the system can
/// restrict threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cores(Vec<usize>);

impl Cores {
    /// The cores of each of `devices` devices.
    ///
    /// # Errors
    /// Returns an invalid-argument error if the process has fewer cores.
    pub fn divide(devices: usize, each: NonZeroUsize) -> Result<Vec<Self>> {
        let all = available();
        if devices.saturating_mul(each.get()) > all.len() {
            return Err(Status::invalid(format!(
                "{devices} devices with {each} cores each need more than the {} cores of the \
                 process",
                all.len()
            )));
        }
        let parts = all.chunks(each.get()).take(devices);
        Ok(parts.map(|part| Self(part.to_vec())).collect())
    }

    /// Threads on these cores.
    ///
    /// # Errors
    /// Returns an internal error if they cannot be started.
    pub fn threads(&self) -> Result<ThreadPool> {
        let own = self.clone();
        Ok(ThreadPool::start(self.0.len(), move || own.enter())?)
    }

    /// Restricts the calling thread to these cores. Without the right to do so, it runs on all.
    pub fn enter(&self) {
        #[cfg(target_os = "linux")]
        {
            let mut set = rustix::thread::CpuSet::new();
            self.0.iter().for_each(|core| set.set(*core));
            let _ = rustix::thread::sched_setaffinity(None, &set);
        }
    }
}

/// The numbers of the cores that the process may use.
fn available() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    if let Ok(set) = rustix::thread::sched_getaffinity(None) {
        let all = 0..rustix::thread::CpuSet::MAX_CPU;
        return all.filter(|core| set.is_set(*core)).collect();
    }
    (0..std::thread::available_parallelism().map_or(1, NonZeroUsize::get)).collect()
}

/// The number of threads for one of the devices that run a program at the same time: `threads`
/// are shared evenly, and each device has at least one.
pub fn share(threads: usize, devices: usize, position: usize) -> NonZeroUsize {
    let devices = devices.max(1);
    let rest = usize::from(position < threads % devices);
    NonZeroUsize::new(threads / devices + rest).unwrap_or(NonZeroUsize::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_shared_evenly() {
        let shares = |threads, devices| -> Vec<usize> {
            (0..devices).map(|position| share(threads, devices, position).get()).collect()
        };
        assert_eq!(shares(8, 4), [2, 2, 2, 2]);
        assert_eq!(shares(7, 3), [3, 2, 2]);
        assert_eq!(shares(2, 4), [1, 1, 1, 1]);
    }

    #[test]
    fn devices_have_separate_cores() {
        let one = NonZeroUsize::MIN;
        let count = available().len();
        let divided = Cores::divide(count, one).unwrap();
        let cores: Vec<usize> = divided.iter().flat_map(|cores| cores.0.clone()).collect();
        assert_eq!(cores, available());
        let error = Cores::divide(count + 1, one).unwrap_err().to_string();
        assert!(error.contains("need more than the"), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn threads_run_on_their_cores_only() {
        let all = available();
        let cores = Cores(vec![all[all.len() - 1]]);
        let own = cores.clone();
        let seen = std::thread::spawn(move || {
            own.enter();
            available()
        });
        assert_eq!(seen.join().unwrap(), cores.0);
        assert_eq!(cores.threads().unwrap().threads(), 1);
    }
}
