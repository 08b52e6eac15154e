//! A profile in the Trace Event Format, which Perfetto and chrome://tracing read.
//!
//! All slices are complete events (`X`) on the track of their thread, in microseconds. Bytes of
//! memory in use are counter events (`C`), each memory a track. Names of threads are metadata
//! events (`M`).

use super::{
    About,
    recorder::{Label, MemoryUse, Recorded, RecordedSlice, Step},
    sources::Sources,
};
use halo_runtime::run_observer::{Part, Site, Work};
use serde::Serialize;
use std::{
    io::{self, Write},
    time::Duration,
};

/// The file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Trace<'a> {
    display_time_unit: &'static str,
    other_data: OtherData<'a>,
    trace_events: Vec<Event<'a>>,
}

#[derive(Serialize)]
struct OtherData<'a> {
    program: &'a str,
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    /// Slices that were measured and are not in the trace.
    left_out: usize,
}

#[derive(Serialize)]
struct Event<'a> {
    ph: &'static str,
    pid: u32,
    tid: usize,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cat: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    args: Arguments<'a>,
}

#[derive(Default, Serialize)]
struct Arguments<'a> {
    /// Of a metadata event.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sort_index: Option<usize>,
    #[serde(skip_serializing_if = "str::is_empty")]
    location: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ops: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    begin: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<i64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    failed: bool,
}

/// Viewers group threads by process; there is one.
const PROCESS: u32 = 1;

/// Writes the file.
///
/// # Errors
/// Returns an error if it cannot be written.
pub fn write(
    recorded: &Recorded,
    sources: &Sources<'_>,
    about: &About<'_>,
    file: &mut dyn Write,
) -> io::Result<()> {
    let mut events = vec![metadata("process_name", 0, "Halo")];
    for (number, name) in recorded.threads.iter().enumerate() {
        events.push(metadata("thread_name", number, name));
        events.push(Event {
            args: Arguments {
                sort_index: Some(number),
                ..Arguments::default()
            },
            ..metadata("thread_sort_index", number, "")
        });
    }
    let mut slices: Vec<&RecordedSlice> = recorded.slices.iter().collect();
    // If two slices begin together, the outer one is first.
    slices.sort_by_key(|slice| (slice.thread, slice.start, std::cmp::Reverse(slice.end)));
    events.extend(slices.into_iter().map(|slice| event(slice, sources)));
    events.extend(recorded.memory.iter().map(counter));
    let trace = Trace {
        display_time_unit: "ms",
        other_data: OtherData {
            program: about.program,
            version: env!("CARGO_PKG_VERSION"),
            error: about.error,
            left_out: recorded.left_out,
        },
        trace_events: events,
    };
    serde_json::to_writer(&mut *file, &trace)?;
    file.write_all(b"\n")
}

fn metadata<'a>(kind: &'a str, thread: usize, name: &'a str) -> Event<'a> {
    Event {
        ph: "M",
        pid: PROCESS,
        tid: thread,
        name: kind,
        cat: None,
        ts: None,
        dur: None,
        args: Arguments {
            name: (!name.is_empty()).then_some(name),
            ..Arguments::default()
        },
    }
}

/// The bytes in use from a time on.
fn counter(memory: &MemoryUse) -> Event<'_> {
    Event {
        ph: "C",
        pid: PROCESS,
        tid: 0,
        name: &memory.memory,
        cat: Some("memory"),
        ts: Some(microseconds(memory.time)),
        dur: None,
        args: Arguments {
            bytes: Some(memory.in_use),
            ..Arguments::default()
        },
    }
}

fn event<'a>(slice: &'a RecordedSlice, sources: &Sources<'_>) -> Event<'a> {
    let (name, category, args) = match &slice.label {
        Label::Step(step, name) => {
            let category = match step {
                Step::Compile => "compile",
                Step::Run => "run",
                Step::Transfer(_) => "transfer",
                Step::Tool => "tool",
            };
            let args = Arguments {
                bytes: match step {
                    Step::Transfer(bytes) => Some(*bytes),
                    _ => None,
                },
                ..Arguments::default()
            };
            (&name[..], category, args)
        }
        Label::Site(site, part) => of_site(site, *part, sources),
    };
    Event {
        ph: "X",
        pid: PROCESS,
        tid: slice.thread,
        name,
        cat: Some(category),
        ts: Some(microseconds(slice.start)),
        dur: Some(microseconds(slice.end.saturating_sub(slice.start))),
        args: Arguments {
            failed: slice.has_failed,
            ..args
        },
    }
}

fn of_site<'a>(
    site: &'a Site,
    part: Part,
    sources: &Sources<'_>,
) -> (&'a str, &'static str, Arguments<'a>) {
    let name = match &site.name[..] {
        "" => "kernel",
        name => name,
    };
    let location = &site.location[..];
    match part {
        Part::Whole => {
            let category = match site.work {
                Work::Kernel => "kernel",
                Work::Copy => "copy",
                Work::CustomCall => "call",
            };
            let ops = sources.ops(&site.sources);
            let args = Arguments {
                location,
                ops: (!ops.is_empty()).then(|| ops.join(", ")),
                bytes: site.bytes,
                ..Arguments::default()
            };
            (name, category, args)
        }
        Part::Task { begin, end } => {
            let args = Arguments {
                location,
                begin: Some(begin),
                end: Some(end),
                ..Arguments::default()
            };
            (name, "task", args)
        }
        Part::Wait => ("wait", "wait", Arguments::default()),
    }
}

fn microseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}
