//! The target processor of machine code.
//!
//! By default it is the machine that the compiler runs on. Another one has LLVM's names: a triple,
//! a processor, and features in addition to the processor's. Names are checked before LLVM gets
//! them, which would only warn of an unknown one and generate code for some other processor.
//!
//! Uses `unsafe` to call C++, and to use LLVM's machines on another thread than the one that made
//! them.

use super::{
    emit::CodeGenerators,
    matrix_tiles,
    processor_kind::{KINDS, ProcessorKind},
    sve_length,
};
use halo_backend::ProcessorOptions;
use halo_core::machine::{Machine, System};
use halo_ir::subtarget::{Subtarget, describe_subtarget};
use halo_runtime::{Error, Result};
use inkwell::{
    OptimizationLevel,
    module::Module,
    targets::{CodeModel, RelocMode, Target, TargetMachine, TargetTriple},
};
use std::{
    cell::{LazyCell, RefCell},
    mem::ManuallyDrop,
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard, Once, OnceLock, PoisonError},
};

unsafe extern "C" {
    fn haloInitializeTargets();
}

/// The target of code generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetDescription {
    /// The triple, such as `x86_64-unknown-linux-gnu`.
    pub triple: String,
    /// The processor, such as `sapphirerapids`.
    pub cpu: String,
    /// Features in LLVM's syntax, such as `+avx2,-avx512f`.
    pub features: String,
    /// The length of its SVE registers in bits, if it has them and the length is known.
    pub sve_bits: Option<u32>,
    /// The same in SME's streaming mode.
    pub streaming_bits: Option<u32>,
    /// The cores and caches, where it is the processor that the compiler runs on. For a named one,
    /// code depends on nothing of this system.
    pub system: Option<System>,
}

/// The value of `--target-cpu=` for the processor that the compiler runs on.
const NATIVE: &str = "native";

/// The number of suggestions in a message about an unknown name.
const SUGGESTIONS: usize = 4;

/// The features of this processor, without AMX tiles if the system does not let this process use
/// them.
fn usable_features(features: &str) -> String {
    if features.contains(TILES) && !matrix_tiles::request_permission() {
        features.replace(TILES, "-amx-")
    } else {
        features.to_owned()
    }
}

/// The prefix of the features of processors with AMX tiles.
const TILES: &str = "+amx-";

impl TargetDescription {
    /// The processor that this program runs on.
    pub fn host() -> Self {
        static HOST: OnceLock<TargetDescription> = OnceLock::new();
        let host = HOST.get_or_init(|| Self {
            triple: text_of(&TargetMachine::get_default_triple()),
            cpu: TargetMachine::get_host_cpu_name().to_string(),
            features: usable_features(&TargetMachine::get_host_cpu_features().to_string()),
            sve_bits: sve_length::of_this_process(),
            streaming_bits: sve_length::of_streaming_mode(),
            system: Some(System::query()),
        });
        host.clone()
    }

    /// The processor that options name. The default is this machine's, or a
    /// generic processor if they name a triple.
    ///
    /// # Errors
    /// Returns an invalid-input error if LLVM does not support the triple, processor or a feature.
    pub fn of(options: &ProcessorOptions) -> Result<Self> {
        let host = Self::host();
        let triple = match &options.triple {
            Some(triple) => normalized(triple),
            None => host.triple.clone(),
        };
        let kind = last_kind(&triple)?;
        let (cpu, own_features, [sve_bits, streaming_bits], system) = match options.cpu.as_deref() {
            Some(NATIVE) if !same_system(&triple, &host.triple) => {
                return Err(Error::invalid(format!(
                    "'{NATIVE}' names the processor of this machine, which is not a processor of \
                     target '{triple}'"
                )));
            }
            None if options.triple.is_some() => ("", kind.baseline_features, [None; 2], None),
            None | Some(NATIVE) => (
                &host.cpu[..],
                &host.features[..],
                [host.sve_bits, host.streaming_bits],
                host.system,
            ),
            Some(name) => {
                let row = Machine::of_kind(name);
                let bits = row.map_or([None; 2], |row| [row.sve_bits, row.streaming_bits]);
                (name, "", bits, None)
            }
        };
        let all = LazyCell::new(|| describe_subtarget(&triple, "", "").unwrap_or_default());
        let processors = || all.processors.iter().map(String::as_str);
        if !cpu.is_empty() && cpu != host.cpu && !processors().any(|known| known == cpu) {
            return Err(unknown("processor", cpu, &triple, processors()));
        }
        let added = options.features.as_deref().unwrap_or_default();
        for feature in added.split(',').filter(|feature| !feature.is_empty()) {
            let Some(name) = feature.strip_prefix(['+', '-']) else {
                return Err(Error::invalid(format!(
                    "feature '{feature}' says neither + nor -: features are a list such as \
                     +avx2,-fma"
                )));
            };
            if !all.features.contains_key(name) {
                let known = all.features.keys().map(String::as_str);
                return Err(unknown("feature", name, &triple, known));
            }
        }
        let features: Vec<&str> =
            [own_features, added].into_iter().filter(|list| !list.is_empty()).collect();
        Ok(Self {
            cpu: cpu.to_owned(),
            features: features.join(","),
            triple,
            sve_bits,
            streaming_bits,
            system,
        })
    }

    /// The processor with SVE registers of a length in bits, or of unknown length.
    ///
    /// # Errors
    /// Returns an invalid-input error if it has no registers of that length.
    pub fn with_sve_bits(self, sve_bits: Option<u32>) -> Result<Self> {
        let target = Self { sve_bits, ..self };
        if target.kind()?.sve_bits == sve_bits {
            return Ok(target);
        }
        let bits = sve_bits.unwrap_or_default();
        Err(Error::invalid(format!(
            "{} has no registers of SVE of {bits} bits: processors of ARM64 with the feature +sve \
             may have them",
            target.name()
        )))
    }

    /// The processor with vectors of a length in bits in SME's streaming mode, or of unknown
    /// length.
    ///
    /// # Errors
    /// Returns an invalid-input error if it has no such mode.
    pub fn with_streaming_bits(self, streaming_bits: Option<u32>) -> Result<Self> {
        let target = Self {
            streaming_bits,
            ..self
        };
        if target.tile_bits() == streaming_bits {
            return Ok(target);
        }
        let bits = streaming_bits.unwrap_or_default();
        Err(Error::invalid(format!(
            "{} has no streaming mode of SME with vectors of {bits} bits: processors of ARM64 with \
             the feature +sme may have one",
            target.name()
        )))
    }

    /// The vector length in streaming mode, if the processor has SME and it is known.
    pub fn tile_bits(&self) -> Option<u32> {
        self.streaming_bits.filter(|_| self.has("aarch64", "sme"))
    }

    /// The name in messages.
    fn name(&self) -> String {
        match &self.cpu[..] {
            "" => format!("target '{}'", self.triple),
            cpu => format!("processor '{cpu}' of target '{}'", self.triple),
        }
    }

    /// LLVM builds its tables again for each query, so the last result is cached: a compilation
    /// queries one processor several times.
    fn subtarget(&self) -> Arc<Subtarget> {
        static LAST: Mutex<Option<(TargetDescription, Arc<Subtarget>)>> = Mutex::new(None);
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((target, subtarget)) = &*last
            && target == self
        {
            return Arc::clone(subtarget);
        }
        initialize();
        let known = describe_subtarget(&self.triple, &self.cpu, &self.features);
        let subtarget = Arc::new(known.unwrap_or_default());
        *last = Some((self.clone(), Arc::clone(&subtarget)));
        subtarget
    }

    /// The processor model for code generation.
    ///
    /// # Errors
    /// Returns an invalid-input error if no code can be made for the target.
    pub fn kind(&self) -> Result<&'static ProcessorKind> {
        let subtarget = self.subtarget();
        let name = target_name(&self.triple);
        let mut kinds = ProcessorKind::of_target(&name);
        let kind = kinds.find(|kind| kind.has(&subtarget, self.sve_bits));
        kind.map_or_else(|| last_kind(&self.triple), Ok)
    }

    /// The machine model of the processor: the row of its name or of its features, with the vectors
    /// of its features, and with the cores and caches of the system if it is the host.
    ///
    /// # Errors
    /// Returns an invalid-input error if the target is unsupported.
    pub fn model(&self) -> Result<Machine> {
        let kind = self.kind()?;
        let of_features = kind.machine;
        let model = Machine {
            vector_bits: of_features.vector_bits,
            vector_registers: of_features.vector_registers,
            sve_bits: kind.sve_bits,
            streaming_bits: self.tile_bits(),
            ..Machine::of_kind(&self.cpu).unwrap_or(of_features)
        };
        Ok(self.system.map_or(model, |system| model.with_system(system)))
    }

    /// Returns true if LLVM converts f16 and bf16 without library functions.
    pub(crate) fn converts_float16(&self) -> Result<bool> {
        let subtarget = self.subtarget();
        let mut features = self.kind()?.float16_features.iter();
        Ok(features.all(|feature| subtarget.has(feature)))
    }

    /// Returns true if the processor belongs to an architecture, by [`ProcessorKind`]'s name, and
    /// has a feature, by LLVM's name.
    pub fn has(&self, architecture: &str, feature: &str) -> bool {
        let kind = self.kind();
        kind.is_ok_and(|kind| kind.architecture == architecture) && self.subtarget().has(feature)
    }

    /// Makes sure that this machine can run the code.
    ///
    /// # Errors
    /// Returns an invalid-input error if the code is for another system, or uses instructions that
    /// the processor here lacks.
    pub fn check_runs_here(&self) -> Result<()> {
        let host = Self::host();
        if *self == host {
            return Ok(());
        }
        if !same_system(&self.triple, &host.triple) {
            return Err(Error::invalid(format!(
                "code for target '{}' cannot run on this machine, which is '{}', without a runner \
                 such as QEMU",
                self.triple, host.triple
            )));
        }
        let here = host.subtarget();
        let lacking: Vec<String> = self
            .subtarget()
            .features
            .iter()
            .filter(|(name, enabled)| **enabled && !here.has(name))
            .map(|(name, _)| name.clone())
            .collect();
        if lacking.is_empty() {
            let another = |what: &str, bits: u32| {
                Err(Error::invalid(format!(
                    "code for {what} of {bits} bits cannot run on this machine, whose registers \
                     have another length"
                )))
            };
            return match (self.kind()?.sve_bits, self.tile_bits()) {
                (Some(bits), _) if host.sve_bits != Some(bits) => another("registers of SVE", bits),
                (_, Some(bits)) if host.streaming_bits != Some(bits) => {
                    another("SME with vectors", bits)
                }
                _ => Ok(()),
            };
        }
        let more = match lacking.len().saturating_sub(SUGGESTIONS) {
            0 => String::new(),
            count => format!(" and {count} more features"),
        };
        Err(Error::invalid(format!(
            "code for processor '{}' cannot run on this machine, a '{}', which lacks {}{more}",
            self.cpu,
            host.cpu,
            lacking[..lacking.len().min(SUGGESTIONS)].join(", ")
        )))
    }

    /// A target machine from the pool: its tables of the processor take LLVM longer to build than
    /// the code of a few ops.
    ///
    /// # Errors
    /// Returns an invalid-input error if LLVM makes no code for the processor.
    pub fn machine(&self) -> Result<LentMachine> {
        let waiting = {
            let mut all = machines();
            let found = all.iter().position(|machine| machine.target == *self);
            found.map(|index| all.remove(index))
        };
        let machine = match waiting {
            Some(machine) => machine,
            None => WaitingMachine {
                target: self.clone(),
                generators: RefCell::default(),
                machine: self.new_machine()?,
            },
        };
        Ok(LentMachine(ManuallyDrop::new(machine)))
    }

    fn new_machine(&self) -> Result<TargetMachine> {
        initialize();
        let triple = TargetTriple::create(&self.triple);
        // The level of LLVM's code generator. On CPUs, code of the higher levels is no faster, and
        // takes a tenth longer to generate.
        let level = if self.triple.starts_with("nvptx") || self.triple.starts_with("amdgcn") {
            OptimizationLevel::Aggressive
        } else {
            OptimizationLevel::Less
        };
        let machine = Target::from_triple(&triple)
            .map_err(|error| Error::invalid(format!("unknown target '{}': {error}", self.triple)))?
            .create_target_machine(
                &triple,
                &self.cpu,
                &self.features,
                level,
                RelocMode::PIC,
                CodeModel::Default,
            )
            .ok_or_else(|| {
                Error::invalid(format!(
                    "no code can be made for processor '{}' of target '{}'",
                    self.cpu, self.triple
                ))
            })?;
        Ok(machine)
    }
}

/// The maximum number of idle machines.
pub const MOST_MACHINES: usize = 16;

static MACHINES: Mutex<Vec<WaitingMachine>> = Mutex::new(Vec::new());

fn machines() -> MutexGuard<'static, Vec<WaitingMachine>> {
    MACHINES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An idle machine.
struct WaitingMachine {
    target: TargetDescription,
    /// Dropped before the machine that they are for.
    generators: RefCell<CodeGenerators>,
    machine: TargetMachine,
}

// SAFETY: This value has the only reference to the machine, and its generators refer to nothing
// else.
unsafe impl Send for WaitingMachine {}

/// A machine that is returned to the pool when it is dropped.
pub struct LentMachine(ManuallyDrop<WaitingMachine>);

impl LentMachine {
    /// The object file of a module, which must be dropped before the next call.
    ///
    /// # Errors
    /// Returns an internal error if LLVM fails.
    pub fn object(&self, module: &Module) -> Result<Vec<u8>> {
        self.0.generators.borrow_mut().object(module, self)
    }
}

impl Deref for LentMachine {
    type Target = TargetMachine;

    fn deref(&self) -> &TargetMachine {
        &self.0.machine
    }
}

impl Drop for LentMachine {
    fn drop(&mut self) {
        // SAFETY: The value is not used again.
        let machine = unsafe { ManuallyDrop::take(&mut self.0) };
        let mut all = machines();
        if all.len() == MOST_MACHINES {
            // Of the target that was used the longest ago.
            all.remove(0);
        }
        all.push(machine);
    }
}

/// Registers the targets with LLVM, once.
fn initialize() {
    static ONCE: Once = Once::new();
    // SAFETY: Only this function changes LLVM's registry of targets, on one thread.
    ONCE.call_once(|| unsafe { haloInitializeTargets() });
}

fn text_of(triple: &TargetTriple) -> String {
    triple.as_str().to_string_lossy().into_owned()
}

/// A triple with all its components in order.
fn normalized(triple: &str) -> String {
    // The name of Rust's target contains the features that all of them have.
    let triple = match triple.strip_prefix("riscv64gc-") {
        Some(system) => format!("riscv64-{system}"),
        None => triple.to_owned(),
    };
    let triple = TargetTriple::create(&triple);
    text_of(&TargetMachine::normalize_triple(&triple))
}

/// All processors and features of a system.
///
/// # Errors
/// Returns an invalid-input error if no code can be made for it.
pub(crate) fn describe(triple: &str) -> Result<Subtarget> {
    let triple = normalized(triple);
    last_kind(&triple)?;
    Ok(describe_subtarget(&triple, "", "").unwrap_or_default())
}

/// LLVM's name of a target; empty for a target that is unknown or not linked.
fn target_name(triple: &str) -> String {
    initialize();
    let target = Target::from_triple(&TargetTriple::create(triple)).ok();
    let name = target.as_ref().map(|target| target.get_name().to_string_lossy().into_owned());
    name.unwrap_or_default()
}

/// The most general model of a target.
fn last_kind(triple: &str) -> Result<&'static ProcessorKind> {
    let name = target_name(triple);
    let last = ProcessorKind::of_target(&name).last();
    last.ok_or_else(|| {
        let architectures = linked_architectures();
        let example = architectures.first().copied().unwrap_or_default();
        Error::invalid(format!(
            "no code can be made for target '{triple}': a target begins with {}, as in \
             {example}{LINUX}",
            alternatives(&architectures)
        ))
    })
}

/// The suffix of the triples of Linux systems, after the architecture.
pub(crate) const LINUX: &str = "-unknown-linux-gnu";

/// The architectures whose targets of LLVM are linked, in alphabetical order.
pub(crate) fn linked_architectures() -> Vec<&'static str> {
    let mut all: Vec<&str> = KINDS.iter().map(|kind| kind.architecture).collect();
    all.sort_unstable();
    all.dedup();
    all.retain(|architecture| {
        let name = target_name(&format!("{architecture}{LINUX}"));
        ProcessorKind::of_target(&name).any(|kind| kind.architecture == *architecture)
    });
    all
}

/// `a, b or c`
fn alternatives(names: &[&str]) -> String {
    match names {
        [names @ .., last] if !names.is_empty() => format!("{} or {last}", names.join(", ")),
        _ => names.concat(),
    }
}

/// Returns true if objects for one triple can be loaded on the other one's systems: vendors are
/// ignored.
fn same_system(left: &str, right: &str) -> bool {
    let system = |triple: &str| {
        let triple = normalized(triple);
        let mut parts = triple.split('-').map(str::to_owned);
        (parts.next(), parts.nth(1))
    };
    system(left) == system(right)
}

fn unknown<'a>(
    what: &str,
    name: &str,
    triple: &str,
    known: impl Iterator<Item = &'a str>,
) -> Error {
    let mut known: Vec<&str> = known.collect();
    known.sort_by_key(|other| strsim::damerau_levenshtein(name, other));
    known.truncate(SUGGESTIONS);
    Error::invalid(format!(
        "target '{triple}' has no {what} '{name}'; the nearest are {}",
        known.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_core::machine::KINDS as KINDS_OF_MACHINES;

    fn options(triple: &str, cpu: &str, features: &str) -> ProcessorOptions {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        ProcessorOptions {
            triple: given(triple),
            cpu: given(cpu),
            features: given(features),
            runner: None,
        }
    }

    fn message(triple: &str, cpu: &str, features: &str) -> String {
        TargetDescription::of(&options(triple, cpu, features)).unwrap_err().to_string()
    }

    const X86: &str = "x86_64-unknown-linux-gnu";
    const ARM: &str = "aarch64-unknown-linux-gnu";

    #[test]
    fn nothing_said_is_this_machine() {
        let target = TargetDescription::of(&ProcessorOptions::default()).unwrap();
        assert_eq!(target, TargetDescription::host());
        target.check_runs_here().unwrap();
        let native = TargetDescription::of(&options("", "native", "")).unwrap();
        assert_eq!(native, TargetDescription::host());
    }

    #[test]
    fn vectors_are_as_wide_as_the_processor_has_them() {
        // In this order, each must be distinguished from the one before.
        for (triple, cpu, features, bits) in [
            (X86, "", "", 128),
            (X86, "x86-64-v2", "", 128),
            (X86, "x86-64-v3", "", 256),
            (X86, "x86-64-v4", "", 512),
            (X86, "x86-64-v4", "-avx512f", 256),
            (X86, "znver5", "", 512),
            (ARM, "neoverse-v2", "", 128),
            (ARM, "a64fx", "", 512),
            (ARM, "a64fx", "-sve", 128),
            (ARM, "neoverse-v1", "", 256),
            (ARM, "neoverse-512tvb", "", 128),
            (ARM, "generic", "+sve", 128),
            ("riscv64-unknown-linux-gnu", "generic-rv64", "+v", 128),
            ("riscv64gc-unknown-linux-gnu", "", "", 128),
        ] {
            let target = TargetDescription::of(&options(triple, cpu, features)).unwrap();
            let kind = target.kind().unwrap();
            assert_eq!(kind.machine.vector_bits, bits, "{cpu}{features}");
        }
    }

    #[test]
    fn named_processors_have_the_numbers_of_their_row() {
        for (triple, cpu, features, expected) in [
            (X86, "znver4", "", "znver4"),
            (X86, "cascadelake", "", "skylake-avx512"),
            (
                X86,
                "znver4",
                "-avx512f",
                "znver4:vector-bits=256:vector-registers=16",
            ),
            (X86, "btver2", "", "x86-64-v3"),
            (X86, "", "", "x86-64"),
            (ARM, "a64fx", "", "a64fx"),
            (ARM, "generic", "", "aarch64"),
            ("riscv64-unknown-linux-gnu", "sifive-u74", "", "sifive-u74"),
        ] {
            let target = TargetDescription::of(&options(triple, cpu, features)).unwrap();
            assert_eq!(target.model().unwrap().to_string(), expected);
            assert_eq!(target.system, None);
        }
        let here = TargetDescription::host().model().unwrap().to_string();
        assert_eq!(here, Machine::parse(&here).unwrap().to_string());
    }

    #[test]
    fn rows_are_named_as_llvm_names_processors() {
        let all: Vec<Subtarget> = linked_architectures()
            .iter()
            .map(|architecture| describe(&format!("{architecture}{LINUX}")).unwrap())
            .collect();
        let generic = ["aarch64", "riscv64", "riscv64-v"];
        for name in KINDS_OF_MACHINES.iter().flat_map(|kind| kind.names) {
            let is_known = all.iter().any(|known| known.processors.iter().any(|cpu| cpu == name));
            assert!(
                is_known || generic.contains(name),
                "LLVM has no processor '{name}'"
            );
        }
    }

    #[test]
    fn lengths_of_sve_are_chosen() {
        let with_bits = |triple, cpu, features, bits| {
            let target = TargetDescription::of(&options(triple, cpu, features)).unwrap();
            target.with_sve_bits(bits)
        };
        for (cpu, features, bits, vector_bits) in [
            ("neoverse-v2", "", Some(256), 256),
            ("", "+sve", Some(512), 512),
            ("a64fx", "", None, 128),
        ] {
            let target = with_bits(ARM, cpu, features, bits).unwrap();
            assert_eq!(
                target.kind().unwrap().machine.vector_bits,
                vector_bits,
                "{cpu}"
            );
        }
        for (triple, cpu, features) in [
            (ARM, "apple-m1", ""),
            (ARM, "a64fx", "-sve"),
            (X86, "x86-64-v4", ""),
        ] {
            let refused = with_bits(triple, cpu, features, Some(512)).unwrap_err();
            let expected = format!(
                "processor '{cpu}' of target '{triple}' has no registers of SVE of 512 bits"
            );
            assert!(refused.to_string().starts_with(&expected), "{refused}");
        }
    }

    #[test]
    fn lengths_of_streaming_mode_are_known_or_chosen() {
        for (cpu, features, bits, expected) in [
            ("apple-m4", "", None, Some(512)),
            ("apple-m4", "-sme", None, None),
            ("apple-m4", "-sme2", None, Some(512)),
            ("apple-m1", "+sme", None, None),
            ("c1-ultra", "", None, None),
            ("c1-ultra", "", Some(256), Some(256)),
            ("", "+sme", Some(128), Some(128)),
        ] {
            let mut target = TargetDescription::of(&options(ARM, cpu, features)).unwrap();
            if bits.is_some() {
                target = target.with_streaming_bits(bits).unwrap();
            }
            assert_eq!(target.tile_bits(), expected, "{cpu}{features}");
            // Other code uses the vectors of NEON.
            assert_eq!(
                target.kind().unwrap().machine.vector_bits,
                128,
                "{cpu}{features}"
            );
        }
        let scalable = TargetDescription::of(&options(ARM, "apple-m4", "")).unwrap();
        let scalable = scalable.with_streaming_bits(None).unwrap();
        assert_eq!(scalable.tile_bits(), None);
        let refused = TargetDescription::of(&options(ARM, "apple-m1", "")).unwrap();
        let refused = refused.with_streaming_bits(Some(512)).unwrap_err();
        let expected = format!(
            "processor 'apple-m1' of target '{ARM}' has no streaming mode of SME with vectors of \
             512 bits: processors of ARM64 with the feature +sme may have one"
        );
        assert_eq!(refused.to_string(), expected);
    }

    #[test]
    fn processors_have_what_their_features_imply() {
        for (triple, cpu, features, expected) in [
            (X86, "x86-64-v4", "", false),
            (X86, "x86-64-v4", "+avx512bf16", true),
            (X86, "znver4", "", true),
            (X86, "znver4", "-avx512bf16", false),
            (X86, "znver4", "-avx512f", false),
            (ARM, "neoverse-v2", "", false),
        ] {
            let target = TargetDescription::of(&options(triple, cpu, features)).unwrap();
            assert_eq!(
                target.has("x86_64", "avx512bf16"),
                expected,
                "{cpu}{features}"
            );
        }
    }

    #[test]
    fn unknown_names_are_told_with_the_nearest() {
        let text = message(X86, "sapphirerapid", "");
        assert!(
            text.contains("no processor 'sapphirerapid'; the nearest are sapphirerapids"),
            "{text}"
        );
        let text = message(X86, "x86-64-v3", "+avx3");
        assert!(
            text.contains("no feature 'avx3'; the nearest are avx"),
            "{text}"
        );
        let text = message(X86, "", "avx2");
        assert!(text.contains("'avx2' says neither + nor -"), "{text}");
        let text = message("mars", "", "");
        let known = "a target begins with aarch64, riscv64 or x86_64, as in aarch64-unknown";
        assert!(text.contains(known), "{text}");
        for triple in ["mars", "nvptx64-nvidia-cuda", "i686-unknown-linux-gnu"] {
            let text = message(triple, "", "");
            assert!(text.contains("no code can be made for target"), "{text}");
        }
    }

    #[test]
    fn alternatives_are_listed() {
        assert_eq!(alternatives(&["a", "b", "c"]), "a, b or c");
        assert_eq!(alternatives(&["a", "b"]), "a or b");
        assert_eq!(alternatives(&["a"]), "a");
        assert_eq!(alternatives(&[]), "");
    }

    #[test]
    fn what_another_system_runs_does_not_run_here() {
        let triple = if cfg!(target_arch = "riscv64") {
            X86
        } else {
            "riscv64-unknown-linux-gnu"
        };
        let target = TargetDescription::of(&options(triple, "", "")).unwrap();
        let text = target.check_runs_here().unwrap_err().to_string();
        assert!(text.contains("cannot run on this machine"), "{text}");
        let text = message(triple, "native", "");
        assert!(text.contains("'native' names the processor"), "{text}");
    }
}
