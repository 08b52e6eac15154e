//! The time that each kernel took to become machine code, and that of the code that calls
//! kernels. Both together are the time of LLVM.

use halo_runtime::compilation_record::CompilationRecord;
use std::collections::HashMap;

/// What a part is called that has the code that calls kernels.
const CALLERS: &str = "callers";

/// The times of a record, in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodeTimes {
    /// Of each kernel, where it is known.
    pub kernels: Vec<Option<f64>>,
    /// Of what is not in kernels: the code that calls them.
    pub callers: f64,
    /// Of all.
    pub all: f64,
}

/// Code that was generated at once: its kernels with the sizes of their code.
struct Part {
    kernels: Vec<(usize, f64)>,
    seconds: f64,
    /// Whether it has the code that calls kernels, too.
    has_callers: bool,
}

impl Part {
    fn length(&self) -> f64 {
        self.kernels.iter().map(|(_, length)| length).sum()
    }
}

impl CodeTimes {
    /// Of several kernels that were compiled together the time is divided in proportion to their
    /// machine code, of which callers have what no kernel has; where its size is not known, to the
    /// letters of its assembly. Callers of a size that is not known took what is above the time of
    /// so much code in the other parts.
    pub fn of(record: &CompilationRecord) -> Self {
        let parts = parts(record);
        let others = || parts.iter().filter(|part| !part.has_callers);
        let (seconds, code) = others().fold((0.0, 0.0), |(seconds, code), part| {
            (seconds + part.seconds, code + part.length())
        });
        let of_callers = callers_bytes(record, &parts);
        let mut times = Self {
            kernels: vec![None; record.kernels.len()],
            ..Self::default()
        };
        for part in &parts {
            let mut own = part.seconds;
            match of_callers.filter(|_| part.has_callers) {
                Some(callers) => own *= part.length() / (part.length() + callers).max(1.0),
                None if part.has_callers && code > 0.0 => {
                    own = own.min(part.length() * seconds / code);
                }
                None => {}
            }
            for (number, length) in &part.kernels {
                *times.kernels[*number].get_or_insert(0.0) += own * length / part.length();
            }
            if part.kernels.is_empty() {
                own = 0.0;
            }
            times.callers += part.seconds - own;
            times.all += part.seconds;
        }
        times
    }
}

/// The machine code of all kernels, in bytes, if its size is known of each.
fn kernel_bytes(record: &CompilationRecord) -> Option<u64> {
    let bytes = record.kernels.iter().map(|kernel| kernel.code_bytes);
    bytes.sum::<Option<u64>>().filter(|bytes| *bytes > 0)
}

/// The machine code of callers, if it is in one part.
fn callers_bytes(record: &CompilationRecord, parts: &[Part]) -> Option<f64> {
    let one = parts.iter().filter(|part| part.has_callers).count() == 1;
    let bytes = record.code_bytes?.checked_sub(kernel_bytes(record)?)?;
    one.then_some(bytes as f64)
}

fn parts(record: &CompilationRecord) -> Vec<Part> {
    let are_known = kernel_bytes(record).is_some();
    let length = |number: &usize| {
        let kernel = &record.kernels[*number];
        let bytes = kernel.code_bytes.filter(|_| are_known);
        let length = bytes.map_or(kernel.assembly.len() as f64, |bytes| bytes as f64);
        length.max(1.0)
    };
    let mut numbers: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, kernel) in record.kernels.iter().enumerate() {
        numbers.entry(&kernel.name).or_default().push(number);
    }
    let parts = record.code_generation.iter().map(|part| {
        let names = part.kernels();
        let kernels = names.iter().filter_map(|name| numbers.get(name)).flatten();
        Part {
            kernels: kernels.map(|number| (*number, length(number))).collect(),
            seconds: part.seconds,
            has_callers: names.contains(CALLERS),
        }
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use halo_runtime::compilation_record::CodeGeneration;

    #[test]
    fn kernels_and_callers_have_the_time_of_llvm() {
        let mut record = samples::program(12);
        let lengths = [100, 300, 200];
        for (kernel, length) in record.kernels.iter_mut().zip(lengths) {
            kernel.assembly = "x".repeat(length);
            kernel.code_bytes = None;
        }
        let part = |name: &str, seconds| CodeGeneration {
            name: name.to_owned(),
            seconds,
            ..CodeGeneration::default()
        };
        record.code_generation = vec![
            part("main_kernel_0, main_kernel_1", 0.4),
            part("main_kernel_2, callers", 0.5),
        ];
        let times = CodeTimes::of(&record);
        let kernels: Vec<f64> = times.kernels.iter().map(|it| it.unwrap()).collect();
        // The first part has 400 letters in 0.4 s.
        for (found, expected) in kernels.iter().zip([0.1, 0.3, 0.2]) {
            assert!((found - expected).abs() < 1e-9, "{kernels:?}");
        }
        assert!((times.callers - 0.3).abs() < 1e-9 && (times.all - 0.9).abs() < 1e-9);
        // Bytes of machine code are better known: 100 of 400 and of 500, of which callers have 300.
        let mut sized = record.clone();
        for (kernel, bytes) in sized.kernels.iter_mut().zip([100, 300, 200]) {
            kernel.assembly.clear();
            kernel.code_bytes = Some(bytes);
        }
        sized.code_bytes = Some(900);
        let times = CodeTimes::of(&sized);
        let kernels: Vec<f64> = times.kernels.iter().map(|it| it.unwrap()).collect();
        for (found, expected) in kernels.iter().zip([0.1, 0.3, 0.2]) {
            assert!((found - expected).abs() < 1e-9, "{kernels:?}");
        }
        assert!((times.callers - 0.3).abs() < 1e-9);
        // A part of a kernel is the kernel's, in whichever part it was compiled.
        record
            .code_generation
            .push(part("main_kernel_1__part", 0.1));
        let times = CodeTimes::of(&record);
        let kernels: f64 = times.kernels.iter().flatten().sum();
        assert!((kernels + times.callers - times.all).abs() < 1e-9);
        assert!((times.all - 1.0).abs() < 1e-9);
    }
}
