//! The resources that runs of a plan borrow and return: streams, and arenas.
//!
//! Creating them takes longer than many programs run. Overlapping runs have one of each. A run that
//! was only enqueued returns its arena with an event, after which the next run may use it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{DeviceMemory, Error, Event, Result, Stream, StreamExecutor};

/// The maximum number of enqueued runs with separate arenas, if these are small. Further runs wait
/// for one.
const MAX_ENQUEUED: usize = 4;

/// All enqueued runs share one arena of more bytes, which would take memory from other programs.
const MAX_SEPARATE: usize = 16 << 20;

pub(super) struct Resources {
    executor: Arc<dyn StreamExecutor>,
    arena_size: usize,
    /// The location of the largest buffer of an arena in the program.
    largest: String,
    arenas: Mutex<Vec<Arena>>,
    streams: Mutex<Vec<Box<dyn Stream>>>,
}

/// Memory for the intermediate values of one run.
pub(super) struct Arena {
    pub memory: DeviceMemory,
    /// The completion of the last run that used it; `None` if it is free.
    free: Option<Arc<dyn Event>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Resources {
    /// An empty pool of arenas of a size. Errors name `largest`, a location in the program.
    pub fn new(executor: Arc<dyn StreamExecutor>, arena_size: usize, largest: String) -> Self {
        Self {
            executor,
            arena_size,
            largest,
            arenas: Mutex::default(),
            streams: Mutex::default(),
        }
    }

    /// Bytes of an arena.
    pub fn arena_size(&self) -> usize {
        self.arena_size
    }

    /// An idle stream.
    ///
    /// # Errors
    /// Returns an execution error if the device has no more.
    pub fn stream(&self) -> Result<Box<dyn Stream>> {
        let idle = lock(&self.streams).pop();
        match idle {
            Some(stream) => Ok(stream),
            None => self.executor.create_stream(),
        }
    }

    /// Returns an idle stream to the pool.
    pub fn keep_stream(&self, stream: Box<dyn Stream>) {
        lock(&self.streams).push(stream);
    }

    /// An arena for the work that is enqueued on `stream` from now on.
    ///
    /// # Errors
    /// Returns an execution error if memory is exhausted.
    pub fn arena(&self, stream: &dyn Stream) -> Result<Arena> {
        if let Some(arena) = self.idle_arena() {
            return Ok(arena);
        }
        let small = self.arena_size <= MAX_SEPARATE;
        if lock(&self.arenas).len() >= if small { MAX_ENQUEUED } else { 1 }
            && let Some(arena) = self.oldest_arena(stream)?
        {
            return Ok(arena);
        }
        match self.executor.allocate(self.arena_size) {
            Ok(memory) => Ok(Arena { memory, free: None }),
            Err(error) => match self.oldest_arena(stream)? {
                Some(arena) => Ok(arena),
                None => Err(self.out_of_memory(&error)),
            },
        }
    }

    /// An arena that is not in use.
    fn idle_arena(&self) -> Option<Arena> {
        let mut arenas = lock(&self.arenas);
        let is_free = |arena: &Arena| arena.free.as_ref().is_none_or(|free| free.is_complete());
        let idle = arenas.iter().position(is_free)?;
        Some(arenas.remove(idle))
    }

    /// The arena that becomes free first, which the stream waits for.
    fn oldest_arena(&self, stream: &dyn Stream) -> Result<Option<Arena>> {
        let mut arenas = lock(&self.arenas);
        if arenas.is_empty() {
            return Ok(None);
        }
        let arena = arenas.remove(0);
        drop(arenas);
        if let Some(free) = &arena.free {
            stream.wait(&**free)?;
        }
        Ok(Some(arena))
    }

    /// Returns the arena of a run that is done.
    pub fn keep_arena(&self, mut arena: Arena) {
        arena.free = None;
        lock(&self.arenas).push(arena);
    }

    /// Returns the arena of a run that is enqueued on a stream.
    ///
    /// # Errors
    /// Returns an execution error if the device has no more events; the arena is then not used
    /// again.
    pub fn keep_arena_after(&self, mut arena: Arena, stream: &dyn Stream) -> Result<()> {
        let free = self.executor.create_event()?;
        stream.record(&*free)?;
        arena.free = Some(free);
        lock(&self.arenas).push(arena);
        Ok(())
    }

    fn out_of_memory(&self, error: &Error) -> Error {
        let message = format!("intermediate values take {} bytes", self.arena_size);
        Error::execution_at(&self.largest, format!("{error}: {message}"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::fake;
    use super::*;

    #[test]
    fn arenas_are_given_back_and_never_shared() {
        let resources = Resources::new(fake::device().executor, 100, String::new());
        let stream = resources.stream().unwrap();
        let (one, two) = (
            resources.arena(&*stream).unwrap(),
            resources.arena(&*stream).unwrap(),
        );
        assert!(!one.memory.is_same(&two.memory));
        let first = one.memory.clone();
        resources.keep_arena(one);
        assert!(resources.arena(&*stream).unwrap().memory.is_same(&first));
    }

    #[test]
    fn runs_that_are_enqueued_share_few() {
        let resources = Resources::new(fake::device().executor, 100, String::new());
        let stream = resources.stream().unwrap();
        let (go, ready) = std::sync::mpsc::channel::<()>();
        let wait = move || {
            ready.recv().unwrap();
            Ok(())
        };
        stream.host_callback(Box::new(wait)).unwrap();
        for _ in 0..20 {
            let arena = resources.arena(&*stream).unwrap();
            resources.keep_arena_after(arena, &*stream).unwrap();
        }
        assert_eq!(lock(&resources.arenas).len(), MAX_ENQUEUED);
        go.send(()).unwrap();
        stream.block_until_done().unwrap();
        let free = |arena: &Arena| arena.free.as_ref().unwrap().is_complete();
        assert!(lock(&resources.arenas).iter().all(free));
    }
}
