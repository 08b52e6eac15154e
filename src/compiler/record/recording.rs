//! Fills the record of a compilation.
//!
//! Passes run one by one. The ops of the entry after the phase `hlo` get numbers in their locations
//! ([`Stamp`]), which identify the ops of a kernel, a buffer or a remark. The generated code is the
//! same as without a record.

use super::{
    CompilationRecord, Recorder, Remark, RemarkNote, RemarkSeverity, Step, VERSION, arena, calls,
    joins::Joins, nodes, stamps::Stamp, texts, texts::Texts,
};
use crate::pipelines::common::{HLO, KERNELS};
use halo_backend::{CompileOptions, Program};
use halo_ir::{
    Operation,
    diagnostics::{Remarked, Severity, file_line_column, with_remarks},
};
use halo_runtime::Result;
use melior::Context;
use std::time::{Duration, Instant};

/// A record that is being filled.
///
/// [`Times::whole`](super::Times::whole) is set when it is dropped.
pub struct Recording {
    recorder: Recorder,
    /// The start of the compilation.
    start: Instant,
    texts: Texts,
    joins: Joins,
    /// Set if the ops of the entry have their stamps.
    has_nodes: bool,
    /// Set if the calls of kernels are recorded.
    has_calls: bool,
}

impl Recording {
    /// Starts the record that the options request.
    pub fn of(options: &CompileOptions, start: Instant) -> Option<Self> {
        let recorder = Recorder::of(options)?;
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
            joins: Joins::default(),
            has_nodes: false,
            has_calls: false,
        })
    }

    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// Records the program before all passes.
    ///
    /// # Errors
    /// Returns an internal error if it cannot be printed.
    pub fn input(
        &mut self,
        program: &Program,
        signature: String,
        (module, time): (Operation, Duration),
    ) -> Result<()> {
        {
            let record = &mut *self.recorder.record();
            record.program = program.name.clone();
            record.signature = signature;
        }
        self.after(("input", ""), (module, time))
    }

    /// Runs a pass and records its remarks.
    pub fn remarks<T>(&self, context: &Context, pass: impl FnOnce() -> T) -> T {
        let (result, remarks) = with_remarks(context, pass);
        let record = &mut *self.recorder.record();
        let step = u32::try_from(record.steps.len()).unwrap_or(u32::MAX);
        let remarks = remarks.into_iter().map(|remark| remark_of(step, remark));
        record.remarks.extend(remarks);
        result
    }

    /// Records facts that only the program before a pass has.
    pub fn before(&self, pass: &str, module: Operation) {
        if pass.contains(arena::PASS) {
            let start = Instant::now();
            let plan = arena::plan(module);
            let record = &mut *self.recorder.record();
            record.arena = plan;
            record.times.recording += start.elapsed().as_secs_f64();
        }
    }

    /// The time of the passes and of recording so far, in seconds.
    pub fn noted_time(&self) -> f64 {
        let record = self.recorder.record();
        let steps: f64 = record.steps.iter().map(|step| step.seconds).sum();
        steps + record.times.recording
    }

    /// Records the program after a pass.
    ///
    /// # Errors
    /// Returns an internal error if it cannot be printed.
    pub fn after(
        &mut self,
        (phase, pass): (&str, &str),
        (module, time): (Operation, Duration),
    ) -> Result<()> {
        let start = Instant::now();
        let record = &mut *self.recorder.record();
        let functions = self.texts.functions(record, module)?;
        let last = record.steps.last();
        let step = u32::try_from(record.steps.len()).unwrap_or(u32::MAX);
        record.steps.push(Step {
            phase: phase.to_owned(),
            pass: pass.to_owned(),
            seconds: time.as_secs_f64(),
            changed: last.is_none_or(|last| last.functions != functions),
            functions,
            ops: texts::op_count(module),
        });
        if self.has_nodes && !self.has_calls {
            let joins = self.joins.of_pass(step, module, &record.nodes);
            record.joins.extend(joins);
        }
        record.times.recording += start.elapsed().as_secs_f64();
        Ok(())
    }

    /// Records a pass that failed.
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

    /// Records facts about the program after a phase, which started when
    /// [`noted_time`](Self::noted_time) was `before`.
    pub fn finish_phase(&mut self, phase: &str, module: Operation, start: Instant, before: f64) {
        let noted = self.noted_time() - before;
        let between = start.elapsed().as_secs_f64() - noted;
        let start = Instant::now();
        let record = &mut *self.recorder.record();
        if phase == HLO && !self.has_nodes {
            self.has_nodes = true;
            if let Ok(entry) = halo_frontend::entry_in(module) {
                record.nodes = nodes::nodes(entry);
                (record.argument_bytes, record.result_bytes) = nodes::signature_bytes(entry);
            }
            self.joins.of_pass(0, module, &record.nodes);
        }
        if phase == KERNELS && !self.has_calls {
            self.has_calls = true;
            calls::add(record, module);
            add_kernel_functions(record);
        }
        record.times.between_passes += between.max(0.0);
        record.times.recording += start.elapsed().as_secs_f64();
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        self.recorder.record().times.whole = self.start.elapsed().as_secs_f64();
    }
}

/// Finds the IR of kernels after the last pass.
fn add_kernel_functions(record: &mut CompilationRecord) {
    let numbers = record.steps.last().map(|step| step.functions.clone());
    for number in numbers.unwrap_or_default() {
        let Some(function) = record.functions.get(number as usize) else {
            continue;
        };
        let mut kernels = record.kernels.iter_mut();
        if let Some(kernel) = kernels.find(|kernel| kernel.name == function.name) {
            kernel.function = Some(number);
        }
    }
}

fn remark_of(step: u32, remark: Remarked) -> Remark {
    let place = |location| file_line_column(location).unwrap_or_default();
    let notes = remark.notes.into_iter().map(|(location, message)| RemarkNote {
        location: place(location),
        message,
    });
    Remark {
        severity: match remark.severity {
            Severity::Remark => RemarkSeverity::Remark,
            _ => RemarkSeverity::Warning,
        },
        step,
        decision: remark.detail.and_then(|detail| detail.downcast_ref().copied()),
        message: remark.message,
        location: place(remark.location),
        nodes: Stamp::Node.numbers(remark.location).into_iter().collect(),
        notes: notes.collect(),
    }
}
