//! The processor as a device.

use std::sync::Arc;

use halo_core::buffer::ALIGNMENT;

use super::memory::HostAllocation;
use super::stream::{HostEvent, HostStream};
use crate::usage::Usage;
use crate::{
    DeviceDescription, DeviceMemory, Event, MemorySlice, MemoryUsage, Result, Stream,
    StreamExecutor,
};

/// The only device of the host platform.
pub struct HostExecutor {
    description: DeviceDescription,
    usage: Arc<Usage>,
}

impl HostExecutor {
    pub(super) fn new() -> Self {
        Self {
            description: describe(),
            usage: Arc::new(Usage::of("cpu memory")),
        }
    }
}

impl StreamExecutor for HostExecutor {
    fn platform(&self) -> &str {
        super::NAME
    }

    fn ordinal(&self) -> usize {
        0
    }

    fn description(&self) -> &DeviceDescription {
        &self.description
    }

    fn allocate(&self, size: usize) -> Result<DeviceMemory> {
        let allocation = HostAllocation::new(size, self.usage.clone())?;
        Ok(DeviceMemory::new(allocation))
    }

    fn copy_to_device(&self, source: &[u8], target: &DeviceMemory, offset: usize) -> Result<()> {
        copy_in(source, target, offset)
    }

    fn copy_from_device(
        &self,
        source: &DeviceMemory,
        offset: usize,
        target: &mut [u8],
    ) -> Result<()> {
        let allocation: &HostAllocation = source.downcast()?;
        source.slice(offset, target.len())?;
        target.copy_from_slice(&allocation.read().as_bytes()[offset..][..target.len()]);
        Ok(())
    }

    fn copy(&self, source: &DeviceMemory, target: &DeviceMemory) -> Result<()> {
        copy_between(source.whole(), target.slice(0, source.size())?)
    }

    fn fill(&self, target: &DeviceMemory, byte: u8) -> Result<()> {
        let allocation: &HostAllocation = target.downcast()?;
        allocation.write().as_bytes_mut().fill(byte);
        Ok(())
    }

    fn create_stream(&self) -> Result<Box<dyn Stream>> {
        Ok(Box::new(HostStream::new()?))
    }

    fn create_event(&self) -> Result<Arc<dyn Event>> {
        Ok(Arc::new(HostEvent::default()))
    }

    fn memory_usage(&self) -> MemoryUsage {
        self.usage.get()
    }

    fn clear_memory_peak(&self) {
        self.usage.clear_peak();
    }
}

pub(super) fn copy_in(source: &[u8], target: &DeviceMemory, offset: usize) -> Result<()> {
    let allocation: &HostAllocation = target.downcast()?;
    target.slice(offset, source.len())?;
    allocation.write().as_bytes_mut()[offset..][..source.len()].copy_from_slice(source);
    Ok(())
}

pub(super) fn copy_between(source: MemorySlice<'_>, target: MemorySlice<'_>) -> Result<()> {
    let from: &HostAllocation = source.memory().downcast()?;
    let to: &HostAllocation = target.memory().downcast()?;
    let (begin, size) = (source.offset(), source.size());
    if source.memory().is_same(target.memory()) {
        let end = begin + size;
        to.write().as_bytes_mut().copy_within(begin..end, target.offset());
    } else {
        // One lock at a time, so that two opposite copies cannot deadlock; the temporary copy is
        // rarely large.
        let bytes = from.read().as_bytes()[begin..][..size].to_vec();
        to.write().as_bytes_mut()[target.offset()..][..size].copy_from_slice(&bytes);
    }
    Ok(())
}

fn describe() -> DeviceDescription {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let version = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let name = field(&cpuinfo, "model name").unwrap_or(std::env::consts::ARCH);
    DeviceDescription {
        name: name.to_owned(),
        platform_version: format!("{} {}", std::env::consts::OS, version.trim()).trim().to_owned(),
        core_count: std::thread::available_parallelism().map_or(1, usize::from),
        memory_size: field(&meminfo, "MemTotal")
            .and_then(|text| text.strip_suffix("kB"))
            .and_then(|text| text.trim().parse::<u64>().ok())
            .map(|kilobytes| kilobytes * 1024),
        architecture: None,
        allocation_alignment: ALIGNMENT,
    }
}

/// The value of the first line `key: value`.
fn field<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then(|| value.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_counted_copied_and_bounded() {
        let executor = HostExecutor::new();
        let memory = executor.allocate(100).unwrap();
        let other = executor.allocate(50).unwrap();
        assert_eq!(executor.memory_usage().in_use, 150);
        executor.fill(&memory, 7).unwrap();
        executor.copy_to_device(&[1, 2, 3], &memory, 97).unwrap();
        let mut bytes = [0; 4];
        executor.copy_from_device(&memory, 96, &mut bytes).unwrap();
        assert_eq!(bytes, [7, 1, 2, 3]);
        assert!(executor.copy_to_device(&[0; 4], &memory, 97).is_err());
        assert!(executor.copy_from_device(&memory, usize::MAX, &mut bytes).is_err());
        executor.copy(&other, &memory).unwrap();
        executor.copy(&memory, &memory).unwrap();
        assert!(executor.copy(&memory, &other).is_err());
        executor.copy_from_device(&memory, 49, &mut bytes).unwrap();
        assert_eq!(bytes, [0, 7, 7, 7]);
        executor.deallocate(memory);
        drop(other);
        let usage = executor.memory_usage();
        assert_eq!((usage.in_use, usage.peak), (0, 150));
    }

    #[test]
    fn impossible_allocations_are_errors() {
        let executor = HostExecutor::new();
        assert!(executor.allocate(usize::MAX).is_err());
        assert_eq!(executor.memory_usage().in_use, 0);
        assert_eq!(executor.allocate(0).unwrap().size(), 0);
    }

    #[test]
    fn the_device_is_described() {
        let executor = HostExecutor::new();
        let description = executor.description();
        assert!(!description.name.is_empty());
        assert!(description.core_count >= 1);
        assert_eq!(description.allocation_alignment, 64);
    }
}
