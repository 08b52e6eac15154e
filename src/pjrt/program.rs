//! Compiled programs: the properties of an executable, with or without devices.

use std::ffi::c_char;
use std::sync::{Arc, OnceLock};

use halo::{ir::root_of, prelude::*};
use halo_backend::{CompileOptions, Program};
use halo_core::{Layout, Shape, ShapePattern};
use halo_drivers::numerics;
use halo_runtime::{Executable, Signature};

use crate::c_api::{self, BufferType, ErrorCode};
use crate::callbacks;
use crate::client::Client;
use crate::compile_options::{self, Assignment};
use crate::custom_partitioner;
use crate::element_type::to_buffer_type;
use crate::entry::{self, Values};
use crate::ffi;
use crate::handle::{self, Handle};
use crate::inspection;
use crate::memory::KINDS;
use crate::named_value::{NamedValues, Value};
use crate::per_device::PerDevice;
use crate::platform::{self, Platform};
use crate::profiler;
use crate::shardings::Shardings;
use crate::status::{Result, Status};

/// The formats of programs that the interface names and Halo reads; the bytes determine the rest.
const FORMATS: [&str; 2] = ["mlir", "hlo"];

/// The beginning of a serialized program.
const MAGIC: &[u8] = b"HALOPJRT1";

/// A compiled program.
pub struct CompiledProgram {
    /// The program as the framework passed it, with the functions of its custom partitionings.
    source: Vec<u8>,
    options: Vec<u8>,
    /// The program that each device runs, computed on first use.
    optimized: OnceLock<Vec<u8>>,
    /// The name and a hash of the ops and types, computed on first use.
    identity: OnceLock<String>,
    pub assignment: Assignment,
    /// Whether it calls Python functions.
    pub calls_python: bool,
    pub executable: PerDevice,
    pub compile_options: CompileOptions,
    /// The name of the module, computed on first use.
    name: OnceLock<String>,
    /// With measurements of kernels, for profilers.
    measured: OnceLock<Result<PerDevice>>,
    pub fingerprint: String,
    pub outputs: Descriptions,
    pub parameters: Descriptions,
    pub output_shardings: Shardings,
    pub parameter_shardings: Shardings,
    pub cost: NamedValues,
    /// The arguments of calls from C, with tokens.
    pub arguments: Values,
    pub results: Values,
}

/// The descriptions of all outputs or parameters, in C's types.
#[derive(Default)]
pub struct Descriptions {
    pub types: Vec<BufferType>,
    /// The sizes of all values, one after the other.
    pub dims: Vec<i64>,
    pub ranks: Vec<usize>,
    pub memory_kinds: Vec<*const c_char>,
    pub memory_kind_sizes: Vec<usize>,
    pub layouts: Vec<*mut c_api::LayoutsMemoryLayout>,
    _own: Box<[Layout]>,
    /// The total size in bytes of values with static sizes.
    pub byte_size: usize,
}

// SAFETY: the pointers are to static text, and to immutable data that the list owns.
unsafe impl Send for Descriptions {}
// SAFETY: as above.
unsafe impl Sync for Descriptions {}

/// C's executable, one of the owners.
impl Handle for Arc<CompiledProgram> {
    type Opaque = c_api::Executable;
}

impl Descriptions {
    /// The descriptions of values, whose non-tokens have these shapes.
    fn new(shapes: &[ShapePattern], values: &Values) -> Self {
        let mut own = Self::default();
        for (position, pattern) in values.with_tokens(shapes.iter()).enumerate() {
            let kind = KINDS[values.kind(position)];
            own.memory_kinds.push(kind.as_ptr().cast());
            own.memory_kind_sizes.push(kind.len());
            let Some(pattern) = pattern else {
                own.types.push(BufferType::TOKEN);
                own.ranks.push(0);
                continue;
            };
            // Dynamic sizes are reported as the framework's sentinel. The signature has the sizes
            // from major to minor.
            let order = match values.layout(position) {
                None => (0..pattern.rank()).collect(),
                Some(layout) => layout.from_major_to_minor(),
            };
            let dims = order.into_iter().filter_map(|dim| pattern.dims().get(dim));
            own.dims.extend(dims.map(|size| size.map_or(i64::MIN, |size| size as i64)));
            own.types.push(to_buffer_type(pattern.element_type()));
            own.ranks.push(pattern.rank());
            own.byte_size += pattern.to_shape().map_or(0, |shape| shape.byte_size());
        }
        let layouts = own.ranks.iter().enumerate().map(|(position, rank)| {
            let layout = values.layout(position).cloned();
            layout.unwrap_or_else(|| Layout::row_major(*rank))
        });
        own._own = layouts.collect();
        let raw = |layout: &Layout| std::ptr::from_ref(layout).cast_mut().cast();
        own.layouts = own._own.iter().map(raw).collect();
        own
    }
}

/// The shardings of the arguments and of the results of a program's entry. Reports the shardings
/// that the program inspects.
fn shardings(program: &Program, partitions: usize) -> Result<[Shardings; 2]> {
    if partitions == 1 {
        return Ok(Default::default());
    }
    let boundaries = halo::frontend::boundaries(program, partitions)?;
    inspection::tell(&boundaries.inspected)?;
    let lists = [boundaries.arguments, boundaries.results];
    Ok(lists.map(|tilings| Shardings::new(&tilings)))
}

/// Compiles a program for a client's devices. A profiler in progress observes it.
fn compiled(
    client: &Client,
    program: &Program,
    options: &CompileOptions,
) -> Result<Arc<dyn Executable>> {
    let mut options = options.clone();
    if let Some(recorder) = profiler::current() {
        options.observers.add(recorder);
    }
    let compiler = &client.platform.backend.compiler;
    let executable = ffi::run::within(None, || {
        Ok(match client.numerics {
            None => compiler.compile(program, &options)?,
            Some(kinds) => numerics::compile(compiler, program, &options, kinds)?,
        })
    })?;
    Ok(Arc::from(executable))
}

impl CompiledProgram {
    /// Compiles a program of C's for a client's devices.
    ///
    /// # Errors
    /// Returns an invalid-argument error for an unknown format, for options that are invalid, and
    /// with the compiler's diagnostics for a program that does not compile.
    pub fn compile(
        client: &Client,
        format: &str,
        source: &[u8],
        options: &[u8],
    ) -> Result<Arc<Self>> {
        if !FORMATS.contains(&format) {
            return Err(Status::unimplemented(format!(
                "programs in the format '{format}': there are {}",
                FORMATS.join(", ")
            )));
        }
        let (assignment, settings) = compile_options::read(options)?;
        let program = Program {
            name: "program".to_owned(),
            code: source.to_vec(),
        };
        let program = custom_partitioner::partition(program, assignment.partitions)?;
        let target = callbacks::TARGET.as_bytes();
        let calls_python = memchr::memmem::find(&program.code, target).is_some();
        let mut hasher = blake3::Hasher::new();
        let Platform { name, backend } = &*client.platform;
        let version = platform::version();
        for part in [
            version.as_bytes(),
            name.as_bytes(),
            backend.name.as_bytes(),
            &program.code,
            options,
        ] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let fingerprint = hasher.finalize().to_hex().to_string();
        let custom_calls = ffi::extended(&client.custom_calls, name, backend.platform.name());
        let mut compile_options = CompileOptions {
            threads: client.threads,
            cache: client.cache.clone(),
            tuning: client.tuning,
            custom_calls,
            dump_dir: platform::dump_dir(&fingerprint[..16]),
            partitioning: assignment.partitioning(),
            entry_layouts: entry::may_have_attributes(&program),
            ..CompileOptions::default()
        };
        settings.apply(backend, &mut compile_options, &fingerprint[..16])?;
        let executable = compiled(client, &program, &compile_options)?;
        let signature = executable.signature();
        let [arguments, results] = entry::read(&program, &signature.tokens)?;
        let [parameter_shardings, output_shardings] = shardings(&program, assignment.partitions)?;
        let outputs = Descriptions::new(&signature.outputs, &results);
        let parameters = Descriptions::new(&signature.inputs, &arguments);
        let accessed = (parameters.byte_size + outputs.byte_size) as f32;
        Ok(Arc::new(Self {
            source: program.code,
            options: options.to_vec(),
            optimized: OnceLock::new(),
            identity: OnceLock::new(),
            assignment,
            calls_python,
            fingerprint,
            cost: NamedValues::new(vec![("bytes accessed", Value::Float(accessed))]),
            outputs,
            parameters,
            output_shardings,
            parameter_shardings,
            arguments,
            results,
            executable: PerDevice::new(executable),
            compile_options,
            name: OnceLock::new(),
            measured: OnceLock::new(),
        }))
    }

    /// The executable whose kernels report to the observer of a run, compiled on first use.
    ///
    /// # Errors
    /// Returns the compiler's diagnostics.
    pub fn measured(&self, client: &Client) -> Result<&PerDevice> {
        let executable = self.measured.get_or_init(|| {
            let mut options = self.compile_options.clone();
            halo_drivers::instrument(&*client.platform.backend.compiler, &mut options);
            compiled(client, &self.program(), &options).map(PerDevice::new)
        });
        executable.as_ref().map_err(Status::clone)
    }

    /// The name of the module, such as `jit_step`; the name of the entry if it has none.
    pub fn name(&self) -> &str {
        self.name.get_or_init(|| {
            let name = self.with_module(|root| {
                let name = root.attribute("sym_name").and_then(Attribute::string_value);
                name.map(ToString::to_string)
            });
            name.flatten().unwrap_or_else(|| self.signature().name.clone())
        })
    }

    /// The outcome of a function of the program's module; `None` if the program is invalid, which
    /// compiled programs are not.
    pub fn with_module<T>(&self, function: impl FnOnce(Operation<'_>) -> T) -> Option<T> {
        let context = halo::compiler::context();
        let module = halo::frontend::parse(&context, &self.program()).ok()?;
        Some(function(root_of(&module)))
    }

    /// The program as the framework passed it.
    fn program(&self) -> Program {
        Program {
            name: "program".to_owned(),
            code: self.source.clone(),
        }
    }

    pub fn signature(&self) -> &Signature {
        self.executable.first.signature()
    }

    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The program that each device runs, without shardings, which other readers of HLO would have
    /// to interpret.
    ///
    /// # Errors
    /// Returns the errors of the parser.
    pub fn optimized(&self) -> Result<&[u8]> {
        let Some(partitioning) = self.assignment.partitioning() else {
            return Ok(&self.source);
        };
        if let Some(known) = self.optimized.get() {
            return Ok(known);
        }
        let partitioned = halo::frontend::partitioned(&self.program(), partitioning)?;
        Ok(self.optimized.get_or_init(|| partitioned))
    }

    /// The name of the program, with a hash of its ops and types. It is the same in all processes of
    /// a job; locations, and the numbers of callbacks, may differ.
    pub fn identity(&self) -> &str {
        self.identity.get_or_init(|| {
            let mut hasher = blake3::Hasher::new();
            self.with_module(|root| {
                for op in root.collect_nested(|_| true) {
                    hasher.update(op.name().as_bytes());
                    for result in op.results() {
                        hasher.update(result.ty().to_string().as_bytes());
                    }
                }
            });
            let hash = hasher.finalize().to_hex();
            format!("{}:{}", self.name(), &hash[..8])
        })
    }

    pub fn options(&self) -> &[u8] {
        &self.options
    }

    /// The size of the outputs that may share memory with an input in bytes.
    pub fn alias_size(&self) -> usize {
        let aliases = self.signature().aliases.iter();
        let outputs = aliases.map(|alias| &self.signature().outputs[alias.output]);
        let sizes =
            outputs.map(|output| output.to_shape().map_or(0, |shape: Shape| shape.byte_size()));
        sizes.sum()
    }

    /// The program and its options, for [`deserialize`](Self::deserialize) by the same build, which
    /// compiles them again; with `HALO_CACHE_DIR`, that is a lookup.
    pub fn serialize(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for part in [platform::version().as_bytes(), &self.options, &self.source] {
            bytes.extend((part.len() as u64).to_le_bytes());
            bytes.extend(part);
        }
        bytes
    }

    /// # Errors
    /// Returns an invalid-argument error for bytes that are not an executable of Halo; a
    /// failed-precondition error for an executable of another build; the errors of
    /// [`compile`](Self::compile).
    pub fn deserialize(
        client: &Client,
        bytes: &[u8],
        other_options: Option<&[u8]>,
    ) -> Result<Arc<Self>> {
        let invalid = || Status::invalid("the executable is not one of Halo, or is damaged");
        let mut rest = bytes.strip_prefix(MAGIC).ok_or_else(invalid)?;
        let mut part = || {
            let (size, behind) = rest.split_first_chunk()?;
            let size = usize::try_from(u64::from_le_bytes(*size)).ok()?;
            let (part, behind) = behind.split_at_checked(size)?;
            rest = behind;
            Some(part)
        };
        let version = part().ok_or_else(invalid)?;
        if version != platform::version().as_bytes() {
            let version = String::from_utf8_lossy(version).into_owned();
            let message = format!(
                "the executable is of {version}, this is {}",
                platform::version()
            );
            return Err(Status::new(ErrorCode::FAILED_PRECONDITION, message));
        }
        let options = part().ok_or_else(invalid)?;
        let source = part().ok_or_else(invalid)?;
        if !rest.is_empty() {
            return Err(invalid());
        }
        Self::compile(client, "mlir", source, other_options.unwrap_or(options))
    }
}

/// The program in C's hands.
///
/// # Safety
/// As [`handle::borrow`].
pub unsafe fn borrow<'a>(raw: *const c_api::Executable) -> Result<&'a Arc<CompiledProgram>> {
    // SAFETY: by the requirement above.
    unsafe { handle::borrow::<Arc<CompiledProgram>>(raw) }
}
