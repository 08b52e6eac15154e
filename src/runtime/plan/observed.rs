//! The steps of a plan, as reported to the observer of a run.
//!
//! A stream runs steps later than they are enqueued, so the stream itself takes the times, in
//! callbacks before and after a step. On a device, these make it wait for the host: an observed run
//! takes longer, and its slices are longer by some microseconds.

use std::sync::{Arc, Mutex, PoisonError, mpsc::channel};
use std::time::Instant;

use super::executable::Loaded;
use super::run::Halt;
use super::{KernelArgument, Thunk};
use crate::Stream;
use crate::run_observer::{Part, RunObserver, Site, Slice, Work};

/// The sites of the steps to measure, for each sequence.
pub(super) fn sites(loaded: &Loaded) -> Vec<Vec<Option<Arc<Site>>>> {
    let site = |thunk: &Thunk| site(loaded, thunk).map(Arc::new);
    let sequences = loaded.plan.sequences.iter();
    sequences.map(|thunks| thunks.iter().map(site).collect()).collect()
}

fn site(loaded: &Loaded, thunk: &Thunk) -> Option<Site> {
    let (work, name, bytes) = match thunk {
        Thunk::Launch {
            kernel, arguments, ..
        } => {
            let kernels = loaded.module.as_ref().map(|module| module.kernels());
            let kernel = kernels.and_then(|kernels| kernels.get(*kernel as usize));
            let sizes = arguments.iter().map(|argument| match argument {
                KernelArgument::Buffer(slice) => slice.size,
                KernelArgument::TensorMap(map) => map.slice.size,
                KernelArgument::Scalar(_) | KernelArgument::Counter(_) => 0,
            });
            let name = kernel.map_or_else(String::new, |kernel| kernel.name.clone());
            (Work::Kernel, name, sizes.fold(0, u64::saturating_add))
        }
        Thunk::Gemm(gemm) => {
            let slices = [&gemm.a.slice, &gemm.b.slice, &gemm.c.slice];
            let bytes = slices.iter().map(|slice| slice.size);
            (
                Work::Kernel,
                "gemm".to_owned(),
                bytes.fold(0, u64::saturating_add),
            )
        }
        Thunk::Copy { source, target } if source.size > 0 => (
            Work::Copy,
            "copy".to_owned(),
            source.size.saturating_add(target.size),
        ),
        Thunk::Fill { target, .. } if target.size > 0 => {
            (Work::Copy, "fill".to_owned(), target.size)
        }
        Thunk::CustomCall { site, .. } => {
            let call = loaded.calls.get(*site as usize)?;
            return Some(Site::of_custom_call(&call.site));
        }
        Thunk::Copy { .. }
        | Thunk::Fill { .. }
        | Thunk::While { .. }
        | Thunk::Conditional { .. }
        | Thunk::For { .. } => return None,
    };
    Some(Site {
        work,
        name,
        location: String::new(),
        callers: Vec::new(),
        sources: Vec::new(),
        bytes: Some(bytes),
    })
}

/// Enqueues or runs the step of a site, and reports it to the observer.
///
/// # Errors
/// Returns the errors of the step.
pub(super) fn observe(
    stream: &dyn Stream,
    observer: &Arc<dyn RunObserver>,
    site: &Arc<Site>,
    step: impl FnOnce() -> Result<(), Halt>,
) -> Result<(), Halt> {
    if site.work == Work::CustomCall {
        // The host runs it after the steps before it; the waiting time is not part of its time.
        let (sender, receiver) = channel();
        stream.host_callback(Box::new(move || {
            // The receiver waits.
            let _ = sender.send(());
            Ok(())
        }))?;
        // After a failure the callback is dropped, and the step fails.
        let _ = receiver.recv();
        let start = Instant::now();
        let outcome = step();
        observer.observe(&Slice {
            site,
            part: Part::Whole,
            start,
            end: Instant::now(),
            has_failed: outcome.is_err(),
        });
        return outcome;
    }
    let begun = Arc::new(Mutex::new(Instant::now()));
    let begin = Arc::clone(&begun);
    stream.host_callback(Box::new(move || {
        *begin.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        Ok(())
    }))?;
    step()?;
    let (observer, site) = (Arc::clone(observer), Arc::clone(site));
    stream.host_callback(Box::new(move || {
        let end = Instant::now();
        observer.observe(&Slice {
            site: &site,
            part: Part::Whole,
            start: *begun.lock().unwrap_or_else(PoisonError::into_inner),
            end,
            has_failed: false,
        });
        Ok(())
    }))?;
    Ok(())
}
