//! A program with the calls of generated code, and an observer that keeps all slices.

use super::super::abi::{CallContext, EntryPoint};
use super::super::{HostCode, HostExecutable};
use crate::custom_call::{Attribute, Attributes};
use crate::run_observer::{
    KERNEL_BYTES, KERNEL_CALLERS, KERNEL_END, KERNEL_NAME, KERNEL_SOURCES, KERNEL_START, Part,
    RunObserver, Site, Slice, Work,
};
use crate::{CustomCallRegistry, CustomCallSite, Executable, ExecuteOptions, Signature};
use halo_core::{ElementType, Scalar};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// The events that an observer received.
struct Seen {
    site: Arc<Site>,
    part: Part,
    time: (Instant, Instant),
    has_failed: bool,
    thread: ThreadId,
}

#[derive(Default)]
struct Observer(Mutex<Vec<Seen>>);

impl RunObserver for Observer {
    fn observe(&self, slice: &Slice<'_>) {
        self.0.lock().unwrap().push(Seen {
            site: Arc::clone(slice.site),
            part: slice.part,
            time: (slice.start, slice.end),
            has_failed: slice.has_failed,
            thread: thread::current().id(),
        });
    }
}

/// A kernel on all threads, then a function, then nothing more after a failure.
unsafe extern "C" fn entry(context: *const CallContext, buffers: *const *mut u8) -> i32 {
    unsafe extern "C" fn kernel(_: *const CallContext, _: i64, _: i64, _: *const u8) {
        thread::sleep(Duration::from_millis(2));
    }
    // SAFETY: the runtime passed a valid context; no call takes buffers.
    unsafe {
        let call = |site| ((*context).custom_call)(context, site, buffers);
        call(0);
        ((*context).parallel_for)(context, kernel, 2, 1, buffers.cast());
        call(1);
        call(2)
    }
}

fn sites() -> Vec<CustomCallSite> {
    let site = |target: &str| CustomCallSite::new(target, Vec::new(), Vec::new());
    let attributes = [
        (KERNEL_NAME, Attribute::Text("dot".to_owned())),
        (
            KERNEL_BYTES,
            Attribute::Number(ElementType::I64, Scalar::Int(512)),
        ),
        (
            KERNEL_SOURCES,
            Attribute::List(vec![Attribute::Text("a.mlir:3:4".to_owned())]),
        ),
        (
            KERNEL_CALLERS,
            Attribute::List(vec![Attribute::Text("a.mlir:9:4".to_owned())]),
        ),
    ];
    let attributes = attributes.map(|(name, value)| (name.to_owned(), value));
    let start = CustomCallSite {
        location: "a.mlir:1:2".to_owned(),
        attributes: Attributes(BTreeMap::from(attributes)),
        ..site(KERNEL_START)
    };
    vec![start, site(KERNEL_END), site("act")]
}

fn executable(threads: usize, fails: bool) -> HostExecutable {
    let mut registry = CustomCallRegistry::default();
    registry.register("act", move |_| {
        if fails {
            Err("it fails".to_owned())
        } else {
            Ok(())
        }
    });
    let code = HostCode {
        entry: entry as EntryPoint,
        signature: Signature::default(),
        sizes: None,
        arena_size: 0,
        arena_largest: String::new(),
        flush_subnormals: false,
        custom_calls: sites(),
        keep_alive: Arc::new(()),
    };
    let threads = NonZeroUsize::new(threads).unwrap();
    // SAFETY: the program follows the interface, and is linked into the process.
    unsafe { HostExecutable::new(code, threads, &registry) }.unwrap()
}

fn observed(threads: usize, fails: bool) -> (bool, Vec<Seen>) {
    let observer = Arc::new(Observer::default());
    let shared: Arc<dyn RunObserver> = observer.clone();
    let options = ExecuteOptions {
        observer: Some(&shared),
        ..ExecuteOptions::default()
    };
    let outcome = executable(threads, fails).execute_into(&options, &[], &[]);
    let seen = std::mem::take(&mut *observer.0.lock().unwrap());
    (outcome.is_ok(), seen)
}

#[test]
fn kernels_tasks_and_functions_are_told_with_what_is_known_of_them() {
    for threads in [1, 2] {
        let (succeeded, seen) = observed(threads, false);
        assert!(succeeded);
        let whole: Vec<&Seen> = seen.iter().filter(|it| it.part == Part::Whole).collect();
        let [kernel, call] = whole[..] else {
            panic!("{} slices", whole.len());
        };
        assert_eq!(
            *kernel.site,
            Site {
                work: Work::Kernel,
                name: "dot".to_owned(),
                location: "a.mlir:1:2".to_owned(),
                callers: vec!["a.mlir:9:4".to_owned()],
                sources: vec!["a.mlir:3:4".to_owned()],
                bytes: Some(512),
            }
        );
        assert_eq!(
            (call.site.work, &call.site.name[..]),
            (Work::CustomCall, "act")
        );
        assert!(kernel.time.1 <= call.time.0);
        // Tasks and waits are within the kernel, and cover the loop.
        let mut iterations = 0;
        for part in seen.iter().filter(|it| it.part != Part::Whole) {
            assert!(Arc::ptr_eq(&part.site, &kernel.site));
            assert!(part.time.0 >= kernel.time.0 && part.time.1 <= kernel.time.1);
            match part.part {
                Part::Task { begin, end } => {
                    iterations += end - begin;
                }
                _ => assert_eq!(part.thread, kernel.thread),
            }
        }
        assert_eq!(iterations, 2);
    }
}

#[test]
fn a_failed_function_is_the_last_slice_and_says_so() {
    let (succeeded, seen) = observed(2, true);
    assert!(!succeeded);
    let failed: Vec<&str> =
        seen.iter().filter(|it| it.has_failed).map(|it| &it.site.name[..]).collect();
    assert_eq!(failed, ["act"]);
    assert_eq!(seen.last().unwrap().site.name, "act");
}

#[test]
fn nothing_changes_without_an_observer() {
    let executable = executable(2, false);
    executable.execute_into(&ExecuteOptions::default(), &[], &[]).unwrap();
}
