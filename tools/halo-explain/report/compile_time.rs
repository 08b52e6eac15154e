//! Where the time of the compilation went.

use super::format;
use halo_runtime::compilation_record::CompilationRecord;

/// How many passes and parts of machine code are listed, the slowest ones.
const LISTED: usize = 60;

pub struct CompileTime {
    pub all: String,
    pub phases: Vec<Bar>,
    /// The passes by name, each with all of its runs.
    pub names: Vec<Bar>,
    pub more_names: usize,
    pub passes: Vec<Bar>,
    pub more_passes: usize,
    pub code: Vec<Bar>,
    pub more_code: usize,
    pub code_bytes: String,
}

pub struct Bar {
    pub name: String,
    /// The phase of a pass.
    pub of: String,
    /// The step that the bar links to.
    pub step: Option<usize>,
    pub time: String,
    pub share: String,
    /// From 0 to 100.
    pub length: String,
}

/// The time of a compilation, or, of one that failed, at least that of its passes.
pub fn total(record: &CompilationRecord) -> f64 {
    let in_passes: f64 = record.steps.iter().map(|step| step.seconds).sum();
    record.seconds.max(in_passes)
}

/// The passes by name without options: how often each ran, its first step, and its time.
fn by_name(record: &CompilationRecord) -> Vec<(&str, usize, usize, f64)> {
    let mut names: Vec<(&str, usize, usize, f64)> = Vec::new();
    let steps = record.steps.iter().enumerate();
    for (number, step) in steps.filter(|(_, step)| !step.pass.is_empty()) {
        let pass = format::pass(&step.pass);
        let name = pass.split('{').next().unwrap_or(pass);
        match names.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, count, _, seconds)) => {
                *count += 1;
                *seconds += step.seconds;
            }
            None => names.push((name, 1, number, step.seconds)),
        }
    }
    names
}

/// The pass that took the most time in all of its runs.
pub fn slowest(record: &CompilationRecord) -> Option<(&str, f64)> {
    let names = by_name(record).into_iter();
    let slowest = names.max_by(|one, other| one.3.total_cmp(&other.3));
    slowest.map(|(name, .., seconds)| (name, seconds))
}

impl CompileTime {
    pub fn new(record: &CompilationRecord) -> Self {
        let mut phases: Vec<(String, String, Option<usize>, f64)> = Vec::new();
        let mut passes = Vec::new();
        for (number, step) in record.steps.iter().enumerate() {
            if step.pass.is_empty() {
                continue;
            }
            match phases.last_mut().filter(|(phase, ..)| *phase == step.phase) {
                Some((.., seconds)) => *seconds += step.seconds,
                None => phases.push((
                    step.phase.clone(),
                    String::new(),
                    Some(number),
                    step.seconds,
                )),
            }
            passes.push((
                format::pass(&step.pass).to_owned(),
                step.phase.clone(),
                Some(number),
                step.seconds,
            ));
        }
        let in_passes: f64 = passes.iter().map(|pass| pass.3).sum();
        let all = total(record);
        let rest = all - in_passes;
        if rest > 0.0 && !phases.is_empty() {
            let name = "outside of passes: reading, machine code, the rest".to_owned();
            phases.push((name, String::new(), None, rest));
        }
        let mut code: Vec<_> = record
            .code_generation
            .iter()
            .map(|part| (part.name.clone(), String::new(), None, part.seconds))
            .collect();
        let by_name = by_name(record).into_iter();
        let mut names: Vec<_> = by_name
            .map(|(name, count, step, seconds)| {
                let of = match count {
                    1 => String::new(),
                    count => format!("{count} times"),
                };
                (name.to_owned(), of, Some(step), seconds)
            })
            .collect();
        names.sort_by(|one, other| other.3.total_cmp(&one.3));
        passes.sort_by(|one, other| other.3.total_cmp(&one.3));
        code.sort_by(|one, other| other.3.total_cmp(&one.3));
        Self {
            all: format::duration(all),
            phases: bars(&phases, all),
            more_names: names.len().saturating_sub(LISTED),
            names: bars(&names[..names.len().min(LISTED)], all),
            more_passes: passes.len().saturating_sub(LISTED),
            passes: bars(&passes[..passes.len().min(LISTED)], all),
            more_code: code.len().saturating_sub(LISTED),
            code: bars(&code[..code.len().min(LISTED)], all),
            code_bytes: record.code_bytes.map(format::size).unwrap_or_default(),
        }
    }
}

fn bars(entries: &[(String, String, Option<usize>, f64)], whole: f64) -> Vec<Bar> {
    let longest = entries.iter().map(|entry| entry.3).fold(1e-12, f64::max);
    let bar = |(name, of, step, seconds): &(String, String, Option<usize>, f64)| Bar {
        name: name.clone(),
        of: of.clone(),
        step: *step,
        time: format::milliseconds(*seconds),
        share: format::share(*seconds, whole),
        length: format!("{:.2}", (seconds / longest * 100.0).clamp(0.0, 100.0)),
    };
    entries.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn the_runs_of_a_pass_are_added_up_by_its_name() {
        let mut record = samples::program(24);
        let times = [
            ("func.func(cse{a=1})", 0.002),
            ("cse", 0.003),
            ("inline", 0.004),
        ];
        record.steps.truncate(4);
        for (step, (pass, seconds)) in record.steps[1..].iter_mut().zip(times) {
            (step.pass, step.seconds) = (pass.to_owned(), seconds);
        }
        let times = CompileTime::new(&record);
        let names: Vec<_> = times
            .names
            .iter()
            .map(|bar| (&bar.name[..], &bar.of[..], &bar.time[..]))
            .collect();
        assert_eq!(
            names,
            [("cse", "2 times", "5.000"), ("inline", "", "4.000")]
        );
        assert_eq!(times.passes.len(), 3);
    }
}
