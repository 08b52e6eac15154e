//! Kernels: PTX that the driver compiles for the device.
//!
//! Calls the driver; see the [parent module](super).

use std::any::Any;
use std::collections::{HashMap, hash_map::Entry};
use std::ffi::{CString, c_void};
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{result, sys};

use super::driver::{Context, describe, failed, may_call};
use super::memory::CudaAllocation;
use crate::kernel::{KernelModule, Launch, LaunchArgument};
use crate::plan::{KernelDescription, Swizzle, TensorMap};
use crate::{Error, Result};
use halo_core::ElementType;

/// Bytes of the log in which the driver reports errors in PTX.
const LOG_SIZE: usize = 8 << 10;

/// Code loaded on a device.
pub(super) struct CudaModule {
    context: Arc<Context>,
    module: sys::CUmodule,
    descriptions: Vec<KernelDescription>,
    functions: Vec<Function>,
    /// The encoded tensor maps, by their addresses.
    tensor_maps: Mutex<HashMap<(u64, TensorMap), Parameter>>,
}

// SAFETY: the driver's functions may be called from any thread with its
// handles.
unsafe impl Send for CudaModule {}
// SAFETY: as above; mutable state is protected by a lock.
unsafe impl Sync for CudaModule {}

struct Function {
    function: sys::CUfunction,
    /// The sizes of the parameters in bytes.
    parameters: Vec<usize>,
    /// Bytes of shared memory that the code declares.
    static_shared_memory: u32,
    /// The size in addition to the driver's current limit.
    dynamic_shared_memory: Mutex<u32>,
}

impl CudaModule {
    /// Loads PTX.
    ///
    /// # Errors
    /// Returns an invalid-input error, with the driver's log, if it does not take the code, or if a
    /// kernel is not in it.
    pub fn load(context: Arc<Context>, code: &[u8], kernels: &[KernelDescription]) -> Result<Self> {
        // Only text: the driver trusts sizes in other formats of code.
        let text = std::str::from_utf8(code).ok().map(CString::new);
        let Some(Ok(text)) = text else {
            return Err(Error::invalid("the code of the kernels is not PTX"));
        };
        context.enter().map_err(|error| failed("the kernels cannot be loaded", error))?;
        let mut log = vec![0_u8; LOG_SIZE];
        let mut options = [
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
            sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        ];
        let mut values = [
            log.as_mut_ptr().cast::<c_void>(),
            // The driver expects the number in place of an address.
            std::ptr::without_provenance_mut(LOG_SIZE),
        ];
        let mut module = std::ptr::null_mut();
        // SAFETY: the text ends with a zero, the options have values of their documented types, and
        // the log has the given size.
        let outcome = unsafe {
            sys::cuModuleLoadDataEx(
                &raw mut module,
                text.as_ptr().cast(),
                options.len() as u32,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        if let Err(error) = outcome.result() {
            let said = describe(&error);
            let message = match first_lines(&log) {
                log if log.is_empty() => format!("the driver does not take the kernels: {said}"),
                log => format!("the driver does not take the kernels: {said}: {log}"),
            };
            return Err(Error::invalid(message));
        }
        let mut loaded = Self {
            context,
            module,
            descriptions: kernels.to_vec(),
            functions: Vec::with_capacity(kernels.len()),
            tensor_maps: Mutex::default(),
        };
        for kernel in kernels {
            let function = loaded.function(&kernel.name)?;
            loaded.functions.push(function);
        }
        Ok(loaded)
    }

    fn function(&self, name: &str) -> Result<Function> {
        let missing = |error: result::DriverError| {
            let said = describe(&error);
            Error::invalid(format!("kernel '{name}' is not in the code: {said}"))
        };
        let text = CString::new(name).map_err(|error| Error::invalid(error.to_string()))?;
        // SAFETY: the module is loaded, and its functions live as long as it does.
        unsafe {
            let function = result::module::get_function(self.module, text).map_err(missing)?;
            let shared = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES;
            let shared = result::function::get_function_attribute(function, shared);
            Ok(Function {
                function,
                parameters: parameters(function).map_err(missing)?,
                static_shared_memory: u32::try_from(shared.map_err(missing)?).unwrap_or(0),
                dynamic_shared_memory: Mutex::new(0),
            })
        }
    }

    /// Returns true if it was loaded on the device of a context.
    pub fn is_of(&self, context: &Context) -> bool {
        self.context.ordinal == context.ordinal
    }

    /// Enqueues a launch, whose arguments were [checked](Self::check).
    ///
    /// # Errors
    /// Returns the error of the driver.
    ///
    /// # Safety
    /// The stream must belong to the module's context, which must be current, and `arguments` must
    /// be the arguments that `check` returned.
    pub unsafe fn launch(
        &self,
        stream: sys::CUstream,
        launch: &Launch<'_>,
        arguments: &mut [Parameter],
    ) -> Result<(), result::DriverError> {
        let Some(function) = self.functions.get(launch.kernel) else {
            return Ok(());
        };
        function.allow_shared_memory(launch.dynamic_shared_memory)?;
        let addresses = arguments.iter_mut().map(|argument| (&raw mut *argument).cast());
        let mut addresses: Vec<*mut c_void> = addresses.collect();
        let [x, y, z] = launch.grid;
        let [width, height, depth] = launch.block;
        // SAFETY: each parameter of the function has an address with as many readable bytes as its
        // size; they are read during the call.
        unsafe {
            result::launch_kernel(
                function.function,
                (x, y, z),
                (width, height, depth),
                launch.dynamic_shared_memory,
                stream,
                &mut addresses,
            )
        }
    }

    /// The parameters of a launch, after checking that they match the kernel.
    ///
    /// # Errors
    /// Returns an invalid-input error if they do not match, or the device has too little shared
    /// memory.
    pub fn check(&self, launch: &Launch<'_>, max_shared_memory: u32) -> Result<Vec<Parameter>> {
        let kernel = self.functions.get(launch.kernel);
        let (Some(function), Some(description)) = (kernel, self.descriptions.get(launch.kernel))
        else {
            return Err(Error::invalid(format!(
                "there is no kernel {}",
                launch.kernel
            )));
        };
        let name = &description.name;
        let shared =
            u64::from(function.static_shared_memory) + u64::from(launch.dynamic_shared_memory);
        if shared > u64::from(max_shared_memory) {
            return Err(Error::invalid(format!(
                "kernel '{name}' takes {shared} bytes of shared memory, and the device has \
                 {max_shared_memory}"
            )));
        }
        let parameters = launch.arguments.iter().map(|argument| self.parameter(argument));
        let parameters: Vec<(Parameter, usize)> = parameters.collect::<Result<_>>()?;
        let sizes = parameters.iter().map(|(_, size)| *size);
        if !sizes.clone().eq(function.parameters.iter().copied()) {
            return Err(Error::invalid(format!(
                "kernel '{name}' has parameters of {:?} bytes, and was called with {:?}",
                function.parameters,
                sizes.collect::<Vec<_>>()
            )));
        }
        Ok(parameters.into_iter().map(|(parameter, _)| parameter).collect())
    }
}

impl CudaModule {
    /// An argument and its size in bytes; tensor maps are encoded once for each address.
    fn parameter(&self, argument: &LaunchArgument<'_>) -> Result<(Parameter, usize)> {
        let LaunchArgument::TensorMap { memory, map } = argument else {
            return Parameter::new(argument);
        };
        let allocation: &CudaAllocation = memory.memory().downcast()?;
        let key = (
            allocation.address() + memory.offset() as u64,
            (*map).clone(),
        );
        let mut encoded = self.tensor_maps.lock().unwrap_or_else(PoisonError::into_inner);
        let parameter = match encoded.entry(key) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let (address, map) = free.key();
                let parameter = Parameter::encode(*address, map)?;
                *free.insert(parameter)
            }
        };
        Ok((parameter, size_of::<Parameter>()))
    }
}

impl Function {
    /// Raises the driver's limit of shared memory for a kernel above the default.
    fn allow_shared_memory(&self, bytes: u32) -> Result<(), result::DriverError> {
        let allowed = self.dynamic_shared_memory.lock();
        let mut allowed = allowed.unwrap_or_else(PoisonError::into_inner);
        if bytes <= *allowed {
            return Ok(());
        }
        let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let value = i32::try_from(bytes).unwrap_or(i32::MAX);
        // SAFETY: the function lives as long as its module.
        unsafe { result::function::set_function_attribute(self.function, attribute, value) }?;
        *allowed = bytes;
        Ok(())
    }
}

/// The sizes of a function's parameters.
///
/// # Safety
/// The function must be loaded in the current context.
unsafe fn parameters(function: sys::CUfunction) -> Result<Vec<usize>, result::DriverError> {
    let mut sizes = Vec::new();
    loop {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: the pointers are valid, and the caller vouches for the function.
        let outcome = unsafe {
            sys::cuFuncGetParamInfo(function, sizes.len(), &raw mut offset, &raw mut size)
        };
        match outcome.result() {
            Ok(()) => sizes.push(size),
            // No more parameters.
            Err(result::DriverError(sys::CUresult::CUDA_ERROR_INVALID_VALUE)) => return Ok(sizes),
            Err(error) => return Err(error),
        }
    }
}

/// The bytes of an argument.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Parameter([u8; 128]);

impl Parameter {
    /// An argument other than a tensor map, and its size in bytes.
    fn new(argument: &LaunchArgument<'_>) -> Result<(Self, usize)> {
        let mut bytes = [0; 128];
        let size = match argument {
            LaunchArgument::Memory(slice) | LaunchArgument::TensorMap { memory: slice, .. } => {
                let allocation: &CudaAllocation = slice.memory().downcast()?;
                let address = allocation.address() + slice.offset() as u64;
                bytes[..8].copy_from_slice(&address.to_ne_bytes());
                8
            }
            LaunchArgument::Scalar(number) => {
                let target = bytes.get_mut(..number.len()).filter(|target| target.len() <= 16);
                let Some(target) = target else {
                    return Err(Error::invalid(format!(
                        "a number of {} bytes",
                        number.len()
                    )));
                };
                target.copy_from_slice(number);
                number.len()
            }
        };
        Ok((Self(bytes), size))
    }

    /// The driver's encoding of a tensor map.
    fn encode(address: u64, map: &TensorMap) -> Result<Self> {
        let element = match map.element_type {
            ElementType::BF16 => sys::CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
            ElementType::F16 => sys::CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
            other => return Err(Error::invalid(format!("a tensor map of type {other}"))),
        };
        let swizzle = match map.swizzle {
            Swizzle::None => sys::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_NONE,
            Swizzle::Bytes128 => sys::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_128B,
        };
        let sizes: Vec<u64> = map.dimensions.iter().map(|dimension| dimension.size).collect();
        let strides: Vec<u64> =
            map.dimensions.iter().skip(1).map(|dimension| dimension.stride).collect();
        let boxes: Vec<u32> = map.dimensions.iter().map(|dimension| dimension.box_size).collect();
        let steps = vec![1_u32; boxes.len()];
        let mut encoded = sys::CUtensorMap { opaque: [0; 16] };
        // SAFETY: the map is aligned by its type, and the arrays have an element for each
        // dimension, the strides for each one but the first; all are read during the call.
        let outcome = unsafe {
            sys::cuTensorMapEncodeTiled(
                &raw mut encoded,
                element,
                boxes.len() as u32,
                std::ptr::without_provenance_mut(address as usize),
                sizes.as_ptr(),
                strides.as_ptr(),
                boxes.as_ptr(),
                steps.as_ptr(),
                sys::CUtensorMapInterleave::CU_TENSOR_MAP_INTERLEAVE_NONE,
                swizzle,
                sys::CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                sys::CUtensorMapFloatOOBfill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
            )
        };
        outcome
            .result()
            .map_err(|error| failed(&format!("the driver does not take the {map}"), error))?;
        let mut bytes = [0; 128];
        for (target, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(encoded.opaque) {
            *target = word.to_ne_bytes();
        }
        Ok(Self(bytes))
    }
}

/// The driver's log as one line.
fn first_lines(log: &[u8]) -> String {
    let end = log.iter().position(|byte| *byte == 0).unwrap_or(log.len());
    let text = String::from_utf8_lossy(log.get(..end).unwrap_or_default());
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.take(4).collect::<Vec<_>>().join("; ")
}

impl KernelModule for CudaModule {
    fn kernels(&self) -> &[KernelDescription] {
        &self.descriptions
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for CudaModule {
    fn drop(&mut self) {
        // On threads that must not call the driver, the code stays loaded.
        if may_call() && self.context.enter().is_ok() {
            // SAFETY: streams keep a module until its launches have run.
            let _ = unsafe { result::module::unload(self.module) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_one_line() {
        assert_eq!(first_lines(b"\0\0"), "");
        assert_eq!(
            first_lines(b"ptxas fatal : a\n\n  line 3; error : b \n\0rest"),
            "ptxas fatal : a; line 3; error : b"
        );
        assert_eq!(first_lines(b"no end"), "no end");
    }

    #[test]
    fn numbers_are_passed_as_they_are() {
        let (parameter, size) = Parameter::new(&LaunchArgument::Scalar(&[1, 2, 3, 4])).unwrap();
        assert_eq!((size, &parameter.0[..6]), (4, &[1, 2, 3, 4, 0, 0][..]));
        assert!(Parameter::new(&LaunchArgument::Scalar(&[0; 17])).is_err());
    }
}
