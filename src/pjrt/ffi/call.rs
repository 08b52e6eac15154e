//! Calls of handlers.
//!
//! A call site is an instance of its handler: stage `instantiate` is called once, when the program
//! is loaded, with the attributes only. A call then runs the stages `prepare`, `initialize` and
//! `execute`, with operands and results.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use halo_core::Shape;
use halo_runtime::custom_call::{CustomCall, CustomCallSite, Handler, StreamHandler};
use halo_runtime::stream::NativeStream;

use super::aliases::{self, Alias};
use super::attributes::Attributes;
use super::context::{Context, Slot};
use super::stages::{Stages, frame};
use super::{data_type, error, future, run};
use crate::c_api::Struct;
use crate::c_api::xla_ffi::{
    self, ArgType, Args, Buffer, CallFrame, DataType, ExecutionStage, RetType, Rets,
};
use crate::status::Result as StatusResult;

/// An instance of a handler.
struct Instance {
    stages: Stages,
    operands: Vec<BufferType>,
    results: Vec<BufferType>,
    attributes: Attributes,
    aliases: Vec<Alias>,
    state: Arc<Slot>,
}

/// The properties of a buffer that are equal in all calls.
struct BufferType {
    dtype: DataType,
    dims: Vec<i64>,
}

impl BufferType {
    fn new(shape: &Shape) -> Result<Self, String> {
        Ok(Self {
            dtype: data_type::of(shape.element_type())?,
            dims: shape.dims().iter().map(|size| *size as i64).collect(),
        })
    }

    fn buffer(&self, data: *mut c_void) -> Buffer {
        Buffer {
            struct_size: Buffer::SIZE,
            extension_start: ptr::null_mut(),
            dtype: self.dtype,
            data,
            rank: self.dims.len() as i64,
            dims: self.dims.as_ptr().cast_mut(),
        }
    }
}

/// Buffers, and the lists of them in a call frame.
struct Buffers {
    arg_types: Vec<ArgType>,
    ret_types: Vec<RetType>,
    pointers: Vec<*mut c_void>,
    _buffers: Vec<Buffer>,
}

impl Buffers {
    fn new(types: &[BufferType], data: &[*mut u8]) -> Self {
        let buffers = types.iter().zip(data);
        let mut buffers: Vec<Buffer> =
            buffers.map(|(r#type, data)| r#type.buffer(data.cast())).collect();
        let pointer = |buffer: &mut Buffer| ptr::from_mut(buffer).cast();
        Self {
            arg_types: vec![ArgType::BUFFER; buffers.len()],
            ret_types: vec![RetType::BUFFER; buffers.len()],
            pointers: buffers.iter_mut().map(pointer).collect(),
            _buffers: buffers,
        }
    }

    fn args(&mut self) -> Args {
        Args {
            struct_size: Args::SIZE,
            extension_start: ptr::null_mut(),
            size: self.arg_types.len() as i64,
            types: self.arg_types.as_mut_ptr(),
            args: self.pointers.as_mut_ptr(),
        }
    }

    fn rets(&mut self) -> Rets {
        Rets {
            struct_size: Rets::SIZE,
            extension_start: ptr::null_mut(),
            size: self.ret_types.len() as i64,
            types: self.ret_types.as_mut_ptr(),
            rets: self.pointers.as_mut_ptr(),
        }
    }
}

/// The handler of a call site on copies in memory of the host.
///
/// # Errors
/// Returns the errors of [`instance`].
pub fn bind(site: &CustomCallSite, stages: Stages) -> Result<Handler, String> {
    let instance = instance(site, stages)?;
    Ok(Arc::new(move |call| instance.call(call)))
}

/// The handler of a call site on a stream.
///
/// # Errors
/// Returns the errors of [`instance`].
pub fn bind_on_stream(site: &CustomCallSite, stages: Stages) -> Result<StreamHandler, String> {
    let instance = instance(site, stages)?;
    let alias = |alias: &Alias| halo_runtime::Alias {
        input: alias.operand,
        output: alias.result,
    };
    Ok(StreamHandler {
        aliases: instance.aliases.iter().map(alias).collect(),
        call: Arc::new(move |stream| instance.call_on_stream(stream)),
    })
}

/// Makes an instance of a handler for a call site.
///
/// # Errors
/// Returns one line of text for element types or attributes that the interface does not support;
/// the handler's own.
fn instance(site: &CustomCallSite, stages: Stages) -> Result<Instance, String> {
    let types = |shapes: &[Shape]| shapes.iter().map(BufferType::new).collect::<Result<_, _>>();
    let mut attributes = site.attributes.clone();
    let aliases = aliases::take(&mut attributes)?;
    for alias in &aliases {
        let operand = site.operands.get(alias.operand);
        if operand.is_none() || operand != site.results.get(alias.result) {
            return Err(format!(
                "result {} cannot be in the memory of operand {}",
                alias.result, alias.operand
            ));
        }
    }
    let instance = Instance {
        stages,
        operands: types(&site.operands)?,
        results: types(&site.results)?,
        attributes: Attributes::new(&attributes, &site.backend_config)?,
        aliases,
        state: Arc::default(),
    };
    let context = Context::new(&instance.state, None);
    let frame = instance.frame(ExecutionStage::INSTANTIATE, &context);
    invoke(stages.instantiate, frame)?;
    drop(context);
    Ok(instance)
}

impl Instance {
    /// A frame without arguments, which borrows its data.
    fn frame(&self, stage: ExecutionStage, context: &Context<'_>) -> CallFrame {
        CallFrame {
            ctx: context.as_raw(),
            attrs: self.attributes.attrs(),
            ..frame(stage)
        }
    }

    fn call(&self, call: &mut CustomCall<'_>) -> Result<(), String> {
        let data = call.operands.iter().map(|view| view.bytes.as_ptr().cast_mut());
        let mut operands: Vec<*mut u8> = data.collect();
        let data = call.results.iter_mut().map(|view| view.bytes.as_mut_ptr());
        let results: Vec<*mut u8> = data.collect();
        for alias in &self.aliases {
            // They have one shape, and therefore one size.
            let (from, to) = (
                &call.operands[alias.operand],
                &mut call.results[alias.result],
            );
            to.bytes.copy_from_slice(from.bytes);
            operands[alias.operand] = results[alias.result];
        }
        self.run_stages(&operands, &results, None)
    }

    fn call_on_stream(&self, stream: &NativeStream<'_>) -> Result<(), String> {
        let addresses: Vec<*mut u8> = stream.addresses.iter().map(|one| one.cast()).collect();
        let (operands, results) = addresses.split_at(self.operands.len());
        self.run_stages(operands, results, Some(stream))
    }

    /// Calls the stages with the addresses of operands and results.
    fn run_stages(
        &self,
        operands: &[*mut u8],
        results: &[*mut u8],
        stream: Option<&NativeStream<'_>>,
    ) -> Result<(), String> {
        let mut operands = Buffers::new(&self.operands, operands);
        let mut results = Buffers::new(&self.results, results);
        let context = Context::new(&self.state, stream);
        let stages = [
            (ExecutionStage::PREPARE, self.stages.prepare),
            (ExecutionStage::INITIALIZE, self.stages.initialize),
            (ExecutionStage::EXECUTE, Some(self.stages.execute)),
        ];
        for (stage, function) in stages {
            let frame = CallFrame {
                args: operands.args(),
                rets: results.rets(),
                ..self.frame(stage, &context)
            };
            invoke(function, frame)?;
        }
        Ok(())
    }
}

/// Calls the function of a stage, if any, and waits for the end of its work.
fn invoke(function: xla_ffi::Handler, mut frame: CallFrame) -> Result<(), String> {
    let Some(function) = function else {
        return Ok(());
    };
    // SAFETY: the owner of the function vouches that it follows the interface. The data that the
    // frame points to lives until the work ends. A future is one that the function made.
    let outcome: StatusResult<()> = unsafe {
        error::from_raw(function(&raw mut frame)).and_then(|()| {
            if frame.future.is_null() {
                Ok(())
            } else {
                future::wait(frame.future)
            }
        })
    };
    outcome.map_err(|status| {
        run::note_failure(status.code);
        status.to_string()
    })
}
