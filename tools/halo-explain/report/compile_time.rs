//! Where the time of the compilation went.

use super::{code_times::CodeTimes, format, groups::Group, limits};
use halo_runtime::compilation_record::{CodeGeneration, CompilationRecord};

/// How many passes and parts of machine code are listed, the slowest ones.
const LISTED: usize = 300;

/// A name, what it is of, the address that it links to, and seconds.
type Entry = (String, String, String, f64);

/// The address of a step.
fn page(step: usize) -> String {
    format!("ir/{step}")
}

pub struct CompileTime {
    pub all: String,
    pub phases: Vec<Bar>,
    /// What is in the times of passes, and what is in no time.
    pub notes: Vec<String>,
    /// The passes by name, each with all of its runs.
    pub names: Vec<Bar>,
    pub more_names: usize,
    pub passes: Vec<Bar>,
    pub more_passes: usize,
    /// What the threads that made the machine code did, and a sentence about their time.
    pub of_threads: Vec<Bar>,
    pub threads: String,
    /// What each kernel took of the time of LLVM.
    pub kernels: Vec<Bar>,
    pub more_kernels: usize,
    pub code: Vec<Bar>,
    pub more_code: usize,
    pub code_bytes: String,
}

pub struct Bar {
    pub name: String,
    /// The phase of a pass.
    pub of: String,
    /// The address that the bar links to; empty if there is none.
    pub page: String,
    pub time: String,
    pub share: String,
    /// From 0 to 100.
    pub length: String,
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

/// How many passes ran, those that ran several times once.
pub fn passes(record: &CompilationRecord) -> usize {
    by_name(record).len()
}

impl CompileTime {
    pub fn new(record: &CompilationRecord, groups: &[Group]) -> Self {
        let mut phases: Vec<Entry> = Vec::new();
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
                    page(number),
                    step.seconds,
                )),
            }
            passes.push((
                format::pass(&step.pass).to_owned(),
                step.phase.clone(),
                page(number),
                step.seconds,
            ));
        }
        let all = record.seconds();
        let phases = all_phases(record, phases);
        let of_threads = OfThreads::new(record);
        let mut code: Vec<_> = record
            .code_generation
            .iter()
            .map(|part| entry(&part.name, "", part.seconds))
            .collect();
        let by_name = by_name(record).into_iter();
        let mut names: Vec<_> = by_name
            .map(|(name, count, step, seconds)| {
                let of = match count {
                    1 => String::new(),
                    count => format!("{count} times"),
                };
                (name.to_owned(), of, page(step), seconds)
            })
            .collect();
        names.sort_by(|one, other| other.3.total_cmp(&one.3));
        passes.sort_by(|one, other| other.3.total_cmp(&one.3));
        code.sort_by(|one, other| other.3.total_cmp(&one.3));
        let kernels = of_kernels(record, groups);
        let llvm = kernels.iter().map(|(.., seconds)| seconds).sum();
        Self {
            all: format::duration(all),
            phases: bars(&phases, all),
            notes: notes(record),
            more_names: names.len().saturating_sub(LISTED),
            names: bars(&names[..names.len().min(LISTED)], all),
            more_passes: passes.len().saturating_sub(LISTED),
            passes: bars(&passes[..passes.len().min(LISTED)], all),
            more_kernels: kernels.len().saturating_sub(LISTED),
            kernels: bars_of_kernels(&kernels[..kernels.len().min(LISTED)], llvm),
            more_code: code.len().saturating_sub(LISTED),
            threads: of_threads.sentence,
            of_threads: bars(&of_threads.parts, of_threads.seconds),
            code: bars(&code[..code.len().min(LISTED)], llvm),
            code_bytes: record.code_bytes.map(format::size).unwrap_or_default(),
        }
    }
}

impl CompileTime {
    /// What its lists leave out.
    pub fn left_out(&self) -> Vec<String> {
        let lists = [
            (self.more_names, "faster passes"),
            (self.more_passes, "faster runs of passes"),
            (self.more_kernels, "faster kernels"),
            (self.more_code, "faster parts of machine code"),
        ];
        limits::ends_of_lists("Compile time", lists)
    }
}

/// The phases with what is no pass before, between and behind them, which is the whole time.
fn all_phases(record: &CompilationRecord, phases: Vec<Entry>) -> Vec<Entry> {
    let times = &record.times;
    let reading = record.steps.first().filter(|step| step.pass.is_empty());
    let reading = reading.map_or(0.0, |step| step.seconds);
    let threads = match times.machine_code_threads {
        0 => String::new(),
        threads => format!(
            "by {} at the same time",
            format::plural(threads as usize, "thread")
        ),
    };
    let mut all = vec![entry("reading the program", "", reading)];
    all.extend(phases);
    let behind = [
        (
            "between passes",
            "checks and data for the runtime",
            times.between_passes,
        ),
        ("machine code", &threads[..], times.machine_code),
        ("linking and loading", "of the machine code", times.loading),
    ];
    all.extend(behind.map(|(name, of, seconds)| entry(name, of, seconds)));
    let told: f64 = all.iter().map(|(.., seconds)| seconds).sum();
    let rest = record.seconds() - told;
    all.push(entry("the rest", "such as making the executable", rest));
    all.retain(|(.., seconds)| *seconds > 0.0);
    all
}

/// The kernels and the code that calls them, the slowest first: the time of LLVM.
fn of_kernels(record: &CompilationRecord, groups: &[Group]) -> Vec<Entry> {
    let times = CodeTimes::of(record);
    let known = record.kernels.iter().zip(&times.kernels);
    let known = known.filter_map(|(kernel, seconds)| {
        let is_it = |(_, group): &(usize, &Group)| group.sum.name == kernel.name;
        let page = groups.iter().enumerate().find(is_it);
        let page = page.map(|(number, group)| group.page(number));
        let name = kernel.name.clone();
        Some((name, String::new(), page.unwrap_or_default(), (*seconds)?))
    });
    let mut all: Vec<Entry> = known.collect();
    if times.callers > 0.0 {
        all.push(entry("(callers)", "", times.callers));
    }
    all.sort_by(|one, other| other.3.total_cmp(&one.3));
    all
}

fn entry(name: &str, of: &str, seconds: f64) -> Entry {
    (name.to_owned(), of.to_owned(), String::new(), seconds)
}

fn notes(record: &CompilationRecord) -> Vec<String> {
    let times = &record.times;
    let mut notes = Vec::new();
    if times.verification > 0.0 {
        let share = format::share(times.verification, record.seconds());
        notes.push(format!(
            "In the times of passes are {}, {share} of the compilation, of the verifier, which checks the program after each pass here, and after several together where no report is made.",
            format::duration(times.verification)
        ));
    }
    if times.unrecorded > 0.0 {
        notes.push(format!(
            "Without a report, the same compilation took {}: the verifier checks less often, passes give no reasons, and kernels are not made visible to profiles.",
            format::duration(times.unrecorded)
        ));
    }
    if times.recording > 0.0 {
        notes.push(format!(
            "Writing down what happened took another {}, which is in no time here: IR of each pass, and assembly to be read.",
            format::duration(times.recording)
        ));
    }
    notes
}

/// What the threads that make machine code do, summed over them.
struct OfThreads {
    sentence: String,
    parts: Vec<Entry>,
    seconds: f64,
}

impl OfThreads {
    fn new(record: &CompilationRecord) -> Self {
        let parts = record.code_generation.iter();
        let sum = |of: fn(&CodeGeneration) -> f64| parts.clone().map(of).sum::<f64>();
        let llvm = sum(|part| part.seconds);
        let passes = sum(|part| part.passes_seconds);
        let translation = sum(|part| part.translation_seconds);
        let wall = record.times.machine_code;
        let threads = record.times.machine_code_threads;
        let all = (wall * f64::from(threads)).max(llvm + translation);
        let mut parts = vec![
            entry("translation to LLVM IR", "on one thread", translation),
            entry("LLVM's passes", "", passes),
            entry("LLVM's code generator", "", llvm - passes),
            entry(
                "no part to compile",
                "dividing the program, and waiting for others",
                all - llvm - translation,
            ),
        ];
        parts.retain(|(.., seconds)| *seconds > 0.0);
        let sentence = match threads {
            0 => String::new(),
            1 => format!("One thread made it, in {}.", format::duration(wall)),
            _ => format!(
                "{threads} threads made it at the same time, in {} by the clock: their times add up to {}, which the shares are of.",
                format::duration(wall),
                format::duration(all)
            ),
        };
        Self {
            sentence,
            parts,
            seconds: all,
        }
    }
}

fn parts(entries: &[Entry], whole: f64) -> Vec<f64> {
    entries.iter().map(|it| it.3 / whole.max(1e-12)).collect()
}

/// Bars whose shares add up.
fn bars(entries: &[Entry], whole: f64) -> Vec<Bar> {
    let parts = parts(entries, whole);
    let shares = format::apportioned(&parts, format::tenths(parts.iter().sum()));
    bars_of(entries, shares)
}

/// Bars of kernels, of which many took the same time: these have the same share.
fn bars_of_kernels(entries: &[Entry], whole: f64) -> Vec<Bar> {
    let shares = parts(entries, whole).into_iter().map(format::tenths);
    bars_of(entries, shares.collect())
}

fn bars_of(entries: &[Entry], shares: Vec<i64>) -> Vec<Bar> {
    let longest = entries.iter().map(|entry| entry.3).fold(1e-12, f64::max);
    let bar = |((name, of, page, seconds), share): (&Entry, i64)| Bar {
        name: name.clone(),
        of: of.clone(),
        page: page.clone(),
        time: format::milliseconds(*seconds),
        share: format::percent(share),
        length: format!("{:.2}", (seconds / longest * 100.0).clamp(0.0, 100.0)),
    };
    entries.iter().zip(shares).map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{groups, rows, samples};
    use super::*;
    use halo_runtime::compilation_record::Times;

    /// The seconds of bars.
    fn sum(bars: &[Bar]) -> f64 {
        let times = bars.iter().map(|bar| bar.time.parse::<f64>().unwrap());
        times.sum::<f64>() / 1e3
    }

    #[test]
    fn all_time_is_divided_by_the_clock_and_over_threads() {
        let mut record = samples::program(24);
        record.times = Times {
            between_passes: 0.003,
            verification: 0.001,
            machine_code: 0.020,
            machine_code_threads: 2,
            loading: 0.004,
            recording: 0.5,
            whole: 0.0,
            unrecorded: 0.025,
        };
        let passes: f64 = record.steps.iter().map(|step| step.seconds).sum();
        record.times.whole = passes + 0.527 + 0.002;
        let times = CompileTime::new(&record, &groups::groups(&rows::rows(&record)));
        assert!((sum(&times.phases) - record.seconds()).abs() < 1e-5);
        assert!((record.seconds() - passes - 0.029).abs() < 1e-9);
        let last: Vec<_> = times.phases.iter().rev().take(4).collect();
        let last = last.iter().map(|bar| (&bar.name[..], &bar.time[..]));
        assert_eq!(
            last.collect::<Vec<_>>(),
            [
                ("the rest", "2.000"),
                ("linking and loading", "4.000"),
                ("machine code", "20.000"),
                ("between passes", "3.000"),
            ]
        );
        // Two threads, 20 ms each.
        assert!((sum(&times.of_threads) - 0.040).abs() < 1e-5);
        assert!(
            times
                .threads
                .contains("in 20.000 ms by the clock: their times add up to 40.000 ms")
        );
        assert_eq!(times.of_threads.len(), 4);
        assert!(times.notes[1].contains("the same compilation took 25.000 ms:"));
        assert!(times.notes[2].contains("another 500.000 ms"));
    }

    #[test]
    fn kernels_and_callers_take_what_llvm_takes() {
        let mut record = samples::program(24);
        record.code_generation[1].name += ", callers";
        record.code_generation[1].seconds += 0.05;
        record.code_bytes = None;
        let times = CompileTime::new(&record, &groups::groups(&rows::rows(&record)));
        let [first, second] = &times.kernels[..2] else {
            panic!("{}", times.kernels.len());
        };
        assert_eq!((&first.name[..], &first.page[..]), ("(callers)", ""));
        assert!(second.page.starts_with("kernel/"), "{}", second.page);
        assert!((sum(&times.kernels) - sum(&times.code)).abs() < 1e-5);
    }

    #[test]
    fn kernels_of_the_same_time_have_the_same_share() {
        let entries = ["a", "b", "c", "d"].map(|name| entry(name, "", 0.6));
        let shares = bars_of_kernels(&entries[..3], 110.0);
        let shares: Vec<&str> = shares.iter().map(|bar| &bar.share[..]).collect();
        assert_eq!(shares, ["0.5%"; 3]);
        // Others add up, here to 2.2%.
        let shares = bars(&entries, 110.0);
        let shares: Vec<&str> = shares.iter().map(|bar| &bar.share[..]).collect();
        assert_eq!(shares, ["0.6%", "0.6%", "0.5%", "0.5%"]);
    }

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
        let times = CompileTime::new(&record, &groups::groups(&rows::rows(&record)));
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
        assert!(times.left_out().is_empty());
        let times = CompileTime {
            more_passes: 12,
            ..times
        };
        assert_eq!(
            times.left_out(),
            ["Compile time: 12 faster runs of passes are not listed."]
        );
    }
}
