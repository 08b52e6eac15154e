//! The cores and caches of the CPU that this runs on, as the system describes them.

use super::{Cache, Machine};
use std::{fs, path::Path, thread};

/// The sizes that a system reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct System {
    /// The cores that this process may use: in a container, often fewer than the CPU has.
    cores: i64,
    /// The first cache for data, the second, and the last one.
    caches: Option<[Cache; 3]>,
}

impl System {
    /// Queries this system. Caches are from the folder of Linux (Documentation/ABI/testing/
    /// sysfs-devices-system-cpu), and not known on other systems.
    pub fn query() -> Self {
        Self {
            cores: thread::available_parallelism().map_or(1, |count| count.get() as i64),
            caches: caches(Path::new("/sys/devices/system/cpu/cpu0")),
        }
    }
}

/// The caches of a CPU that Linux describes in a folder.
fn caches(folder: &Path) -> Option<[Cache; 3]> {
    let read = |file: &str| Some(fs::read_to_string(folder.join(file)).ok()?.trim().to_owned());
    // Threads of a core share all of its caches.
    let threads = count(&read("topology/thread_siblings_list")?)?;
    let caches = (0..8).map_while(|index| {
        let of_cache = |file: &str| read(&format!("cache/index{index}/{file}"));
        let cache = Cache {
            bytes: of_cache("size")?.strip_suffix('K')?.parse::<i64>().ok()? << 10,
            cores: (count(&of_cache("shared_cpu_list")?)? / threads).max(1),
        };
        Some((of_cache("type")?, cache))
    });
    let mut caches = caches.filter(|(kind, _)| kind != "Instruction").map(|(_, cache)| cache);
    let (first, second) = (caches.next()?, caches.next()?);
    Some([first, second, caches.last().unwrap_or(second)])
}

/// The numbers in a list of ranges: four in `0-2,8`.
fn count(list: &str) -> Option<i64> {
    let ranges = list.split(',').map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(last.parse::<i64>().ok()? - first.parse::<i64>().ok()? + 1)
    });
    ranges.sum()
}

impl Machine {
    /// The machine with the cores and caches of a system. Of the last cache at most what the kind
    /// has counts: a virtual machine reports the cache of its host, which others use, too.
    #[must_use]
    pub fn with_system(self, system: System) -> Self {
        let [first, second, last] = system.caches.unwrap_or(self.caches);
        let own = self.caches[2];
        let last = if last.bytes < own.bytes { last } else { own };
        let here = Self {
            cores: system.cores,
            caches: [first, second, last],
            ..self
        };
        let caches = if here.has_caches_in_order() {
            here.caches
        } else {
            self.caches
        };
        Self { caches, ..here }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A virtual machine with two cores, and a machine of four cores with two threads each.
    #[test]
    fn caches_are_read_as_linux_describes_them() {
        for (threads, last, all, expected) in [
            ("0", "266240K", "0-1", "sapphirerapids:cores=2"),
            (
                "0,4",
                "8192K",
                "0-7",
                "sapphirerapids:cores=2:last-cache=8388608/4",
            ),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let write = |file: &str, text: &str| {
                let path = folder.path().join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, format!("{text}\n")).unwrap();
            };
            write("topology/thread_siblings_list", threads);
            let caches_of = [
                ("Data", "48K", threads),
                ("Instruction", "32K", threads),
                ("Unified", "2048K", threads),
                ("Unified", last, all),
            ];
            for (index, (kind, size, cores)) in caches_of.into_iter().enumerate() {
                write(&format!("cache/index{index}/type"), kind);
                write(&format!("cache/index{index}/size"), size);
                write(&format!("cache/index{index}/shared_cpu_list"), cores);
            }
            let caches = caches(folder.path());
            let machine = Machine::of_kind("sapphirerapids").unwrap();
            let machine = machine.with_system(System { cores: 2, caches });
            assert_eq!(machine.to_string(), expected);
        }
        assert_eq!(caches(Path::new("/no/such/folder")), None);
    }
}
