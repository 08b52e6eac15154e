//! A profile in the format of XLA's profiler, `xplane.proto`: the used fields.

use std::collections::BTreeMap;
use std::time::Duration;

use halo_drivers::{Label, Recorded, RecordedSlice, Step};
use halo_runtime::run_observer::{Part, Work};
use prost::Message;

/// The name of the plane, whose prefix the viewers of XLA's profiles expect of devices.
const PLANE: &str = "/device:CUSTOM:Halo";

/// `tensorflow.profiler.XSpace`: a profile.
#[derive(Clone, PartialEq, Message)]
pub struct Space {
    #[prost(message, repeated, tag = "1")]
    pub planes: Vec<Plane>,
    #[prost(string, repeated, tag = "3")]
    pub warnings: Vec<String>,
}

/// `tensorflow.profiler.XPlane`: a group of tracks. Events and statistics have numbered names.
#[derive(Clone, PartialEq, Message)]
pub struct Plane {
    #[prost(string, tag = "2")]
    pub name: String,
    #[prost(message, repeated, tag = "3")]
    pub lines: Vec<Line>,
    #[prost(btree_map = "int64, message", tag = "4")]
    pub event_metadata: BTreeMap<i64, Metadata>,
    #[prost(btree_map = "int64, message", tag = "5")]
    pub stat_metadata: BTreeMap<i64, Metadata>,
}

/// `tensorflow.profiler.XLine`: the track of a thread.
#[derive(Clone, PartialEq, Message)]
pub struct Line {
    #[prost(int64, tag = "1")]
    pub id: i64,
    #[prost(string, tag = "2")]
    pub name: String,
    /// The time since 1970 that its events are relative to.
    #[prost(int64, tag = "3")]
    pub timestamp_ns: i64,
    #[prost(message, repeated, tag = "4")]
    pub events: Vec<Event>,
}

/// `tensorflow.profiler.XEvent`: a slice of time.
#[derive(Clone, PartialEq, Message)]
pub struct Event {
    #[prost(int64, tag = "1")]
    pub metadata_id: i64,
    #[prost(int64, tag = "2")]
    pub offset_ps: i64,
    #[prost(int64, tag = "3")]
    pub duration_ps: i64,
    #[prost(message, repeated, tag = "4")]
    pub stats: Vec<Stat>,
}

/// `tensorflow.profiler.XStat`: a property of an event.
#[derive(Clone, PartialEq, Message)]
pub struct Stat {
    #[prost(int64, tag = "1")]
    pub metadata_id: i64,
    #[prost(oneof = "Value", tags = "4, 5")]
    pub value: Option<Value>,
}

/// The value of a statistic.
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Value {
    #[prost(int64, tag = "4")]
    Integer(i64),
    #[prost(string, tag = "5")]
    Text(String),
}

/// `tensorflow.profiler.XEventMetadata` and `XStatMetadata`: a numbered name.
#[derive(Clone, PartialEq, Message)]
pub struct Metadata {
    #[prost(int64, tag = "1")]
    pub id: i64,
    #[prost(string, tag = "2")]
    pub name: String,
}

/// Numbers of names, from 1.
#[derive(Default)]
struct Names(BTreeMap<String, i64>);

impl Names {
    fn number(&mut self, name: &str) -> i64 {
        let next = self.0.len() as i64 + 1;
        *self.0.entry(name.to_owned()).or_insert(next)
    }

    fn metadata(self) -> BTreeMap<i64, Metadata> {
        let entries = self.0.into_iter();
        entries.map(|(name, id)| (id, Metadata { id, name })).collect()
    }
}

/// The profile of a recording that began at a time since 1970.
pub fn of(recorded: &Recorded, start: Duration) -> Space {
    let (mut events, mut stats) = (Names::default(), Names::default());
    let threads = recorded.threads.iter().enumerate();
    let mut lines: Vec<Line> = threads
        .map(|(thread, name)| Line {
            id: thread as i64,
            name: name.clone(),
            timestamp_ns: start.as_nanos() as i64,
            events: Vec::new(),
        })
        .collect();
    for slice in &recorded.slices {
        let event = Event {
            metadata_id: events.number(name(&slice.label)),
            offset_ps: picoseconds(slice.start),
            duration_ps: picoseconds(slice.end.saturating_sub(slice.start)),
            stats: properties(slice)
                .into_iter()
                .map(|(name, value)| Stat {
                    metadata_id: stats.number(name),
                    value: Some(value),
                })
                .collect(),
        };
        if let Some(line) = lines.get_mut(slice.thread) {
            line.events.push(event);
        }
    }
    let left_out = recorded.left_out;
    let warning = format!("{left_out} events of Halo were measured and left out");
    Space {
        planes: vec![Plane {
            name: PLANE.to_owned(),
            lines,
            event_metadata: events.metadata(),
            stat_metadata: stats.metadata(),
        }],
        warnings: (left_out > 0).then_some(warning).into_iter().collect(),
    }
}

fn name(label: &Label) -> &str {
    match label {
        Label::Step(_, name) => name,
        Label::Site(_, Part::Wait) => "wait",
        Label::Site(site, _) => &site.name,
    }
}

/// The names that the viewers have for sources and bytes.
fn properties(slice: &RecordedSlice) -> Vec<(&'static str, Value)> {
    let mut properties = Vec::new();
    let kind = match &slice.label {
        Label::Step(Step::Compile, _) => "compile",
        Label::Step(Step::Run, _) => "run",
        Label::Step(Step::Transfer(_), _) => "transfer",
        Label::Step(Step::Tool, _) => "tool",
        Label::Site(_, Part::Wait) => "wait",
        Label::Site(_, Part::Task { .. }) => "task",
        Label::Site(site, Part::Whole) => match site.work {
            Work::Kernel => "kernel",
            Work::Copy => "copy",
            Work::CustomCall => "call",
        },
    };
    properties.push(("kind", Value::Text(kind.to_owned())));
    if let Label::Site(site, part) = &slice.label {
        if !site.location.is_empty() {
            properties.push(("source", Value::Text(site.location.clone())));
        }
        match (part, site.bytes) {
            (Part::Whole, Some(bytes)) => {
                properties.push(("bytes_accessed", Value::Integer(bytes as i64)));
            }
            (Part::Task { begin, end }, _) => {
                properties.push(("begin", Value::Integer(*begin)));
                properties.push(("end", Value::Integer(*end)));
            }
            _ => {}
        }
    }
    if slice.has_failed {
        properties.push(("failed", Value::Integer(1)));
    }
    properties
}

fn picoseconds(time: Duration) -> i64 {
    i64::try_from(time.as_nanos() * 1000).unwrap_or(i64::MAX)
}
