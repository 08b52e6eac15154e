//! One run of a plan: each step becomes an entry of a stream, or a decision.

use std::cell::OnceCell;
use std::sync::Arc;

use halo_core::AlignedBuffer;
use halo_core::buffer::ALIGNMENT;

use super::executable::{BoundCall, BoundHandler, Loaded};
use super::observed;
use super::{BufferReference, ConditionalKind, KernelArgument, Slice, Thunk};
use crate::custom_call::{
    CustomCall, Handler, StreamHandler, View, ViewMut, invoke, invoke_on_stream,
};
use crate::run_observer::RunObserver;
use crate::stream::NativeStream;
use crate::{
    DeviceBuffer, DeviceMemory, Error, ExecuteOptions, GemmCall, Launch, LaunchArgument,
    MemorySlice, Process, Stream,
};

/// The reason for which a run ends early.
pub(super) enum Halt {
    Error(Error),
    /// An entry of the stream failed, and the stream has the error.
    StreamFailed,
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// A run, with the buffers of its slices.
pub(super) struct Run<'a> {
    loaded: &'a Loaded,
    stream: &'a dyn Stream,
    inputs: &'a [DeviceBuffer],
    outputs: &'a [DeviceBuffer],
    arena: &'a DeviceMemory,
    /// The induction variables of the loops that are running, with the numbers
    /// of their bodies.
    counters: Vec<(u32, [u8; 8])>,
    /// The process that makes custom calls; created as the only process of a grid on first use.
    process: OnceCell<Arc<Process>>,
    /// The observer of the run.
    observer: Option<&'a Arc<dyn RunObserver>>,
}

impl<'a> Run<'a> {
    pub fn new(
        loaded: &'a Loaded,
        stream: &'a dyn Stream,
        inputs: &'a [DeviceBuffer],
        outputs: &'a [DeviceBuffer],
        arena: &'a DeviceMemory,
    ) -> Self {
        Self {
            loaded,
            stream,
            inputs,
            outputs,
            arena,
            counters: Vec::new(),
            process: OnceCell::new(),
            observer: None,
        }
    }

    /// Runs the program as a process, if one is given, and measures it if it is observed.
    ///
    /// # Errors
    /// Returns the errors of the plan's steps, as far as they occur on the host.
    pub fn program(&mut self, options: &ExecuteOptions<'a>) -> Result<(), Halt> {
        let process = options.process.cloned();
        self.process = process.map_or_else(OnceCell::new, OnceCell::from);
        self.observer = options.observer;
        self.sequence(0)
    }

    /// Runs a sequence, and the nested sequences of its steps, within the depth limit of plans.
    fn sequence(&mut self, number: u32) -> Result<(), Halt> {
        let loaded = self.loaded;
        let thunks = loaded.plan.sequences.get(number as usize);
        let thunks = thunks.ok_or_else(|| missing("sequence"))?;
        let Some(observer) = self.observer else {
            return thunks.iter().try_for_each(|thunk| self.thunk(thunk));
        };
        let sites = loaded.sites.get_or_init(|| observed::sites(loaded));
        let sites = sites.get(number as usize).ok_or_else(|| missing("sequence"))?;
        let mut steps = thunks.iter().zip(sites);
        steps.try_for_each(|(thunk, site)| match site {
            None => self.thunk(thunk),
            Some(site) => observed::observe(self.stream, observer, site, || self.thunk(thunk)),
        })
    }

    fn thunk(&mut self, thunk: &Thunk) -> Result<(), Halt> {
        match thunk {
            Thunk::Launch {
                kernel,
                grid,
                block,
                dynamic_shared_memory,
                arguments,
            } => {
                let module = self.loaded.module.as_ref();
                let arguments = arguments.iter().map(|argument| self.argument(argument));
                let arguments: Vec<LaunchArgument<'_>> = arguments.collect::<Result<_, Halt>>()?;
                self.stream.launch(&Launch {
                    module: module.ok_or_else(|| missing("module"))?,
                    kernel: *kernel as usize,
                    grid: *grid,
                    block: *block,
                    dynamic_shared_memory: *dynamic_shared_memory,
                    arguments: &arguments,
                })?;
            }
            Thunk::Copy { source, target } if source.size > 0 => {
                let (source, target) = (self.slice(source)?, self.slice(target)?);
                // A donated input shares the memory of its output already.
                let is_same = source.memory().id() == target.memory().id()
                    && source.offset() == target.offset();
                if !is_same {
                    self.stream.copy_slice(source, target)?;
                }
            }
            Thunk::Fill { target, pattern } if target.size > 0 => {
                self.stream.fill_slice(self.slice(target)?, *pattern)?;
            }
            // Nothing to do.
            Thunk::Copy { .. } | Thunk::Fill { .. } => {}
            Thunk::Gemm(gemm) => self.stream.gemm(&GemmCall {
                gemm,
                a: self.slice(&gemm.a.slice)?,
                b: self.slice(&gemm.b.slice)?,
                c: self.slice(&gemm.c.slice)?,
            })?,
            Thunk::CustomCall {
                site,
                operands,
                results,
            } => {
                let call = self.loaded.calls.get(*site as usize);
                let call = call.ok_or_else(|| missing("custom call"))?;
                match &call.handler {
                    BoundHandler::Host(handler) => {
                        self.custom_call(call, handler, operands, results)?;
                    }
                    BoundHandler::Stream(handler) => {
                        self.call_on_stream(call, handler, operands, results)?;
                    }
                }
            }
            Thunk::While {
                condition,
                predicate,
                body,
            } => loop {
                self.sequence(*condition)?;
                if self.read(predicate)? == [0] {
                    break;
                }
                self.sequence(*body)?;
            },
            Thunk::Conditional {
                kind,
                index,
                branches,
            } => {
                let last = branches.len().saturating_sub(1);
                let chosen = match kind {
                    ConditionalKind::Predicate => usize::from(self.read(index)? == [0]),
                    ConditionalKind::Index => {
                        let index = i32::from_le_bytes(self.read(index)?);
                        usize::try_from(index).unwrap_or(last).min(last)
                    }
                };
                let branch = branches.get(chosen).ok_or_else(|| missing("branch"))?;
                self.sequence(*branch)?;
            }
            Thunk::For {
                lower,
                upper,
                step,
                body,
            } => {
                let mut next = (lower < upper).then_some(*lower);
                while let Some(counter) = next {
                    self.counters.push((*body, counter.to_le_bytes()));
                    let outcome = self.sequence(*body);
                    self.counters.pop();
                    outcome?;
                    next = counter.checked_add(*step).filter(|next| next < upper);
                }
            }
        }
        Ok(())
    }

    /// The memory of a slice.
    fn slice(&self, slice: &Slice) -> Result<MemorySlice<'a>, Halt> {
        let loaded = self.loaded;
        let (memory, begin) = match slice.buffer {
            BufferReference::Input(number) => (memory(self.inputs, number)?, 0),
            BufferReference::Output(number) => (memory(self.outputs, number)?, 0),
            BufferReference::Arena => (self.arena, 0),
            BufferReference::Constant(number) => {
                let begin = loaded.constant_offsets.get(number as usize);
                (
                    &loaded.constants,
                    *begin.ok_or_else(|| missing("constant"))?,
                )
            }
        };
        let offset = usize::try_from(slice.offset).ok();
        let offset = offset.and_then(|offset| offset.checked_add(begin));
        match (offset, usize::try_from(slice.size)) {
            (Some(offset), Ok(size)) => Ok(memory.slice(offset, size)?),
            _ => Err(missing("memory").into()),
        }
    }

    fn argument<'b>(&'b self, argument: &'b KernelArgument) -> Result<LaunchArgument<'b>, Halt> {
        Ok(match argument {
            KernelArgument::Buffer(slice) => LaunchArgument::Memory(self.slice(slice)?),
            KernelArgument::Scalar(bytes) => LaunchArgument::Scalar(bytes),
            KernelArgument::TensorMap(map) => LaunchArgument::TensorMap {
                memory: self.slice(&map.slice)?,
                map,
            },
            KernelArgument::Counter(body) => {
                let mut running = self.counters.iter().rev();
                let counter = running.find(|(running, _)| running == body);
                let (_, counter) = counter.ok_or_else(|| missing("counter"))?;
                LaunchArgument::Scalar(counter)
            }
        })
    }

    /// Waits for a few bytes.
    fn read<const SIZE: usize>(&self, slice: &Slice) -> Result<[u8; SIZE], Halt> {
        let mut bytes = [0; SIZE];
        self.read_into(slice, &mut bytes)?;
        Ok(bytes)
    }

    fn read_into(&self, slice: &Slice, target: &mut [u8]) -> Result<(), Halt> {
        if self.stream.read(self.slice(slice)?, target)? {
            Ok(())
        } else {
            Err(Halt::StreamFailed)
        }
    }

    /// Calls a function that enqueues its work.
    fn call_on_stream(
        &self,
        call: &BoundCall,
        handler: &StreamHandler,
        operands: &[Slice],
        results: &[Slice],
    ) -> Result<(), Halt> {
        let slices = |all: &[Slice]| -> Result<Vec<_>, Halt> {
            all.iter().map(|slice| self.slice(slice)).collect()
        };
        let (mut memory, results) = (slices(operands)?, slices(results)?);
        for alias in &handler.aliases {
            let (from, to) = (memory.get_mut(alias.input), results.get(alias.output));
            let (Some(from), Some(to)) = (from, to) else {
                return Err(missing("alias").into());
            };
            self.stream.copy_slice(*from, *to)?;
            *from = *to;
        }
        memory.extend(results);
        let mut invoke = |stream: &NativeStream<'_>| invoke_on_stream(handler, &call.site, stream);
        Ok(self.stream.call_native(&memory, &mut invoke)?)
    }

    /// Calls a function of the host on copies of its operands.
    fn custom_call(
        &self,
        call: &BoundCall,
        handler: &Handler,
        operands: &[Slice],
        results: &[Slice],
    ) -> Result<(), Halt> {
        let site = &call.site;
        let mut given: Vec<AlignedBuffer> = host_buffers(operands)?;
        for (slice, buffer) in operands.iter().zip(&mut given) {
            self.read_into(slice, buffer.as_bytes_mut())?;
        }
        if operands.is_empty() {
            // The side effects of the call come after the effects of earlier calls.
            self.read_into(&NOTHING, &mut [])?;
        }
        let mut taken = host_buffers(results)?;
        let threads = &self.loaded.threads;
        let parallel_for = |count: i64, grain: i64, body: &(dyn Fn(i64, i64) + Sync)| {
            threads.parallel_for(count, grain, body);
        };
        let given = site.operands.iter().zip(&site.operand_layouts).zip(&given);
        let shapes = site.results.iter().zip(&site.result_layouts);
        let mut arguments = CustomCall {
            site,
            operands: given
                .map(|((shape, layout), buffer)| View {
                    shape,
                    layout,
                    bytes: buffer.as_bytes(),
                })
                .collect(),
            results: shapes
                .zip(&mut taken)
                .map(|((shape, layout), buffer)| ViewMut {
                    shape,
                    layout,
                    bytes: buffer.as_bytes_mut(),
                })
                .collect(),
            parallel_for: &parallel_for,
            process: self.process.get_or_init(Process::alone),
            failure: None,
        };
        invoke(handler, &mut arguments)?;
        for (slice, buffer) in results.iter().zip(&taken) {
            let bytes = buffer.as_bytes().to_vec();
            self.stream.copy_to_slice(bytes, self.slice(slice)?)?;
        }
        Ok(())
    }
}

/// No bytes of the arena.
const NOTHING: Slice = Slice {
    buffer: BufferReference::Arena,
    offset: 0,
    size: 0,
};

fn memory(buffers: &[DeviceBuffer], number: u32) -> Result<&DeviceMemory, Halt> {
    let buffer = buffers.get(number as usize);
    Ok(buffer.ok_or_else(|| missing("buffer"))?.memory())
}

/// Memory of the host for the contents of slices.
fn host_buffers(slices: &[Slice]) -> Result<Vec<AlignedBuffer>, Halt> {
    let buffers = slices.iter().map(|slice| {
        let size = usize::try_from(slice.size).ok();
        let buffer = size.and_then(|size| AlignedBuffer::try_zeroed(size, ALIGNMENT));
        buffer.ok_or_else(|| {
            Error::execution(format!("out of memory for {} bytes", slice.size)).into()
        })
    });
    buffers.collect()
}

/// The error of a missing element of a validated plan.
fn missing(what: &str) -> Error {
    Error::internal(format!("a plan names no {what} that is there"))
}
