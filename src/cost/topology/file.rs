//! Topologies in TOML. Errors have their location in the file.

use super::{Algorithms, Device, Level, Shape, Shared, Topology};
use halo_core::{Diagnostic, Position};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    device: DeviceKeys,
    level: Spanned<Vec<LevelKeys>>,
    #[serde(default = "own_transport")]
    algorithms: Algorithms,
    #[serde(default = "yes")]
    overlap: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeviceKeys {
    flops: Spanned<f64>,
    #[serde(default)]
    flops_by_type: BTreeMap<String, Spanned<f64>>,
    transcendentals: Option<Spanned<f64>>,
    bandwidth: Spanned<f64>,
    memory: Option<Spanned<f64>>,
    overhead: Option<Spanned<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelKeys {
    name: String,
    size: Spanned<i64>,
    #[serde(default)]
    shape: Shape,
    latency: Spanned<f64>,
    overhead: Option<Spanned<f64>>,
    bandwidth: Spanned<f64>,
    shared: Option<SharedKeys>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SharedKeys {
    flops: Spanned<f64>,
    bandwidth: Spanned<f64>,
    processors: Spanned<i64>,
    slice: Option<Spanned<f64>>,
}

fn own_transport() -> Algorithms {
    Algorithms::Halo
}

fn yes() -> bool {
    true
}

/// An error message and its byte range.
type Wrong = (String, Range<usize>);

/// The default number of operations of an elementary function.
const OPERATIONS_OF_FUNCTION: f64 = 16.0;

impl Topology {
    /// Parses a topology.
    ///
    /// # Errors
    /// Returns a diagnostic at its position in the file.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, Diagnostic> {
        let error_at = |byte, message| Diagnostic::new(position(name, bytes, byte), message);
        let text = std::str::from_utf8(bytes).map_err(|error| {
            error_at(error.valid_up_to(), "input is not valid UTF-8".to_owned())
        })?;
        let read = toml::from_str::<File>(text)
            .map_err(|error| {
                let message = error.message().replace('\n', "; ");
                (message, error.span().unwrap_or(0..0))
            })
            .and_then(File::topology);
        read.map_err(|(message, span)| error_at(span.start, message))
    }
}

/// The position of a byte in a file.
fn position(file: &str, bytes: &[u8], at: usize) -> Position {
    let before = &bytes[..at.min(bytes.len())];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before.iter().rposition(|byte| *byte == b'\n');
    let start = start.map_or(0, |end| end + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    Position::new(file, line, column)
}

/// A number that must be greater than zero.
fn positive(name: &str, number: &Spanned<f64>) -> Result<f64, Wrong> {
    let value = *number.get_ref();
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err((
            format!("'{name}' is {value}, but must be greater than zero"),
            number.span(),
        ))
    }
}

/// A time in seconds.
fn seconds(name: &str, number: &Spanned<f64>) -> Result<f64, Wrong> {
    let value = *number.get_ref();
    if value >= 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err((
            format!("'{name}' is {value}, but must be a time in seconds"),
            number.span(),
        ))
    }
}

fn count(name: &str, number: &Spanned<i64>) -> Result<usize, Wrong> {
    let value = *number.get_ref();
    let count = usize::try_from(value).ok();
    count.filter(|count| (1..=1 << 30).contains(count)).ok_or_else(|| {
        (
            format!("'{name}' is {value}, but must be between 1 and {}", 1 << 30),
            number.span(),
        )
    })
}

impl File {
    fn topology(self) -> Result<Topology, Wrong> {
        let span = self.level.span();
        let levels = self.level.into_inner().into_iter().map(LevelKeys::level);
        let levels: Vec<Level> = levels.collect::<Result<_, _>>()?;
        if levels.is_empty() {
            return Err(("there must be one [[level]] or more".to_owned(), span));
        }
        Ok(Topology {
            device: self.device.device()?,
            levels,
            algorithms: self.algorithms,
            overlap: self.overlap,
        })
    }
}

impl DeviceKeys {
    fn device(self) -> Result<Device, Wrong> {
        let flops = positive("flops", &self.flops)?;
        let by_type = self.flops_by_type.iter();
        let by_type = by_type.map(|(name, flops)| Ok((name.clone(), positive(name, flops)?)));
        let functions = self.transcendentals.as_ref();
        let functions = functions.map(|rate| positive("transcendentals", rate));
        let memory = self.memory.as_ref();
        let memory = memory.map(|bytes| positive("memory", bytes)).transpose()?;
        let overhead = self.overhead.as_ref();
        Ok(Device {
            flops,
            flops_by_type: by_type.collect::<Result<_, Wrong>>()?,
            transcendentals: functions.unwrap_or(Ok(flops / OPERATIONS_OF_FUNCTION))?,
            bandwidth: positive("bandwidth", &self.bandwidth)?,
            memory: memory.map(|bytes| bytes as u64),
            overhead: overhead.map_or(Ok(0.0), |time| seconds("overhead", time))?,
        })
    }
}

impl LevelKeys {
    fn level(self) -> Result<Level, Wrong> {
        let latency = seconds("latency", &self.latency)?;
        let overhead = self.overhead.as_ref();
        let shared = self.shared.as_ref().map(SharedKeys::shared);
        Ok(Level {
            size: count("size", &self.size)?,
            shape: self.shape,
            latency,
            overhead: overhead.map_or(Ok(0.0), |time| seconds("overhead", time))?,
            bandwidth: positive("bandwidth", &self.bandwidth)?,
            shared: shared.transpose()?,
            name: self.name,
        })
    }
}

impl SharedKeys {
    fn shared(&self) -> Result<Shared, Wrong> {
        let slice = self.slice.as_ref();
        Ok(Shared {
            flops: positive("flops", &self.flops)?,
            bandwidth: positive("bandwidth", &self.bandwidth)?,
            processors: count("processors", &self.processors)?,
            slice: slice.map_or(Ok(0.0), |time| seconds("slice", time))?,
        })
    }
}
