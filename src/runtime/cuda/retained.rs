//! The resources that the entries of a stream use, kept until they have run.
//!
//! Entries are many and small, so they are not watched one by one: their
//! resources are collected, and from time to time an event is recorded after a
//! collection. A resource of several entries is kept once.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::host_function::HostFunction;
use super::staging::StagingBuffer;
use super::stream::CudaEvent;
use crate::{DeviceMemory, KernelModule};

/// Of how many things a collection is.
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
    /// The resources to keep until an event is complete, in the order of
    /// events.
    older: VecDeque<(CudaEvent, Collection)>,
}

impl Retained {
    /// Whether an event should be recorded.
    pub fn is_full(&self) -> bool {
        self.current.len() >= COLLECTION
    }

    /// Adds an event that was recorded after all entries, and returns the
    /// resources that need not be kept any more.
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

    /// Everything, for who waits until the stream is done.
    pub fn take(&mut self) -> Self {
        std::mem::take(self)
    }
}
