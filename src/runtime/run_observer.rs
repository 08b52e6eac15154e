//! Runs that are measured while they last.
//!
//! A profiler wants to know where the time of a run goes: which kernels ran, when, and on
//! which thread. It implements [`RunObserver`] and is given to a run by
//! [`ExecuteOptions::observer`](crate::ExecuteOptions::observer). The runtime tells it each
//! [`Slice`] of time when the slice ends, on the thread that spent it, so that slices on one
//! thread nest.
//!
//! Generated code calls a kernel that is not worth several threads directly, where the
//! runtime does not see it. A program that is to be measured is compiled with
//! `--halo-instrument-kernels`, which puts a custom call [`KERNEL_START`] before each kernel
//! and [`KERNEL_END`] after it. Without an observer, these calls do nothing.

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

/// What a call of the kernel touches of its buffers, in bytes, in the mean of all calls.
pub const KERNEL_BYTES: &str = "bytes";

/// The places of the ops that the kernel was made of, a list of `file:line:column`.
pub const KERNEL_SOURCES: &str = "sources";

/// The places of the calls by which the op came into the program that the kernel is named after,
/// the innermost first, if it was in a function.
pub const KERNEL_CALLERS: &str = "callers";

/// What a slice of time was spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Work {
    /// A kernel, from its call to its return, on the thread that calls it; on a device, from
    /// its begin to its end.
    Kernel,
    /// A copy or a fill of memory between kernels.
    Copy,
    /// A function of the runtime or of the application.
    CustomCall,
}

/// A place in a program that spends time: a call of a kernel, a copy, a custom call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub work: Work,
    /// The name of the kernel or function.
    pub name: String,
    /// Where it stands in the program, `file:line:column`; empty if that is unknown.
    pub location: String,
    /// The calls that this place was inlined by, the innermost first.
    pub callers: Vec<String>,
    /// The places of all ops that it was made of, if that is known.
    pub sources: Vec<String>,
    /// What a call touches of its buffers, if that is known.
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

    /// The site of a kernel, as the call before it describes it.
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

/// Which part of the work at a site a slice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it. The time of tasks and waits on the same thread is within.
    Whole,
    /// The iterations of a parallel loop that one thread has run.
    Task {
        /// The first of them.
        begin: i64,
        /// The one after the last of them.
        end: i64,
    },
    /// The thread that called has waited for the tasks of others.
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
/// The program waits for each call, so an observer only notes what it is told. Observers are
/// called by several threads at the same time.
pub trait RunObserver: Send + Sync {
    /// Notes a slice of the calling thread that has just ended.
    fn observe(&self, slice: &Slice<'_>);
}

/// Makes the calls around kernels known. They do nothing by themselves.
pub(crate) fn register(registry: &mut CustomCallRegistry) {
    for name in [KERNEL_START, KERNEL_END] {
        registry.register(name, |_| Ok(()));
    }
}
