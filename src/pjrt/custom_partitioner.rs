//! The extension by which a framework partitions custom calls, such as the calls of
//! `jax.experimental.custom_partitioning`.
//!
//! Shapes are serialized `xla.ShapeProto`, shardings serialized `xla.OpSharding`. Several results
//! are a tuple.

use std::collections::BTreeMap;
use std::mem::zeroed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use halo::frontend::custom_partitioning::{
    CustomPartitioner, PartitionedCall, PartitionedTensor, TileFunction, partition_custom_calls,
};
use halo_backend::Program;
use prost::Message;

use crate::c_api::{
    CustomPartitionerExtension, ExtensionBase, ExtensionType,
    JAX_CustomCallPartitioner_Callbacks as Callbacks,
    JAX_CustomCallPartitioner_InferShardingFromOperands_Args as InferArgs,
    JAX_CustomCallPartitioner_Partition_Args as PartitionArgs,
    JAX_CustomCallPartitioner_PropagateUserSharding_Args as PropagateArgs,
    JAX_CustomCallPartitioner_aval as Aval, JAX_CustomCallPartitioner_string as Text,
    JAX_CustomCallPartitioner_version_and_error as Header, RegisterBatchPartitionableArgs,
    RegisterCustomPartitionerArgs,
};
use crate::canonical_shape::Shape;
use crate::extension::{base, table};
use crate::handle;
use crate::shardings::OpSharding;
use crate::status::{Result, Status};

/// The functions for one target.
struct Registered(*mut Callbacks);

// SAFETY: the framework vouches that the functions may be called on any thread.
unsafe impl Send for Registered {}
// SAFETY: as above.
unsafe impl Sync for Registered {}

impl Drop for Registered {
    fn drop(&mut self) {
        // SAFETY: the callbacks are valid until they are deleted here.
        unsafe {
            if let Some(delete) = (*self.0).dtor {
                delete(self.0);
            }
        }
    }
}

type Registry = BTreeMap<String, Arc<Registered>>;

static REGISTERED: Mutex<Registry> = Mutex::new(Registry::new());

fn registered() -> MutexGuard<'static, Registry> {
    REGISTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The program with its calls of registered targets partitioned, if it has any.
///
/// # Errors
/// Returns the errors of the parser, and of the framework.
pub fn partition(program: Program, partitions: usize) -> Result<Program> {
    let is_called =
        |target: &String| memchr::memmem::find(&program.code, target.as_bytes()).is_some();
    if partitions == 1 || !registered().keys().any(is_called) {
        return Ok(program);
    }
    let partitioned = partition_custom_calls(&program, partitions, &Framework)?;
    Ok(match partitioned {
        Some(code) => Program { code, ..program },
        None => program,
    })
}

/// The framework that has registered callbacks.
struct Framework;

/// A call in C's types, with the bytes that these point to.
struct Arguments {
    operands: Vec<Aval>,
    result: Aval,
    config: String,
    _own: Vec<Vec<u8>>,
}

impl Arguments {
    fn new(call: &PartitionedCall) -> Result<Self> {
        let mut own = Vec::new();
        let mut aval = |shape: Vec<u8>, sharding: Vec<u8>| {
            let aval = Aval {
                shape: text(&shape),
                has_sharding: true,
                sharding: text(&sharding),
            };
            own.extend([shape, sharding]);
            aval
        };
        let shape = |tensor: &PartitionedTensor| Shape::new(tensor.element_type, &tensor.sizes);
        let sharding = |tensor: &PartitionedTensor| OpSharding::new(tensor.tiling.as_ref());
        let operands = call.operands.iter().map(|tensor| {
            let shape = shape(tensor)?.encode_to_vec();
            Ok(aval(shape, sharding(tensor).encode_to_vec()))
        });
        let operands = operands.collect::<Result<_>>()?;
        let results = call.results.iter();
        let result = match &call.results[..] {
            [result] => aval(
                shape(result)?.encode_to_vec(),
                sharding(result).encode_to_vec(),
            ),
            all => {
                let shapes = all.iter().map(shape).collect::<Result<_>>()?;
                let shardings = results.map(sharding).collect();
                aval(
                    Shape::tuple(shapes).encode_to_vec(),
                    OpSharding::tuple(shardings).encode_to_vec(),
                )
            }
        };
        Ok(Self {
            operands,
            result,
            config: call.backend_config.clone(),
            _own: own,
        })
    }
}

fn text(bytes: &[u8]) -> Text {
    Text {
        data: bytes.as_ptr().cast(),
        size: bytes.len(),
    }
}

/// # Safety
/// The text must be valid.
unsafe fn bytes<'a>(text: Text) -> Result<&'a [u8]> {
    // SAFETY: by the requirement above.
    unsafe { handle::slice(text.data.cast(), text.size) }
}

/// The sharding in a text.
///
/// # Safety
/// The text must be valid.
unsafe fn sharding(text: Text) -> Result<OpSharding> {
    // SAFETY: by the requirement above.
    let bytes = unsafe { bytes(text) }?;
    OpSharding::decode(bytes).map_err(|error| Status::internal(error.to_string()))
}

/// The shardings of the results of a call, of which several are a tuple.
///
/// # Safety
/// The text must be valid.
unsafe fn of_results(text: Text, call: &PartitionedCall) -> Result<Vec<String>> {
    // SAFETY: by the requirement above.
    let sharding = unsafe { sharding(text) }?;
    let all = match call.results.len() {
        1 => vec![sharding],
        _ => sharding.tuple_shardings,
    };
    all.iter().map(OpSharding::text).collect()
}

/// Memory of a callback's results.
struct Results<'a>(&'a Header);

impl Drop for Results<'_> {
    fn drop(&mut self) {
        if let Some(cleanup) = self.0.cleanup_fn {
            // SAFETY: the callback has set both.
            unsafe { cleanup(self.0.data) };
        }
    }
}

impl Results<'_> {
    fn check(&self) -> Result<()> {
        if !self.0.has_error {
            return Ok(());
        }
        // SAFETY: the callback has set the message.
        let message = unsafe { bytes(self.0.error_msg) }?;
        let message = String::from_utf8_lossy(message).into_owned();
        Err(Status::new(self.0.code, message))
    }
}

impl Framework {
    /// Calls a function with the callbacks of a call's target.
    fn with<T>(
        call: &PartitionedCall,
        function: impl FnOnce(*mut Callbacks, &mut Arguments) -> Result<T>,
    ) -> Result<T, String> {
        let callbacks = registered().get(&call.target).map(Arc::clone);
        let callbacks = callbacks.ok_or_else(|| format!("'{}' is not registered", call.target))?;
        let done = Arguments::new(call).and_then(|mut own| function(callbacks.0, &mut own));
        done.map_err(|status| status.message.to_string())
    }
}

impl CustomPartitioner for Framework {
    fn has(&self, target: &str) -> bool {
        registered().contains_key(target)
    }

    fn partition(&self, call: &PartitionedCall) -> Result<TileFunction, String> {
        Self::with(call, |callbacks, own| {
            // SAFETY: all fields may be zero; the framework follows the interface, and its results
            // are valid until they are cleaned up.
            unsafe {
                let mut arguments: PartitionArgs = zeroed();
                arguments.num_args = own.operands.len();
                arguments.op_args = own.operands.as_mut_ptr();
                arguments.op_result = own.result;
                arguments.backend_config = text(own.config.as_bytes());
                let function = (*callbacks).partition.ok_or_else(missing)?;
                function(callbacks, &raw mut arguments);
                let results = Results(&arguments.header);
                results.check()?;
                let operands = handle::slice(arguments.args_sharding, own.operands.len())?;
                let operands = operands.iter().map(|text| sharding(*text)?.text());
                Ok(TileFunction {
                    code: bytes(arguments.mlir_module)?.to_vec(),
                    operands: operands.collect::<Result<_>>()?,
                    results: of_results(arguments.result_sharding, call)?,
                })
            }
        })
    }

    fn infer_results(&self, call: &PartitionedCall) -> Result<Vec<String>, String> {
        Self::with(call, |callbacks, own| {
            // SAFETY: as above.
            unsafe {
                let mut arguments: InferArgs = zeroed();
                arguments.num_args = own.operands.len();
                arguments.op_args = own.operands.as_mut_ptr();
                arguments.result_shape = own.result.shape;
                arguments.backend_config = text(own.config.as_bytes());
                let function = (*callbacks).infer_sharding.ok_or_else(missing)?;
                function(callbacks, &raw mut arguments);
                let results = Results(&arguments.header);
                results.check()?;
                if arguments.has_result_sharding {
                    of_results(arguments.result_sharding, call)
                } else {
                    Ok(Vec::new())
                }
            }
        })
    }

    fn propagate_users(&self, call: &PartitionedCall) -> Result<Vec<String>, String> {
        Self::with(call, |callbacks, own| {
            // SAFETY: as above.
            unsafe {
                let mut arguments: PropagateArgs = zeroed();
                arguments.backend_config = text(own.config.as_bytes());
                arguments.result_shape = own.result.shape;
                arguments.result_sharding = own.result.sharding;
                let function = (*callbacks).propagate_user_sharding.ok_or_else(missing)?;
                function(callbacks, &raw mut arguments);
                let results = Results(&arguments.header);
                results.check()?;
                of_results(arguments.result_sharding, call)
            }
        })
    }
}

fn missing() -> Status {
    Status::invalid("a callback of a custom partitioner is null")
}

unsafe fn register(arguments: &mut RegisterCustomPartitionerArgs) -> Result<()> {
    if arguments.callbacks.is_null() {
        return Err(Status::invalid(
            "the callbacks of a custom partitioner are null",
        ));
    }
    // SAFETY: the caller passes a name, and callbacks that are valid until they are deleted.
    let name = unsafe { handle::text(arguments.name, arguments.name_size) }?;
    registered().insert(name.to_owned(), Arc::new(Registered(arguments.callbacks)));
    Ok(())
}

/// All partitions compute such calls on whole operands.
unsafe fn register_batch(_: &mut RegisterBatchPartitionableArgs) -> Result<()> {
    Ok(())
}

/// `PJRT_Custom_Partitioner_Extension`, before others of the list.
pub const fn extension(next: *const ExtensionBase) -> CustomPartitionerExtension {
    table! {
        CustomPartitionerExtension {
            base: base::<CustomPartitionerExtension>(ExtensionType::CUSTOM_PARTITIONER, next),
        }
        functions {
            register_custom_partitioner(RegisterCustomPartitionerArgs) = register,
            register_batch_partitionable(RegisterBatchPartitionableArgs) = register_batch,
        }
    }
}
