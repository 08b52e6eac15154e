//! A stream on the host is a thread that works through a queue.

use std::any::Any;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use halo_core::panics;

use super::executor::{copy_between, copy_in};
use super::memory::HostAllocation;
use crate::memory::{check_overlap, check_sizes};
use crate::plan::FillPattern;
use crate::stream::{Callback, Receiver};
use crate::{DeviceMemory, Error, Event, MemorySlice, Result, Stream};

enum Entry {
    /// Skipped after a failure.
    Work(Callback),
    /// Done in any case.
    Always(Box<dyn FnOnce() + Send>),
}

/// A queue and the thread that processes it.
pub(super) struct HostStream {
    /// Present until the stream is dropped.
    queue: Option<Sender<Entry>>,
    worker: Option<JoinHandle<()>>,
    failure: Arc<Mutex<Option<Error>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl HostStream {
    pub fn new() -> Result<Self> {
        let (queue, entries) = channel();
        let failure = Arc::new(Mutex::new(None));
        let reported = Arc::clone(&failure);
        let work = move || {
            for entry in entries {
                match entry {
                    Entry::Always(run) => run(),
                    Entry::Work(run) => {
                        if lock(&reported).is_none()
                            && let Err(error) = guarded(run)
                        {
                            *lock(&reported) = Some(error);
                        }
                    }
                }
            }
        };
        let worker = std::thread::Builder::new()
            .name("halo-stream".to_owned())
            .spawn(work)
            .map_err(|error| Error::execution(format!("no thread for a stream: {error}")))?;
        Ok(Self {
            queue: Some(queue),
            worker: Some(worker),
            failure,
        })
    }

    fn enqueue(&self, entry: Entry) -> Result<()> {
        self.queue
            .as_ref()
            .and_then(|queue| queue.send(entry).ok())
            .ok_or_else(|| Error::internal("the thread of a stream is gone"))
    }

    fn work(&self, run: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
        self.enqueue(Entry::Work(Box::new(run)))
    }
}

/// A slice that waits in the queue.
struct OwnedSlice {
    memory: DeviceMemory,
    offset: usize,
    size: usize,
}

impl OwnedSlice {
    fn borrow(&self) -> Result<MemorySlice<'_>> {
        self.memory.slice(self.offset, self.size)
    }
}

impl From<MemorySlice<'_>> for OwnedSlice {
    fn from(slice: MemorySlice<'_>) -> Self {
        Self {
            memory: slice.memory().clone(),
            offset: slice.offset(),
            size: slice.size(),
        }
    }
}

fn guarded(run: Callback) -> Result<()> {
    panics::catch(run).unwrap_or_else(|panic| {
        Err(Error::internal(format!(
            "a callback on a stream panicked: {panic}"
        )))
    })
}

impl Stream for HostStream {
    fn copy_to_slice(&self, source: Vec<u8>, target: MemorySlice<'_>) -> Result<()> {
        target.memory().downcast::<HostAllocation>()?;
        check_sizes(source.len(), target.size())?;
        let (target, offset) = (target.memory().clone(), target.offset());
        self.work(move || copy_in(&source, &target, offset))
    }

    fn copy_from_slice(&self, source: MemorySlice<'_>, then: Receiver) -> Result<()> {
        source.memory().downcast::<HostAllocation>()?;
        let source = OwnedSlice::from(source);
        self.work(move || {
            let allocation: &HostAllocation = source.memory.downcast()?;
            let bytes = allocation.read().as_bytes()[source.offset..][..source.size].to_vec();
            then(bytes);
            Ok(())
        })
    }

    fn copy_slice(&self, source: MemorySlice<'_>, target: MemorySlice<'_>) -> Result<()> {
        source.memory().downcast::<HostAllocation>()?;
        target.memory().downcast::<HostAllocation>()?;
        check_sizes(source.size(), target.size())?;
        check_overlap(source, target)?;
        let (source, target) = (OwnedSlice::from(source), OwnedSlice::from(target));
        self.work(move || copy_between(source.borrow()?, target.borrow()?))
    }

    fn fill_slice(&self, target: MemorySlice<'_>, pattern: FillPattern) -> Result<()> {
        target.memory().downcast::<HostAllocation>()?;
        pattern.check_range(target.offset(), target.size())?;
        let target = OwnedSlice::from(target);
        self.work(move || {
            let allocation: &HostAllocation = target.memory.downcast()?;
            let mut bytes = allocation.write();
            let bytes = &mut bytes.as_bytes_mut()[target.offset..][..target.size];
            pattern.fill(bytes);
            Ok(())
        })
    }

    fn host_callback(&self, callback: Callback) -> Result<()> {
        self.enqueue(Entry::Work(callback))
    }

    fn record(&self, event: &dyn Event) -> Result<()> {
        let event = HostEvent::of(event)?;
        let recording = {
            let mut counts = lock(&event.0.counts);
            counts.recorded += 1;
            counts.recorded
        };
        self.enqueue(Entry::Always(Box::new(move || event.complete(recording))))
    }

    fn wait(&self, event: &dyn Event) -> Result<()> {
        let event = HostEvent::of(event)?;
        let recording = lock(&event.0.counts).recorded;
        self.enqueue(Entry::Always(Box::new(move || event.wait_for(recording))))
    }

    fn block_until_done(&self) -> Result<()> {
        let (done, finished) = channel();
        self.enqueue(Entry::Always(Box::new(move || {
            // The receiver is dropped only if the waiting thread has ended.
            let _ = done.send(());
        })))?;
        finished.recv().map_err(|_| Error::internal("the thread of a stream is gone"))?;
        match lock(&self.failure).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl Drop for HostStream {
    /// Waits for enqueued work.
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(worker) = self.worker.take()
            && worker.thread().id() != std::thread::current().id()
        {
            // The thread catches panics, so there is none to propagate.
            let _ = worker.join();
        }
    }
}

/// An event counts its recordings: a wait is for the latest recording at the time of the call,
/// however often the event is recorded afterwards.
#[derive(Clone, Default)]
pub(super) struct HostEvent(Arc<EventState>);

#[derive(Default)]
struct EventState {
    counts: Mutex<Counts>,
    changed: Condvar,
}

#[derive(Default)]
struct Counts {
    recorded: u64,
    completed: u64,
}

impl HostEvent {
    fn of(event: &dyn Event) -> Result<Self> {
        event
            .as_any()
            .downcast_ref::<Self>()
            .cloned()
            .ok_or_else(|| Error::invalid("the event belongs to another platform"))
    }

    fn complete(&self, recording: u64) {
        let mut counts = lock(&self.0.counts);
        counts.completed = counts.completed.max(recording);
        self.0.changed.notify_all();
    }

    fn wait_for(&self, recording: u64) {
        let mut counts = lock(&self.0.counts);
        while counts.completed < recording {
            counts = self.0.changed.wait(counts).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Event for HostEvent {
    fn is_complete(&self) -> bool {
        let counts = lock(&self.0.counts);
        counts.completed >= counts.recorded
    }

    fn synchronize(&self) {
        let recorded = lock(&self.0.counts).recorded;
        self.wait_for(recorded);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::HostPlatform;
    use super::*;

    #[test]
    fn entries_run_in_order() {
        let executor = HostPlatform::device().executor;
        let memory = executor.allocate(4).unwrap();
        let other = executor.allocate(4).unwrap();
        let stream = executor.create_stream().unwrap();
        let (send, receive) = channel();
        stream.fill(&memory, 9).unwrap();
        stream.copy_to_device(vec![1, 2], &memory).unwrap();
        stream.copy(&memory, &other).unwrap();
        stream.fill(&memory, 0).unwrap();
        let then = Box::new(move |bytes| send.send(bytes).unwrap());
        stream.copy_from_device(&other, then).unwrap();
        drop((memory, other));
        stream.block_until_done().unwrap();
        assert_eq!(receive.recv().unwrap(), [1, 2, 9, 9]);
    }

    #[test]
    fn a_failure_skips_what_follows_and_is_reported_once() {
        let executor = HostPlatform::device().executor;
        let stream = executor.create_stream().unwrap();
        let event = executor.create_event().unwrap();
        let memory = executor.allocate(1).unwrap();
        let fail = || Err(Error::execution("boom"));
        stream.host_callback(Box::new(fail)).unwrap();
        stream.fill(&memory, 1).unwrap();
        stream.record(&*event).unwrap();
        event.synchronize();
        assert_eq!(stream.block_until_done().unwrap_err().to_string(), "boom");
        stream.block_until_done().unwrap();
        let mut byte = [0];
        executor.copy_from_device(&memory, 0, &mut byte).unwrap();
        assert_eq!(byte, [0]);
        let panic = || panic!("expected by the test");
        stream.host_callback(Box::new(panic)).unwrap();
        assert!(matches!(stream.block_until_done(), Err(Error::Internal(_))));
    }

    #[test]
    fn wrong_arguments_fail_at_once() {
        let executor = HostPlatform::device().executor;
        let stream = executor.create_stream().unwrap();
        let memory = executor.allocate(1).unwrap();
        assert!(stream.copy_to_device(vec![0; 2], &memory).is_err());
        stream.block_until_done().unwrap();
    }

    #[test]
    fn events_order_streams() {
        let executor = HostPlatform::device().executor;
        let (first, second) = (
            executor.create_stream().unwrap(),
            executor.create_stream().unwrap(),
        );
        let event = executor.create_event().unwrap();
        assert!(event.is_complete());
        event.synchronize();
        let (go, ready) = channel::<()>();
        let log = Arc::new(Mutex::new(Vec::new()));
        let (one, two) = (log.clone(), log.clone());
        first
            .host_callback(Box::new(move || {
                ready.recv().unwrap();
                one.lock().unwrap().push(1);
                Ok(())
            }))
            .unwrap();
        first.record(&*event).unwrap();
        second.wait(&*event).unwrap();
        second
            .host_callback(Box::new(move || {
                two.lock().unwrap().push(2);
                Ok(())
            }))
            .unwrap();
        assert!(!event.is_complete());
        go.send(()).unwrap();
        second.block_until_done().unwrap();
        assert_eq!(*log.lock().unwrap(), [1, 2]);
        assert!(event.is_complete());
    }
}
