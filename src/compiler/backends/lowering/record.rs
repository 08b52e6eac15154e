//! Fills the [`CompilationRecord`] that a compilation keeps of itself.
//!
//! A compilation that is recorded runs its passes one by one. Ops have numbers in their
//! locations ([`stamps`]), first as they were read, then those of the entry behind the phase
//! `hlo`; what a line of IR, a kernel, a buffer or a remark was made of follows from these. The
//! code is the same as without a record.

mod arena;
mod call_buffers;
mod calls;
mod graph;
mod stamps;
mod texts;

use crate::pipelines::common::{HLO, KERNELS};
use halo_ir::{
    Operation, collect_operations,
    diagnostics::{Remarked, file_line_column, with_remarks},
    name_of,
    ops::{OperationExt, func},
};
use halo_runtime::{
    CompileOptions, Program, Result,
    compilation_record::{
        CompilationRecord, FunctionText, Recorder, Remark, RemarkNote, SourceOp, Step, VERSION,
        kernel_of_symbol,
    },
};
use melior::{Context, ir::operation::OperationLike};
use stamps::Stamp;
use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};
use texts::Texts;

/// A longer text is not kept as the source of a program.
const MOST_SOURCE: usize = 16 << 20;

/// A record in the making.
///
/// [`Times::whole`] is known when it is dropped, with the lowering.
///
/// [`Times::whole`]: halo_runtime::compilation_record::Times::whole
pub struct Recording {
    recorder: Recorder,
    /// When the compilation began.
    start: Instant,
    texts: Texts,
    /// Whether the ops of the entry have their numbers.
    has_nodes: bool,
}

impl Recording {
    /// Begins a record, if the options have one.
    pub fn of(options: &CompileOptions, start: Instant) -> Option<Self> {
        let recorder = options.record.clone()?;
        *recorder.record() = CompilationRecord {
            version: VERSION,
            halo: env!("CARGO_PKG_VERSION").to_owned(),
            threads: u32::try_from(options.thread_count().get()).unwrap_or(u32::MAX),
            ..CompilationRecord::default()
        };
        Some(Self {
            recorder,
            start,
            texts: Texts::default(),
            has_nodes: false,
        })
    }

    /// Notes the program as it was read, whose ops get their numbers.
    ///
    /// # Errors
    /// Internal if it cannot be printed.
    pub fn input(
        &mut self,
        program: &Program,
        signature: String,
        (module, time): (Operation, Duration),
    ) -> Result<()> {
        let noting = Instant::now();
        let ops = collect_operations(module, |op| !op.isa::<func::FuncOp>());
        let ops = ops.into_iter().enumerate().map(|(number, op)| {
            let place = file_line_column(op.location()).unwrap_or_default();
            Stamp::Op.put(op, number);
            SourceOp {
                name: name_of(op).to_owned(),
                line: line_in(&place, &program.name),
                location: place,
            }
        });
        let ops: Vec<SourceOp> = ops.collect();
        let is_text = program.code.len() <= MOST_SOURCE && ops.iter().any(|op| op.line > 0);
        let source = std::str::from_utf8(&program.code).ok().filter(|_| is_text);
        {
            let record = &mut *self.recorder.record();
            record.program = program.name.clone();
            record.signature = signature;
            record.ops = ops;
        }
        self.step(("input", ""), (module, time), true)?;
        let record = &mut *self.recorder.record();
        match source {
            Some(source) => record.source = source.to_owned(),
            None => print_source(record),
        }
        record.times.recording += noting.elapsed().as_secs_f64();
        Ok(())
    }

    /// Runs a pass and notes what it says.
    pub fn remarks<T>(&self, context: &Context, pass: impl FnOnce() -> T) -> T {
        let (result, remarks) = with_remarks(context, pass);
        let record = &mut *self.recorder.record();
        let step = u32::try_from(record.steps.len()).unwrap_or(u32::MAX);
        record.remarks.extend(remarks.into_iter().map(|remark| {
            let Remarked {
                severity,
                location,
                message,
                notes,
            } = remark;
            let place = |location| file_line_column(location).unwrap_or_default();
            let nodes = |location| Stamp::Node.numbers(location).into_iter().collect();
            let notes = notes.into_iter().map(|(location, message)| RemarkNote {
                location: place(location),
                message,
                nodes: nodes(location),
            });
            Remark {
                severity: severity.to_owned(),
                step,
                message,
                location: place(location),
                origins: Stamp::Op.numbers(location).into_iter().collect(),
                nodes: nodes(location),
                notes: notes.collect(),
            }
        }));
        result
    }

    /// Looks at the program that a pass will run on.
    pub fn before(&self, pass: &str, module: Operation) {
        if pass.contains(arena::PASS) {
            let noting = Instant::now();
            let plan = arena::plan(module);
            let record = &mut *self.recorder.record();
            record.arena = plan;
            record.times.recording += noting.elapsed().as_secs_f64();
        }
    }

    /// The time of the steps and of recording up to now, in seconds.
    pub fn noted_time(&self) -> f64 {
        let record = self.recorder.record();
        let steps: f64 = record.steps.iter().map(|step| step.seconds).sum();
        steps + record.times.recording
    }

    /// Notes what a pass has made.
    ///
    /// # Errors
    /// Internal if the program cannot be printed.
    pub fn after(&mut self, place: (&str, &str), program: (Operation, Duration)) -> Result<()> {
        // What the check of the program took at the end of the pass, it takes again.
        let noting = Instant::now();
        program.0.verify();
        let verification = noting.elapsed().as_secs_f64().min(program.1.as_secs_f64());
        self.step(place, program, false)?;
        let times = &mut self.recorder.record().times;
        times.verification += verification;
        times.recording += noting.elapsed().as_secs_f64();
        Ok(())
    }

    /// Notes a pass that failed, behind which there is no program.
    pub fn failed(&self, (phase, pass): (&str, &str), time: Duration) {
        let record = &mut *self.recorder.record();
        let last = record.steps.last().cloned().unwrap_or_default();
        record.steps.push(Step {
            phase: phase.to_owned(),
            pass: pass.to_owned(),
            seconds: time.as_secs_f64(),
            changed: false,
            ..last
        });
    }

    /// Looks at the program behind a phase, which began at a time when so many seconds were
    /// [noted](Self::noted_time).
    pub fn finish_phase(&mut self, phase: &str, module: Operation, start: Instant, before: f64) {
        let noted = self.noted_time() - before;
        let between = start.elapsed().as_secs_f64() - noted;
        let noting = Instant::now();
        self.look_at_phase(phase, module);
        let times = &mut self.recorder.record().times;
        times.between_passes += between.max(0.0);
        times.recording += noting.elapsed().as_secs_f64();
    }

    fn look_at_phase(&mut self, phase: &str, module: Operation) {
        if phase == HLO && !self.has_nodes {
            self.has_nodes = true;
            if let Ok(entry) = halo_frontend::entry_in(module) {
                let record = &mut *self.recorder.record();
                record.nodes = graph::nodes(entry);
                (record.arguments, record.results) =
                    graph::signature(entry, (&record.program, &record.source));
            }
        }
        if phase == KERNELS {
            let record = &mut *self.recorder.record();
            calls::add(record, module);
            let functions = record.steps.last().map(|step| step.functions.clone());
            let texts: Vec<FunctionText> = functions
                .unwrap_or_default()
                .into_iter()
                .filter_map(|number| record.functions.get(number as usize).cloned())
                .collect();
            for kernel in &mut record.kernels {
                if let Some(text) = texts.iter().find(|text| text.name == kernel.name) {
                    kernel.text = text.clone();
                }
            }
        }
    }

    fn step(
        &mut self,
        (phase, pass): (&str, &str),
        (module, time): (Operation, Duration),
        is_first: bool,
    ) -> Result<()> {
        let record = &mut *self.recorder.record();
        let functions = self.texts.functions(record, module)?;
        let last = record.steps.last().map(|step| &step.functions);
        let changed = is_first || last.is_none_or(|last| !same_lines(record, last, &functions));
        record.steps.push(Step {
            phase: phase.to_owned(),
            pass: pass.to_owned(),
            seconds: time.as_secs_f64(),
            functions,
            changed,
            ops: texts::op_count(module),
        });
        Ok(())
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        self.recorder.record().times.whole = self.start.elapsed().as_secs_f64();
    }
}

/// Whether functions have the same lines.
fn same_lines(record: &CompilationRecord, some: &[u32], others: &[u32]) -> bool {
    let lines = |number: &u32| {
        record
            .functions
            .get(*number as usize)
            .map(|text| &text.lines)
    };
    some.len() == others.len() && some.iter().map(lines).eq(others.iter().map(lines))
}

/// The line of a place in a file; 0 for other files.
fn line_in(place: &str, file: &str) -> u32 {
    let mut parts = place.rsplitn(3, ':');
    let (_, line, name) = (parts.next(), parts.next(), parts.next());
    match name == Some(file) {
        true => line.and_then(|line| line.parse().ok()).unwrap_or(0),
        false => 0,
    }
}

/// Makes the program as it was printed the source, with the lines of its ops.
fn print_source(record: &mut CompilationRecord) {
    let Some(step) = record.steps.first() else {
        return;
    };
    let mut text = String::new();
    let mut number = 0_u32;
    for function in &step.functions {
        let Some(function) = record.functions.get(*function as usize) else {
            continue;
        };
        // What is outside of functions is not the user's.
        if function.name.is_empty() {
            continue;
        }
        for (line, origins) in function.lines.iter().zip(&function.origins) {
            number += 1;
            let line = record.lines.get(*line as usize);
            text.push_str(line.map_or("", String::as_str));
            text.push('\n');
            for op in record.origins.get(*origins as usize).into_iter().flatten() {
                if let Some(op) = record.ops.get_mut(*op as usize)
                    && op.line == 0
                {
                    op.line = number;
                }
            }
        }
    }
    record.source = text;
}

/// The assembly of each kernel of a text, by name; parts of a kernel follow it.
pub fn add_assembly(record: &mut CompilationRecord, assembly: &str) {
    let names: BTreeSet<&str> = record
        .kernels
        .iter()
        .map(|kernel| &kernel.name[..])
        .collect();
    let mut texts: Vec<(String, String)> = Vec::new();
    let mut current: Option<(String, String)> = None;
    for line in assembly.lines() {
        if let Some(name) = begins_function(line)
            && names.contains(kernel_of_symbol(name))
        {
            current = Some((name.to_owned(), String::new()));
        }
        let is_end = line.starts_with(".Lfunc_end") || line == "}";
        if is_end {
            texts.extend(current.take());
        } else if let Some((_, text)) = &mut current {
            text.push_str(line);
            text.push('\n');
        }
    }
    texts.extend(current);
    for kernel in &mut record.kernels {
        let is_own = |symbol: &str| kernel_of_symbol(symbol) == kernel.name;
        let own = texts.iter().filter(|(symbol, _)| is_own(symbol));
        let mut own: Vec<_> = own.map(|(symbol, text)| (symbol, &text[..])).collect();
        if !own.is_empty() {
            // The kernel itself is first.
            own.sort_by_key(|(symbol, _)| **symbol != kernel.name);
            kernel.assembly = own.into_iter().map(|(_, text)| text).collect();
        }
    }
}

/// The name of the function that a line of assembly or of PTX begins.
fn begins_function(line: &str) -> Option<&str> {
    if let Some((name, rest)) = line.split_once(':')
        && !line.starts_with(['.', ' ', '\t', '#'])
        && is_empty_or_comment(rest.trim_start())
    {
        return Some(name.trim_matches('"'));
    }
    let (_, name) = line.split_once(".entry ")?;
    let end = name.find(|letter: char| !letter.is_alphanumeric() && !"_$".contains(letter));
    Some(&name[..end.unwrap_or(name.len())])
}

fn is_empty_or_comment(text: &str) -> bool {
    text.is_empty() || text.starts_with(['#', '/', ';', '@'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_runtime::compilation_record::Kernel;

    #[test]
    fn assembly_of_parts_follows_that_of_their_kernels() {
        let kernel = |name: &str| Kernel {
            name: name.to_owned(),
            ..Kernel::default()
        };
        let mut record = CompilationRecord {
            kernels: vec![kernel("main_kernel_1"), kernel("main_kernel_10")],
            ..CompilationRecord::default()
        };
        let assembly = "\
main_kernel_1__part:
\tnop
.Lfunc_end0:
main_kernel_10:
\tretq
.Lfunc_end1:
main_kernel_1:
\tjmp\tmain_kernel_1__part
.Lfunc_end2:
";
        add_assembly(&mut record, assembly);
        let texts = record.kernels.iter().map(|kernel| &kernel.assembly[..]);
        assert_eq!(
            texts.collect::<Vec<_>>(),
            [
                "main_kernel_1:\n\tjmp\tmain_kernel_1__part\nmain_kernel_1__part:\n\tnop\n",
                "main_kernel_10:\n\tretq\n",
            ]
        );
    }
}
