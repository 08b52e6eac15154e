//! The search for the application that makes a program fail (`--bisect`).
//!
//! First the pass: the smallest number of enabled passes with which the program fails. Passes that
//! cannot be disabled always run. Then the application in it: the smallest limit with which the
//! program fails. A limit of 0 disables the pass, and the number of its applications enables all
//! of it, so both ends of the second search are known.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt::{self, Write as _};
use std::io;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use halo_backend::bisection::{Bisection, Found, FoundApplication};
use halo_runtime::{Error, Result};

/// The enabled part of a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub passes: usize,
    pub applications: u64,
    /// Passes that clean up are enabled in any case.
    pub cleans_up: bool,
}

impl Point {
    /// Everything is enabled.
    pub const WHOLE: Self = Self {
        passes: usize::MAX,
        applications: u64::MAX,
        cleans_up: false,
    };
    /// All optional passes are disabled.
    pub const PLAIN: Self = Self {
        passes: 0,
        ..Self::WHOLE
    };

    /// The passes up to an index.
    pub fn of_pass(self, index: usize) -> Self {
        Self {
            passes: index + 1,
            ..self
        }
    }
}

/// The outcome of a test.
#[derive(Clone, Debug, Default)]
pub struct Tried {
    pub failure: Option<Failure>,
    pub found: Found,
}

/// A failure, and the message about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    pub message: String,
}

/// Failures with the same cause have the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    WrongResult,
    Crash,
    InvalidIr,
    Slow,
    /// The program cannot be compiled or run, with or without the failure.
    Error,
}

/// The application that makes the program fail.
#[derive(Clone, Debug)]
pub struct Culprit {
    /// The place of its pass.
    pub pass: String,
    /// The numbers of the applications, from 1: several if the program cannot be tested with a part
    /// of them.
    pub numbers: RangeInclusive<u64>,
    /// The number of all applications of the pass, if it is known.
    pub count: Option<u64>,
    /// The last of the applications; none if the pass does not count them.
    pub last: Option<FoundApplication>,
    /// The failure with it.
    pub failure: Failure,
    /// The number of tests.
    pub tests: usize,
}

/// Tests of a program, and their number.
struct Search<'a> {
    test: &'a mut dyn FnMut(Point) -> Result<Tried>,
    tests: usize,
    kind: FailureKind,
}

/// The result of a test, for a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Passes,
    Fails,
    /// It fails in another way.
    Unclear,
}

/// Finds the application after which a program fails.
///
/// # Errors
/// Returns an error if the program does not fail, if it fails without optional passes, or if it
/// cannot be tested with a part of the passes.
pub fn search(test: &mut dyn FnMut(Point) -> Result<Tried>) -> Result<Culprit> {
    let whole = test(Point::WHOLE)?;
    let failure = failure_of(&whole)?;
    let mut search = Search {
        test,
        tests: 1,
        kind: failure.kind,
    };
    let mut base = Point::PLAIN;
    let (mut plain, mut verdict) = search.try_at(base)?;
    if verdict == Verdict::Unclear {
        base.cleans_up = true;
        (plain, verdict) = search.try_at(base)?;
    }
    let passes = &plain.found.passes;
    let optional = passes.iter().enumerate().filter(|(_, pass)| pass.is_optional);
    let optional: Vec<usize> = optional.map(|(index, _)| index).collect();
    let index = match verdict {
        _ if optional.is_empty() => {
            return Err(Error::invalid(format!(
                "the backend has no passes that can be disabled: {}",
                failure.message
            )));
        }
        Verdict::Fails => {
            let crashing = match search.kind {
                FailureKind::Crash | FailureKind::InvalidIr => plain.found.running,
                _ => None,
            };
            crashing.ok_or_else(|| {
                Error::invalid(format!(
                    "the program also fails without {} optional passes, so another pass or the \
                     reference is wrong, which halo-opt --check-passes may tell apart: {}",
                    optional.len(),
                    failure.message
                ))
            })?
        }
        Verdict::Passes | Verdict::Unclear => {
            // The number of enabled optional passes.
            let (low, high) = first_failing(optional.len() as u64, |count| {
                let tried = search.try_at(base.of_pass(optional[count as usize - 1]))?;
                Ok(tried.1)
            })?;
            if high - low > 1 || (low == 0 && verdict == Verdict::Unclear) {
                let first = &passes[optional[low as usize]].place;
                let last = &passes[optional[high as usize - 1]].place;
                return Err(Error::invalid(format!(
                    "one of the passes from {first} to {last} is wrong: with a part of them, the \
                     program cannot be tested{}",
                    plain.failure.map_or_else(String::new, |of| format!(": {}", of.message))
                )));
            }
            optional[high as usize - 1]
        }
    };
    search.application_in(&passes[index].place, base.of_pass(index))
}

/// Finds the application in a pass of a known index after which a program fails. The description
/// is of the whole compilation.
///
/// # Errors
/// Returns an error if the program does not fail with the pass.
pub fn application(
    test: &mut dyn FnMut(Point) -> Result<Tried>,
    whole: &Tried,
    index: usize,
) -> Result<Culprit> {
    let search = Search {
        test,
        tests: 1,
        kind: failure_of(whole)?.kind,
    };
    let place = whole.found.passes.get(index).map_or("", |pass| &pass.place);
    search.application_in(place, Point::WHOLE.of_pass(index))
}

/// The failure of a program that is to be bisected.
///
/// # Errors
/// Returns an error if the program does not fail, or cannot be tested.
pub fn failure_of(whole: &Tried) -> Result<Failure> {
    match &whole.failure {
        Some(failure) if failure.kind != FailureKind::Error => Ok(failure.clone()),
        Some(failure) => Err(Error::invalid(failure.message.clone())),
        None => Err(Error::invalid(
            "nothing to bisect: the program does not fail",
        )),
    }
}

impl Search<'_> {
    fn try_at(&mut self, point: Point) -> Result<(Tried, Verdict)> {
        self.tests += 1;
        let tried = (self.test)(point)?;
        let verdict = match &tried.failure {
            None => Verdict::Passes,
            Some(failure) if failure.kind == self.kind => Verdict::Fails,
            Some(_) => Verdict::Unclear,
        };
        tracing::debug!(?point, ?verdict, "bisected");
        Ok((tried, verdict))
    }

    /// Finds the application in a pass, which fails as a whole.
    fn application_in(mut self, place: &str, whole: Point) -> Result<Culprit> {
        let (tried, _) = self.try_at(whole)?;
        let at = |applications: u64| Point {
            applications,
            ..whole
        };
        // A pass that ends the process does not report their number.
        let known = Some(tried.found.applications).filter(|count| *count > 0);
        let mut count = known.unwrap_or(1);
        if known.is_none() {
            while self.try_at(at(count))?.1 != Verdict::Fails && count < 1 << 40 {
                count *= 2;
            }
        }
        let (before, number) = first_failing(count, |count| Ok(self.try_at(at(count))?.1))?;
        let (tried, verdict) = self.try_at(at(number))?;
        let Some(failure) = tried.failure.filter(|_| verdict == Verdict::Fails) else {
            return Err(Error::execution(format!(
                "the failure in pass {place} does not occur each time"
            )));
        };
        Ok(Culprit {
            pass: place.to_owned(),
            numbers: before + 1..=number,
            count: known,
            last: tried.found.last,
            failure,
            tests: self.tests,
        })
    }
}

/// The bounds of the first failing number: the lower one passes, the upper one fails, and those
/// between are unclear. It is known that 0 passes and that `count` fails.
fn first_failing(count: u64, mut test: impl FnMut(u64) -> Result<Verdict>) -> Result<(u64, u64)> {
    let (mut low, mut high) = (0, count);
    let mut unclear = HashSet::new();
    loop {
        let middle = low + (high - low) / 2;
        let untested = (low + 1..high).filter(|number| !unclear.contains(number));
        let Some(number) = untested.min_by_key(|number| number.abs_diff(middle)) else {
            return Ok((low, high));
        };
        match test(number)? {
            Verdict::Passes => low = number,
            Verdict::Fails => high = number,
            Verdict::Unclear => drop(unclear.insert(number)),
        }
    }
}

impl fmt::Display for Culprit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}\npass {}", self.failure.message, self.pass)?;
        let Some(last) = &self.last else {
            return formatter.write_str(", which counts no applications\n");
        };
        let (first, number) = (self.numbers.start(), self.numbers.end());
        let of = self.count.map_or_else(String::new, |count| format!(" of {count}"));
        if first != number {
            return writeln!(
                formatter,
                ", one of the applications {first} to {number}{of}"
            );
        }
        match &last.pattern {
            Some(pattern) => write!(formatter, ", pattern {pattern}")?,
            None => formatter.write_str(", outside of patterns")?,
        }
        let (op, location, change) = (&last.op, &last.location, change(last));
        write!(
            formatter,
            ", application {number}{of}, op '{op}' at {location}\n{change}"
        )
    }
}

/// The lines around a change.
const CONTEXT: usize = 3;

/// The IR before and after an application, in the format of a diff with one hunk. Numbers of values
/// do not count as changes.
fn change(application: &FoundApplication) -> String {
    let before: Vec<&str> = application.before.lines().collect();
    let after: Vec<&str> = application.after.lines().collect();
    if after.is_empty() || after == before {
        return listed(' ', &before);
    }
    let (mut start, mut end) = equal_ends(&before, &after, without_numbers);
    if start == before.len() && start == after.len() {
        (start, end) = equal_ends(&before, &after, str::to_owned);
    }
    let first = start.saturating_sub(CONTEXT);
    let last = (after.len() - end + CONTEXT).min(after.len());
    [
        listed(' ', &before[first..start]),
        listed('-', &before[start..before.len() - end]),
        listed('+', &after[start..after.len() - end]),
        listed(' ', &after[after.len() - end..last]),
    ]
    .concat()
}

/// The numbers of equal lines at the start and at the end.
fn equal_ends(before: &[&str], after: &[&str], normal: fn(&str) -> String) -> (usize, usize) {
    let is_equal = |(one, other): &(&&str, &&str)| normal(one) == normal(other);
    let start = before.iter().zip(after).take_while(is_equal).count();
    let (before, after) = (&before[start..], &after[start..]);
    let ends = before.iter().rev().zip(after.iter().rev());
    (start, ends.take_while(is_equal).count())
}

fn listed(mark: char, lines: &[&str]) -> String {
    lines.iter().fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{mark}{line}");
        text
    })
}

/// A line of IR without the numbers of values.
fn without_numbers(line: &str) -> String {
    let mut text = String::new();
    for (position, part) in line.split('%').enumerate() {
        if position > 0 {
            text.push('%');
        }
        let numbered = if position > 0 { part } else { "" };
        let digits = numbered.find(|letter: char| !letter.is_ascii_digit());
        text.push_str(&part[digits.unwrap_or(numbered.len())..]);
    }
    text
}

/// A test in a separate process, which may crash: this tool with other arguments.
pub struct Child<'a> {
    pub arguments: &'a [OsString],
    /// The file that it describes its passes in, for `--bisect-at`.
    pub file: PathBuf,
}

impl Child<'_> {
    /// Runs the test.
    ///
    /// # Errors
    /// Returns an error if no process can be started, or it does not report its passes.
    pub fn test(&self, point: Point) -> Result<Tried> {
        let Point {
            passes,
            applications,
            cleans_up,
        } = point;
        let failed = |error: io::Error| Error::execution(format!("--bisect: {error}"));
        let _ = std::fs::remove_file(&self.file);
        let mut command = Command::new(std::env::current_exe().map_err(failed)?);
        let output = command
            .arg(format!(
                "--bisect-at={passes}:{applications}:{cleans_up}:{}",
                self.file.display()
            ))
            .args(self.arguments)
            .env("HALO_REPRODUCER_DIR", "")
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .output()
            .map_err(failed)?;
        let message = String::from_utf8_lossy(&output.stderr);
        let kind = kind(output.status.code(), &message);
        let found = std::fs::read(&self.file).unwrap_or_default();
        Ok(Tried {
            failure: kind.map(|kind| Failure {
                kind,
                message: telling(&message),
            }),
            found: serde_json::from_slice(&found).unwrap_or_default(),
        })
    }
}

/// Parses the value of `--bisect-at`: `PASSES:APPLICATIONS:CLEANS_UP:FILE`.
///
/// # Errors
/// Returns an error if it has another form.
pub fn bisection(text: &str) -> Result<Arc<Bisection>, String> {
    let mut parts = text.splitn(4, ':');
    let mut next = || parts.next().ok_or("expected PASSES:APPLICATIONS:CLEANS_UP:FILE");
    let number = |error: std::num::ParseIntError| error.to_string();
    let passes = next()?.parse().map_err(number)?;
    let applications = next()?.parse().map_err(number)?;
    let cleans_up = next()? == "true";
    let file = PathBuf::from(next()?);
    let report = move |found: &Found| {
        // The parent reports a missing file.
        let _ = serde_json::to_vec(found).map(|text| std::fs::write(&file, text));
    };
    Ok(Arc::new(Bisection::new(
        passes,
        applications,
        cleans_up,
        report,
    )))
}

/// The kind of failure of a tool with an exit code and a text on standard error.
fn kind(code: Option<i32>, message: &str) -> Option<FailureKind> {
    let says = |text: &str| message.contains(text);
    match code {
        Some(0) => None,
        None => Some(FailureKind::Crash),
        Some(_) if says("left invalid IR") => Some(FailureKind::InvalidIr),
        Some(_) if says("internal error") || says("panicked at") => Some(FailureKind::Crash),
        Some(_) if says("error: result ") || says(" changes result ") => {
            Some(FailureKind::WrongResult)
        }
        Some(_) => Some(FailureKind::Error),
    }
}

/// The line of standard error with the reason.
fn telling(message: &str) -> String {
    let mut lines = message
        .lines()
        .filter(|line| line.contains("error: ") || line.contains("ERROR"));
    let found = lines.next_back().or_else(|| message.lines().next_back());
    let line = found.unwrap_or("the process ended by a signal").trim();
    // An error without a location begins with the tool.
    let parts = line.split_once(": error: ").filter(|(tool, _)| !tool.contains(['.', ':']));
    parts.map_or(line, |(_, text)| text).to_owned()
}

#[cfg(test)]
#[path = "bisect_tests.rs"]
mod tests;
