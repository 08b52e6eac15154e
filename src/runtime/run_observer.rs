//! Runs that are measured while they last.
//!
//! A profiler shows where the time of a run goes: which kernels ran, when, and on which thread. It
//! implements [`RunObserver`] and is passed to a run by
//! [`ExecuteOptions::observer`](crate::ExecuteOptions::observer). The runtime reports each
//! [`Slice`] of time when the slice ends, on the thread that spent it, so that slices on one thread
//! nest.
//!
//! Generated code calls kernels that are too small for several threads directly, invisibly to the
//! runtime. A program to be measured is compiled with `--halo-instrument-kernels`, which inserts a
//! custom call [`KERNEL_START`] before each kernel and [`KERNEL_END`] after it. Without an
//! observer, these calls do nothing.

use std::sync::Arc;
use std::time::Instant;

use crate::custom_call::Attribute;
use crate::{CustomCallRegistry, CustomCallSite};

/// The custom call before a kernel. Its attributes are [`KERNEL_NAME`], [`KERNEL_BYTES`],
/// [`KERNEL_SOURCES`] and [`KERNEL_CALLERS`].
pub const KERNEL_START: &str = "halo.kernel_start";

/// The custom call after a kernel.
pub const KERNEL_END: &str = "halo.kernel_end";

/// The name of the kernel.
pub const KERNEL_NAME: &str = "kernel";

/// Bytes of buffers that a call of the kernel accesses, averaged over all calls.
pub const KERNEL_BYTES: &str = "bytes";

/// The locations of the ops in the kernel, a list of `file:line:column`.
pub const KERNEL_SOURCES: &str = "sources";

/// The locations of the calls by which the kernel's main op was inlined, the innermost first.
pub const KERNEL_CALLERS: &str = "callers";

/// The work of a slice of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Work {
    /// A kernel, from its call to its return, on the calling thread; on a device, from its begin to
    /// its end.
    Kernel,
    /// A copy or a fill of memory between kernels.
    Copy,
    /// A function of the runtime or of the application.
    CustomCall,
}

/// A site in a program that spends time: a call of a kernel, a copy, a custom call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub work: Work,
    /// The name of the kernel or function.
    pub name: String,
    /// The location in the program, `file:line:column`; empty if unknown.
    pub location: String,
    /// The calls by which this site was inlined, the innermost first.
    pub callers: Vec<String>,
    /// The locations of all its ops, if known.
    pub sources: Vec<String>,
    /// Bytes of buffers that a call accesses, if known.
    pub bytes: Option<u64>,
}

impl Site {
    /// The site of a custom call.
    pub(crate) fn of_custom_call(site: &CustomCallSite) -> Self {
        let shapes = site.operands.iter().chain(&site.results);
        Self {
            work: Work::CustomCall,
            name: site.target.clone(),
            location: site.location.clone(),
            callers: Vec::new(),
            sources: Vec::new(),
            bytes: Some(shapes.map(|shape| shape.byte_size() as u64).sum()),
        }
    }

    /// The site of a kernel, from the description in the call before it.
    pub(crate) fn of_kernel_start(site: &CustomCallSite) -> Self {
        let attributes = &site.attributes;
        let name = attributes.text(KERNEL_NAME).unwrap_or_default();
        let bytes = attributes.integer(KERNEL_BYTES).ok();
        let texts = |name: &str| {
            let list = match attributes.0.get(name) {
                Some(Attribute::List(list)) => &list[..],
                _ => &[],
            };
            let texts = list.iter().filter_map(|text| match text {
                Attribute::Text(text) => Some(text.clone()),
                _ => None,
            });
            texts.collect::<Vec<String>>()
        };
        Self {
            work: if name == COPY {
                Work::Copy
            } else {
                Work::Kernel
            },
            name: name.to_owned(),
            location: site.location.clone(),
            callers: texts(KERNEL_CALLERS),
            sources: texts(KERNEL_SOURCES),
            bytes: bytes.and_then(|bytes| u64::try_from(bytes).ok()),
        }
    }
}

/// The [`KERNEL_NAME`] of a copy between kernels.
pub const COPY: &str = "copy";

/// The part of a site's work that a slice measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it, including the time of tasks and waits on the same thread.
    Whole,
    /// The iterations of a parallel loop that one thread has run.
    Task {
        /// The first iteration.
        begin: i64,
        /// The end of the range, exclusive.
        end: i64,
    },
    /// The calling thread has waited for the tasks of others.
    Wait,
}

/// A slice of the time of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a> {
    /// The site, the same allocation for each slice of one executable.
    pub site: &'a Arc<Site>,
    pub part: Part,
    pub start: Instant,
    pub end: Instant,
    /// Whether it ended with an error.
    pub has_failed: bool,
}

/// Measures runs.
///
/// The program waits for each call, so an observer should only record the event. Several threads
/// call observers at the same time.
pub trait RunObserver: Send + Sync {
    /// Records a slice of the calling thread that has just ended.
    fn observe(&self, slice: &Slice<'_>);
}

/// Registers the calls around kernels, which have no effect by themselves.
pub(crate) fn register(registry: &mut CustomCallRegistry) {
    for name in [KERNEL_START, KERNEL_END] {
        registry.register(name, |_| Ok(()));
    }
}
