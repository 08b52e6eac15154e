//! The resources that the entries of a stream use, kept alive until the entries have run.
//!
//! Entries are many and small, so completion is not tracked for each: their resources are
//! collected, and an event is recorded after each collection. A resource of several entries is kept
//! once.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::host_function::HostFunction;
use super::staging::StagingBuffer;
use super::stream::CudaEvent;
use crate::{DeviceMemory, KernelModule};

/// The number of resources in a collection.
const COLLECTION: usize = 256;

/// The resources of some entries.
#[derive(Default)]
pub(super) struct Collection {
    memories: HashMap<usize, DeviceMemory>,
    modules: HashMap<usize, Arc<dyn KernelModule>>,
    buffers: Vec<StagingBuffer>,
    functions: Vec<Arc<HostFunction>>,
}

impl Collection {
    pub fn memory(&mut self, memory: &DeviceMemory) {
        let entry = self.memories.entry(memory.id());
        entry.or_insert_with(|| memory.clone());
    }

    pub fn module(&mut self, module: &Arc<dyn KernelModule>) {
        let id = Arc::as_ptr(module).cast::<()>() as usize;
        let entry = self.modules.entry(id);
        entry.or_insert_with(|| Arc::clone(module));
    }

    pub fn buffer(&mut self, buffer: StagingBuffer) {
        self.buffers.push(buffer);
    }

    pub fn function(&mut self, function: Arc<HostFunction>) {
        self.functions.push(function);
    }

    fn len(&self) -> usize {
        self.memories.len() + self.modules.len() + self.buffers.len() + self.functions.len()
    }
}

impl Drop for Collection {
    /// The stream is done with the entries, or with everything.
    fn drop(&mut self) {
        for function in &self.functions {
            function.abandon();
        }
    }
}

/// All that a stream keeps.
#[derive(Default)]
pub(super) struct Retained {
    /// Of the entries after the last event.
    pub current: Collection,
    /// The resources to keep until an event completes, in the order of events.
    older: VecDeque<(CudaEvent, Collection)>,
}

impl Retained {
    /// Returns true if an event should be recorded.
    pub fn is_full(&self) -> bool {
        self.current.len() >= COLLECTION
    }

    /// Adds an event that was recorded after all entries, and returns the resources that can be
    /// released.
    pub fn close(&mut self, event: CudaEvent) -> Vec<Collection> {
        let closed = std::mem::take(&mut self.current);
        self.older.push_back((event, closed));
        let mut done = Vec::new();
        while let Some((event, collection)) = self.older.pop_front() {
            if !event.is_done() {
                self.older.push_front((event, collection));
                break;
            }
            done.push(collection);
        }
        done
    }

    /// Returns all values, to be kept until the stream is done.
    pub fn take(&mut self) -> Self {
        std::mem::take(self)
    }
}
