//! Running executables.
//!
//! A run is enqueued on its device, and the caller gets the buffers of the results before they are
//! ready. The thread of the device either runs the program, or enqueues it on a stream if the
//! program can be enqueued as a whole (`streams.rs`). A short run whose inputs are ready runs on the
//! calling thread if the device is idle, since handing it to another thread takes longer. So does a
//! run that calls Python functions: JAX raises their exceptions where the program is called, as it
//! does on CPUs.

use std::mem::offset_of;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use halo_drivers::Recorder;
use halo_runtime::host::ThreadPool;
use halo_runtime::run_observer::RunObserver;
use halo_runtime::{DeviceBuffer, Executable, ExecuteOptions, Stream};
use smallvec::{SmallVec, smallvec};

use crate::buffer::{self, Buffer};
use crate::c_api;
use crate::cores;
use crate::device::Device;
use crate::donation;
use crate::event::Event;
use crate::executable::{self, LoadedExecutable};
use crate::ffi;
use crate::handle;
use crate::launch::Member;
use crate::layouts;
use crate::memory_access;
use crate::profiler;
use crate::program::CompiledProgram;
use crate::status::{Result, Status};
use crate::streams::Streams;

/// Shorter runs are executed by the caller, in nanoseconds. Waking a thread takes a tenth of it.
const SHORT_RUN: u64 = 100_000;

/// One item per device of a call, in most cases one.
type ForDevices<T> = SmallVec<[T; 1]>;

/// A run that a profiler records.
struct Profiled {
    program: Arc<CompiledProgram>,
    recorder: Arc<Recorder>,
    observer: Arc<dyn RunObserver>,
}

/// The code of a run, and the profiler that observes it.
struct Measured {
    executable: Arc<dyn Executable>,
    threads: Option<ThreadPool>,
    profiler: Option<Profiled>,
}

impl Measured {
    /// The code for one of the devices of the program; with measurements, while a profiler is
    /// recording.
    fn new(loaded: &LoadedExecutable, device: usize) -> Result<Self> {
        let program = &loaded.program;
        let threads = threads(loaded, device)?;
        let device = &loaded.client.devices()[device].runtime;
        Ok(match profiler::current() {
            None => Self {
                executable: program.executable.on(device)?,
                threads,
                profiler: None,
            },
            Some(recorder) => Self {
                executable: program.measured(&loaded.client)?.on(device)?,
                threads,
                profiler: Some(Profiled {
                    program: Arc::clone(program),
                    recorder: Arc::clone(&recorder),
                    observer: recorder,
                }),
            },
        })
    }

    /// Returns true if the code is to run on a stream.
    fn is_for_stream(&self) -> bool {
        self.profiler.is_none() && self.executable.is_enqueued_whole()
    }

    /// Runs the code with the options of a run.
    fn run<T>(
        &self,
        identity: &ffi::run::Run,
        member: Option<&Member>,
        (donated, stream): (&[usize], Option<&dyn Stream>),
        execute: impl FnOnce(&dyn Executable, &ExecuteOptions<'_>) -> halo_runtime::Result<T>,
    ) -> Result<T> {
        let options = ExecuteOptions {
            process: member.map(|member| &member.process),
            donated,
            stream,
            threads: self.threads.as_ref(),
            observer: self.profiler.as_ref().map(|profiled| &profiled.observer),
        };
        let executable = &*self.executable;
        let run = || ffi::run::within(Some(identity), || Ok(execute(executable, &options)?));
        match &self.profiler {
            None => run(),
            Some(profiled) => profiled.recorder.run(profiled.program.name(), false, run),
        }
    }
}

/// The threads of a run, if they are not all threads of the program: the device has separate
/// cores, or the program runs on several devices at the same time.
fn threads(loaded: &LoadedExecutable, device: usize) -> Result<Option<ThreadPool>> {
    let options = &loaded.program.compile_options;
    if let Some(own) = &loaded.client.devices()[device].threads {
        let limit = options.threads.map(|threads| own.limited(threads));
        return Ok(Some(limit.unwrap_or_else(|| own.clone())));
    }
    let devices = &loaded.devices;
    if devices.len() == 1 {
        return Ok(None);
    }
    let all = ThreadPool::shared(options.thread_count())?;
    let position = devices.iter().position(|own| *own == device).unwrap_or_default();
    Ok(Some(all.limited(cores::share(
        all.threads(),
        devices.len(),
        position,
    ))))
}

/// A value and its copy in another memory.
type Copies = Vec<(DeviceBuffer, DeviceBuffer)>;

/// Moves inputs in memory of the host to memory of the device, on which programs work, and returns
/// the copies that do so.
fn to_device(device: &Device, inputs: &mut [DeviceBuffer]) -> Result<Copies> {
    let mut copies = Vec::new();
    let others = inputs
        .iter_mut()
        .filter(|input| !device.has_host_memory && memory_access::is_of_host(input.memory()));
    for input in others {
        let copy = device.allocate(input.shape(), 0)?;
        copies.push((std::mem::replace(input, copy.clone()), copy));
    }
    Ok(copies)
}

/// The results in memory of the kinds that the program specifies, and the copies from the outputs.
fn to_kinds(
    loaded: &LoadedExecutable,
    device: &Device,
    outputs: &[DeviceBuffer],
) -> Result<(Vec<DeviceBuffer>, Copies)> {
    let results = &loaded.program.results;
    let (mut values, mut copies) = (Vec::with_capacity(outputs.len()), Vec::new());
    for (output, position) in outputs.iter().zip(results.tensors()) {
        let kind = results.kind(position);
        if kind == 0 || device.has_host_memory {
            values.push(output.clone());
            continue;
        }
        let value = device.allocate(output.shape(), kind)?;
        copies.push((output.clone(), value.clone()));
        values.push(value);
    }
    Ok((values, copies))
}

fn copy(runtime: &halo_runtime::Device, copies: &Copies) -> Result<()> {
    copies
        .iter()
        .try_for_each(|(from, to)| memory_access::copy((runtime, from), (runtime, to)))
}

/// One run on one device, ready to start.
struct Run {
    measured: Measured,
    /// The identity of the run, for handlers of custom calls.
    identity: ffi::run::Run,
    member: Option<Member>,
    inputs: Vec<DeviceBuffer>,
    /// The events of the inputs.
    awaited: Vec<Event>,
    donated: Vec<usize>,
    outputs: Vec<DeviceBuffer>,
    /// To the inputs, and from the outputs.
    copies: [Copies; 2],
    /// The device of the copies.
    runtime: halo_runtime::Device,
    done: Event,
}

impl Run {
    /// Runs on this thread, and returns the time that it took in nanoseconds.
    fn go(self) -> u64 {
        let start = Instant::now();
        let awaited = self.awaited.iter().try_for_each(Event::wait);
        let outcome = awaited.and_then(|()| self.execute(None));
        let time = start.elapsed().as_nanos() as u64;
        self.finish(outcome);
        time
    }

    fn execute(&self, stream: Option<&dyn Stream>) -> Result<()> {
        let (member, donated) = (self.member.as_ref(), &self.donated[..]);
        let way = (donated, stream);
        let [to_inputs, from_outputs] = &self.copies;
        copy(&self.runtime, to_inputs)?;
        self.measured.run(&self.identity, member, way, |executable, options| {
            executable.execute_into(options, &self.inputs, &self.outputs)
        })?;
        copy(&self.runtime, from_outputs)
    }

    /// Returns true if it is to be enqueued on a stream.
    fn is_for_stream(&self) -> bool {
        self.copies.iter().all(Vec::is_empty) && self.measured.is_for_stream()
    }

    /// Enqueues the run on a stream, which waits for its inputs that are results of runs on streams
    /// of the device. This thread waits for the others.
    fn enqueue(self, streams: &Arc<Streams>) {
        let mut others = self.awaited.iter().filter(|event| !streams.have(event));
        let stream = others.try_for_each(Event::wait).and_then(|()| streams.begin());
        let stream = match stream {
            Ok(stream) => stream,
            Err(error) => return self.finish(Err(error)),
        };
        let outcome = self.execute(Some(&*stream));
        streams.end(stream, &self.done.clone(), move |done| {
            // Earlier runs have ended, and their errors precede the ones here.
            let awaited = self.awaited.iter().try_for_each(Event::wait);
            self.finish(awaited.and(outcome).and(done));
        });
    }

    /// Reports the end of the run.
    fn finish(self, outcome: Result<()>) {
        let (done, member) = (self.done.clone(), self.member.clone());
        // The resources of the run are released before its end is reported.
        drop(self);
        match member {
            Some(member) => member.finish(&done, outcome),
            None => done.set(outcome),
        }
    }
}

/// The inputs of a run, and their ownership.
struct Inputs {
    /// Whether the only input is in memory borrowed from another library.
    is_borrowed: bool,
    contents: Vec<DeviceBuffer>,
    awaited: Vec<Event>,
    donated: Vec<usize>,
}

impl Inputs {
    /// Takes the memory of arguments, each with its position among all arguments from C, tokens
    /// too. Arguments that the program may overwrite are deleted, unless `kept` has their
    /// positions.
    fn take(
        program: &CompiledProgram,
        arguments: &[(usize, &Buffer)],
        kept: &[i64],
    ) -> Result<Self> {
        let signature = program.signature();
        layouts::check(program, arguments)?;
        let shapes = arguments.iter().map(|(_, argument)| argument.memory_shape());
        signature.check_inputs(shapes)?;
        let aliases = signature.aliases.iter().map(|alias| alias.input);
        let given_away: Vec<usize> =
            aliases.filter(|input| !kept.contains(&(arguments[*input].0 as i64))).collect();
        donation::check(arguments, &given_away)?;
        let is_borrowed = matches!(arguments, [(_, one)] if one.is_borrowed());
        // All arguments are checked before the first one is taken.
        let mut contents = Vec::with_capacity(arguments.len());
        let mut awaited = Vec::new();
        for (_, argument) in arguments {
            contents.push(argument.contents()?);
            if !argument.ready.has_succeeded() {
                awaited.push(argument.ready.clone());
            }
        }
        let mut donated = Vec::new();
        for input in given_away {
            let (own, may_be_overwritten) = arguments[input].1.donate()?;
            let is_shared = |(other, contents): (usize, &DeviceBuffer)| {
                other != input && contents.memory().is_same(own.memory())
            };
            if may_be_overwritten && !contents.iter().enumerate().any(is_shared) {
                donated.push(input);
            }
        }
        Ok(Self {
            is_borrowed,
            contents,
            awaited,
            donated,
        })
    }
}

/// Starts a run on a device, and returns its results and its completion event.
fn start(
    loaded: &LoadedExecutable,
    identity: ffi::run::Run,
    member: Option<Member>,
    mut inputs: Inputs,
) -> Result<(Vec<Buffer>, Event)> {
    let program = &loaded.program;
    let number = identity.device;
    if !program.signature().has_static_outputs() {
        return run_now(loaded, &identity, member, inputs);
    }
    let device = &loaded.client.devices()[number];
    let measured = Measured::new(loaded, number)?;
    let to_inputs = to_device(device, &mut inputs.contents)?;
    let options = ExecuteOptions {
        donated: &inputs.donated,
        ..ExecuteOptions::default()
    };
    let outputs = device.allocating(|| {
        let outputs = measured.executable.take_outputs(&options, &inputs.contents);
        outputs.map_err(Status::from)
    })?;
    let done = Event::default();
    let (values, from_outputs) = to_kinds(loaded, device, &outputs)?;
    let results = buffers(loaded, number, values, &done)?;
    let is_alone = member.is_none();
    let run = Run {
        measured,
        identity,
        member,
        inputs: inputs.contents,
        awaited: inputs.awaited,
        donated: inputs.donated,
        outputs,
        copies: [to_inputs, from_outputs],
        runtime: device.runtime.clone(),
        done: done.clone(),
    };
    let last = loaded.last_run.load(Ordering::Relaxed);
    let is_short = (1..SHORT_RUN).contains(&last);
    // JAX copies a NumPy array by a program that returns its argument, and assumes that the copy is
    // complete when the call returns, even if NumPy's array changes afterwards.
    let is_copy = inputs.is_borrowed && is_small(program) && loaded.is_copy();
    let is_at_once = is_copy || ((is_short || program.calls_python) && device.is_idle());
    if is_alone && run.awaited.is_empty() && is_at_once {
        if !device.has_host_memory {
            // In the order of other runs, which may overwrite its inputs.
            enqueue(loaded, device, run)?;
            done.wait()?;
            return Ok((results, done));
        }
        loaded.last_run.store(run.go().max(1), Ordering::Relaxed);
        done.wait()?;
    } else {
        enqueue(loaded, device, run)?;
    }
    Ok((results, done))
}

/// Enqueues a run on a device.
fn enqueue(loaded: &LoadedExecutable, device: &Device, run: Run) -> Result<()> {
    if run.is_for_stream() {
        let streams = Arc::clone(device.streams()?);
        device.add_run(&run.done);
        return device.queue.enqueue(move || run.enqueue(&streams));
    }
    let last_run = Arc::clone(&loaded.last_run);
    let streams = device.used_streams().map(Arc::clone);
    device.queue.enqueue(move || {
        streams.iter().for_each(|streams| streams.wait());
        last_run.store(run.go().max(1), Ordering::Relaxed);
    })
}

/// Returns true if the program may be an identity, so that it is worth checking.
fn is_small(program: &CompiledProgram) -> bool {
    const LIMIT: usize = 16 << 10;
    program.source().len() < LIMIT
}

/// Runs on this thread a program with results of dynamic shape.
fn run_now(
    loaded: &LoadedExecutable,
    identity: &ffi::run::Run,
    member: Option<Member>,
    mut inputs: Inputs,
) -> Result<(Vec<Buffer>, Event)> {
    inputs.awaited.iter().try_for_each(Event::wait)?;
    let member = member.as_ref();
    let measured = Measured::new(loaded, identity.device)?;
    let device = &loaded.client.devices()[identity.device];
    let to_inputs = to_device(device, &mut inputs.contents)?;
    copy(&device.runtime, &to_inputs)?;
    // Runs that are enqueued may read the donated memory.
    let outputs = measured.run(identity, member, (&[], None), |executable, options| {
        executable.execute(options, &inputs.contents)
    })?;
    let (values, from_outputs) = to_kinds(loaded, device, &outputs)?;
    copy(&device.runtime, &from_outputs)?;
    let done = Event::ready(Ok(()));
    Ok((buffers(loaded, identity.device, values, &done)?, done))
}

/// The results of a run, in the memory kinds and with the layouts that the program specifies.
fn buffers(
    loaded: &LoadedExecutable,
    device: usize,
    outputs: Vec<DeviceBuffer>,
    done: &Event,
) -> Result<Vec<Buffer>> {
    let results = &loaded.program.results;
    let buffer = |(output, position)| {
        let place = (device, results.kind(position));
        let buffer = Buffer::new(&loaded.client, place, output, done.clone(), true);
        buffer.in_layout(results.layout(position))
    };
    outputs.into_iter().zip(results.tensors()).map(buffer).collect()
}

pub unsafe fn execute(arguments: &mut c_api::LoadedExecutableExecuteArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable, options, and lists of `num_devices` devices.
    let (loaded, kept, launch, user_data, lists, outputs) = unsafe {
        let loaded = executable::borrow(arguments.executable)?;
        let options = arguments.options.as_ref();
        let kept = match options {
            Some(options) => handle::slice(
                options.non_donatable_input_indices,
                options.num_non_donatable_input_indices,
            )?,
            None => &[],
        };
        let launch = options.map_or(0, |options| options.launch_id);
        // Older callers do not have the field.
        let end = offset_of!(c_api::ExecuteOptions, context) + size_of::<*mut ()>();
        let context = options.filter(|options| options.struct_size >= end);
        let context = context.map(|options| options.context);
        let user_data = match context.filter(|context| !context.is_null()) {
            Some(context) => Some(Arc::clone(handle::borrow(context)?)),
            None => None,
        };
        let lists = handle::slice(arguments.argument_lists, arguments.num_devices)?;
        let outputs = handle::slice(arguments.output_lists, arguments.num_devices)?;
        (loaded, kept, launch, user_data, lists, outputs)
    };
    loaded.check_not_deleted()?;
    // SAFETY: the caller passes a valid device, or null.
    let devices = unsafe { devices_of(loaded, arguments.execute_device, lists.len()) }?;
    // Programs with collectives between devices must be enqueued in the same order on all of them.
    let is_grid = loaded.program.assignment.devices.len() > 1;
    let _order = is_grid.then(|| loaded.client.launch_order());
    let members = loaded.members();
    let start_all = || {
        let mut inputs = ForDevices::with_capacity(lists.len());
        for list in lists {
            // SAFETY: each list has the given number of valid buffers.
            let buffers = unsafe {
                let list = handle::slice(*list, arguments.num_args)?;
                let values = list
                    .iter()
                    .enumerate()
                    .filter(|(position, _)| !loaded.program.arguments.tokens.contains(position));
                let buffers = values.map(|(position, raw)| Ok((position, buffer::borrow(*raw)?)));
                buffers.collect::<Result<SmallVec<[(usize, &Buffer); 8]>>>()?
            };
            inputs.push(Inputs::take(&loaded.program, &buffers, kept)?);
        }
        let mut started = ForDevices::with_capacity(lists.len());
        let id = ffi::run::next_id();
        for (number, (inputs, device)) in inputs.into_iter().zip(devices).enumerate() {
            let member = members.get(number).cloned();
            let identity = ffi::run::Run {
                id,
                device,
                user_data: user_data.clone(),
            };
            let (results, done) = start(loaded, identity, member, inputs)?;
            if launch != 0 && done.outcome().is_none() {
                loaded.client.devices()[device].add_launch(launch, &done);
            }
            started.push((device, (results, done)));
        }
        Ok(started)
    };
    // Others wait for runs that do not start.
    let started = start_all()
        .inspect_err(|_: &Status| members.iter().for_each(|member| member.process.end(true)))?;
    drop(members);
    // Nothing fails from here on: after an error, the caller would have no results to destroy.
    for (number, (device, (results, done))) in started.into_iter().enumerate() {
        let results = loaded.program.results.with_tokens(results.into_iter());
        let results = results.map(|result| {
            result.unwrap_or_else(|| Buffer::token(&loaded.client, (device, 0), done.clone()))
        });
        for (position, result) in results.enumerate() {
            // SAFETY: the caller has room for the results of each device.
            unsafe { outputs[number].add(position).write(result.into_raw()) };
        }
        if !arguments.device_complete_events.is_null() {
            // SAFETY: the caller has room for an event of each device.
            unsafe {
                let event = arguments.device_complete_events.add(number);
                event.write(done.into_raw());
            }
        }
    }
    Ok(())
}

/// The devices of a run: the devices of the executable, or the one that the caller names.
///
/// # Safety
/// `named` must be null, or a valid device.
unsafe fn devices_of(
    loaded: &LoadedExecutable,
    named: *mut c_api::Device,
    count: usize,
) -> Result<ForDevices<usize>> {
    if !named.is_null() {
        if count != 1 || loaded.devices.len() != 1 {
            return Err(Status::unimplemented(
                "runs of a program for several devices on one of them",
            ));
        }
        // SAFETY: the caller passes a valid device.
        let (device, _) = unsafe { loaded.client.place(named, ptr::null_mut()) }?;
        loaded.program.executable.on(&loaded.client.devices()[device].runtime)?;
        return Ok(smallvec![device]);
    }
    if count == loaded.devices.len() {
        Ok(SmallVec::from_slice(&loaded.devices))
    } else {
        Err(Status::invalid(format!(
            "arguments for {count} devices are given to a program for {}",
            loaded.devices.len()
        )))
    }
}

/// The context of a run: data for handlers of custom calls.
impl handle::Handle for Arc<ffi::run::UserData> {
    type Opaque = c_api::ExecuteContext;
}

pub unsafe fn create_context(arguments: &mut c_api::ExecuteContextCreateArgs) -> Result<()> {
    arguments.context = handle::into_raw(Arc::<ffi::run::UserData>::default());
    Ok(())
}

pub unsafe fn destroy_context(arguments: &mut c_api::ExecuteContextDestroyArgs) -> Result<()> {
    // SAFETY: the caller passes a valid context, or null. Runs have their own
    // share of the data.
    unsafe { handle::destroy::<Arc<ffi::run::UserData>>(arguments.context) };
    Ok(())
}
