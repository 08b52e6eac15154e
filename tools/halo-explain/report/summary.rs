//! The facts about the compilation and the run.

use super::format;
use crate::record::CompilationRecord;

pub struct Summary {
    pub facts: Vec<(&'static str, String)>,
}

impl Summary {
    pub fn new(record: &CompilationRecord) -> Self {
        let mut facts = vec![
            ("program", format::plain(&record.program)),
            ("entry", record.signature.clone()),
            ("backend", record.backend.clone()),
            ("target", record.target.clone()),
            ("halo", record.halo.clone()),
            ("run", run(record)),
            ("compilation", compilation(record)),
            ("memory", memory(record)),
        ];
        if record.threads > 0 {
            facts.push(("threads", record.threads.to_string()));
        }
        if let Some(bytes) = record.code_bytes {
            facts.push(("machine code", format::size(bytes)));
        }
        facts.retain(|(_, value)| !value.is_empty());
        Self { facts }
    }
}

/// The times of the runs.
fn run(record: &CompilationRecord) -> String {
    let Some(run) = &record.run else {
        return String::new();
    };
    let mut times = run.runs.clone();
    times.sort_by(f64::total_cmp);
    let (Some(first), Some(last)) = (times.first(), times.last()) else {
        return String::new();
    };
    let [first, median, last] = [*first, times[times.len() / 2], *last].map(format::duration);
    let runs = format::plural(times.len(), "run");
    format!("{first} fastest, {median} median, {last} slowest of {runs}")
}

/// The times of the compilation.
fn compilation(record: &CompilationRecord) -> String {
    let passes: f64 = record.steps.iter().map(|step| step.seconds).sum();
    let times = record.times;
    let parts = [
        ("passes", passes),
        ("between passes", times.between_passes),
        ("machine code", times.machine_code),
        ("loading", times.loading),
    ];
    let parts = parts.iter().filter(|(_, seconds)| *seconds > 0.0);
    let parts = parts.map(|(name, seconds)| format!("{name} {}", format::duration(*seconds)));
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() {
        return String::new();
    }
    let all = format::duration(record.seconds());
    let recording = format::duration(times.recording);
    let parts = parts.join(", ");
    format!("{all} ({parts}), and {recording} for this report")
}

fn memory(record: &CompilationRecord) -> String {
    let arena = record.arena.as_ref().map_or(0, |arena| arena.bytes);
    let parts = [
        ("arguments", record.argument_bytes),
        ("results", record.result_bytes),
        ("temporaries", arena),
    ];
    let parts = parts.iter().filter(|(_, bytes)| *bytes > 0);
    let parts = parts.map(|(name, bytes)| format!("{name} {}", format::size(*bytes)));
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn facts_have_times_and_sizes() {
        let summary = Summary::new(&samples::program());
        let fact = |name: &str| {
            let mut facts = summary.facts.iter();
            let fact = facts.find(|(known, _)| *known == name);
            fact.map_or("", |(_, value)| value)
        };
        assert_eq!(
            fact("run"),
            "3.000 ms fastest, 5.000 ms median, 5.000 ms slowest of 2 runs"
        );
        assert_eq!(
            fact("compilation"),
            "6.000 ms (passes 4.000 ms, machine code 2.000 ms), and 1.000 ms for this report"
        );
        assert_eq!(fact("memory"), "arguments 1.00 kB, temporaries 3.00 kB");
        assert_eq!(fact("target"), "");
    }
}
