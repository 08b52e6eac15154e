//! Handlers of typed custom calls, registered and called through the interfaces in C.

use std::ffi::c_void;
use std::ptr::{self, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{Client, api, arguments, call, take_error};
use halo_pjrt::c_api::xla_ffi::{
    self, ApiVersion, Buffer, CallFrame, CustomOptionsGetArgs, DataType, ErrorCreateArgs,
    ErrorDestroyArgs, ErrorGetDetailsArgs, ExecutionStage, HandlerBundle, HandlerRegisterArgs,
    InvokeContextFindExtensionArgs, InvokeContextGetArgs, MetadataExtension, RunIdGetArgs, Scalar,
    StateGetArgs, StateSetArgs, TypeId, TypeInfo, TypeRegisterArgs,
};
use halo_pjrt::c_api::*;

fn extension() -> &'static FFIExtension {
    let mut next = api().extension_start;
    loop {
        // SAFETY: the list ends with null, and its entries live as long as the process.
        let base = unsafe { next.as_ref() }.expect("there is an extension for FFI");
        if base.type_ == ExtensionType::FFI {
            assert_eq!(base.struct_size, size_of::<FFIExtension>());
            // SAFETY: the extension of this type is this struct.
            return unsafe { &*next.cast::<FFIExtension>() };
        }
        next = base.next;
    }
}

fn register(
    name: &str,
    platform: &str,
    handler: unsafe extern "C" fn(*mut CallFrame) -> *mut xla_ffi::Error,
) -> Result<(), (ErrorCode, String)> {
    let mut arguments = FFIRegisterHandlerArgs {
        struct_size: size_of::<FFIRegisterHandlerArgs>(),
        target_name: name.as_ptr().cast(),
        target_name_size: name.len(),
        handler: handler as *mut c_void,
        platform_name: platform.as_ptr().cast(),
        platform_name_size: platform.len(),
        traits: FFIHandlerTraitsBits(0),
    };
    // SAFETY: the arguments satisfy the interface.
    let error = unsafe { extension().register_handler.unwrap()(&raw mut arguments) };
    take_error(error).map_or(Ok(()), Err)
}

/// Answers a version query, if the frame is one.
///
/// # Safety
/// The frame must satisfy the interface.
unsafe fn answers_version(frame: *mut CallFrame) -> bool {
    // SAFETY: by the requirement above.
    unsafe {
        let Some(extension) = (*frame).extension_start.cast::<MetadataExtension>().as_mut() else {
            return false;
        };
        assert_eq!(
            extension.extension_base.type_,
            xla_ffi::InternalExtensionType::METADATA
        );
        let version = &mut (*extension.metadata).api_version;
        assert_eq!(version.struct_size, ApiVersion::SIZE);
        (version.major_version, version.minor_version) = (xla_ffi::API_MAJOR, xla_ffi::API_MINOR);
        true
    }
}

/// An error of the table's.
///
/// # Safety
/// The frame must satisfy the interface.
unsafe fn error(
    frame: *mut CallFrame,
    code: ErrorCode,
    message: &std::ffi::CStr,
) -> *mut xla_ffi::Error {
    let mut arguments = ErrorCreateArgs {
        struct_size: ErrorCreateArgs::SIZE,
        extension_start: null_mut(),
        message: message.as_ptr(),
        errc: code,
    };
    // SAFETY: by the requirement above.
    unsafe { (*(*frame).api).error_create.unwrap()(&raw mut arguments) }
}

/// The elements of a buffer of f32.
///
/// # Safety
/// The pointer must be to a buffer that the caller may access.
unsafe fn elements<'a>(buffer: *mut c_void) -> &'a mut [f32] {
    // SAFETY: by the requirement above.
    unsafe {
        let buffer = &*buffer.cast::<Buffer>();
        assert_eq!(
            (buffer.struct_size, buffer.dtype),
            (Buffer::SIZE, DataType::F32)
        );
        let dims = std::slice::from_raw_parts(buffer.dims, buffer.rank as usize);
        let count = dims.iter().product::<i64>() as usize;
        std::slice::from_raw_parts_mut(buffer.data.cast(), count)
    }
}

/// Multiplies by an attribute, unless the first element is negative.
unsafe extern "C" fn scale(frame: *mut CallFrame) -> *mut xla_ffi::Error {
    // SAFETY: the frame satisfies the interface.
    unsafe {
        if answers_version(frame) {
            return null_mut();
        }
        let (args, rets, attrs) = ((*frame).args, (*frame).rets, (*frame).attrs);
        assert_eq!([args.size, rets.size, attrs.size], [1, 1, 1]);
        assert_eq!((*frame).stage, ExecutionStage::EXECUTE);
        let name = **attrs.names;
        let name = std::slice::from_raw_parts(name.ptr.cast::<u8>(), name.len);
        assert_eq!(name, b"factor");
        let factor = &**attrs.attrs.cast::<*mut Scalar>();
        let factor = *factor.value.cast::<f32>();
        let (x, y) = (elements(*args.args), elements(*rets.rets));
        if x[0] < 0.0 {
            return error(frame, ErrorCode::OUT_OF_RANGE, c"it is negative");
        }
        for (x, y) in x.iter().zip(y) {
            *y = factor * x;
        }
        null_mut()
    }
}

fn program(target: &str, attributes: &str) -> String {
    format!(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
          %0 = stablehlo.custom_call @{target}(%x) {{{attributes}api_version = 4 : i32}}
            : (tensor<2xf32>) -> tensor<2xf32>
          return %0 : tensor<2xf32>
        }}"
    )
}

#[test]
fn a_handler_is_called() {
    register("ffi.scale", "halo", scale).unwrap();
    let client = Client::new(1);
    let program = program("ffi.scale", "backend_config = {factor = 3.0 : f32}, ");
    let executable = client.compile(&program).unwrap();
    let x = client.buffer(&[2], &[1.0, 2.0]);
    let results = executable.run(&[&x], 1).unwrap();
    assert_eq!(results[0].read().unwrap(), [3.0, 6.0]);
    // The run has the handler's error, with its code, now or when the result is read.
    let x = client.buffer(&[2], &[-1.0, 2.0]);
    let outcome = executable.run(&[&x], 1);
    let outcome = outcome.and_then(|results| results[0].read());
    let (code, message) = outcome.unwrap_err();
    assert_eq!(code, ErrorCode::OUT_OF_RANGE);
    assert!(message.ends_with("@ffi.scale: it is negative"), "{message}");
}

#[test]
fn what_cannot_be_called_is_an_error() {
    let client = Client::new(1);
    let (code, message) = client.compile(&program("ffi.nobody", "")).err().unwrap();
    assert_eq!(code, ErrorCode::INVALID_ARGUMENT);
    assert!(message.contains("no custom call @ffi.nobody"), "{message}");
    // Handlers for another platform are not called.
    register("ffi.elsewhere", "CUDA", scale).unwrap();
    let (_, message) = client.compile(&program("ffi.elsewhere", "")).err().unwrap();
    assert!(
        message.contains("no custom call @ffi.elsewhere"),
        "{message}"
    );
    register("ffi.once", "cpu", scale).unwrap();
    register("ffi.once", "cpu", scale).unwrap();
    let (code, _) = register("ffi.once", "cpu", in_place).unwrap_err();
    assert_eq!(code, ErrorCode::ALREADY_EXISTS);
    let mut null = arguments::<FFIRegisterHandlerArgs>();
    // SAFETY: a null handler is an error.
    let error = unsafe { extension().register_handler.unwrap()(&raw mut null) };
    assert_eq!(take_error(error).unwrap().0, ErrorCode::INVALID_ARGUMENT);
    // XLA's attributes do not include lists of strings.
    register("ffi.typed", "cpu", scale).unwrap();
    let listed = program("ffi.typed", "backend_config = {names = [\"a\"]}, ");
    let (code, message) = client.compile(&listed).err().unwrap();
    assert_eq!(code, ErrorCode::INVALID_ARGUMENT);
    assert!(message.contains("attribute 'names'"), "{message}");
}

/// Adds one to the first element in place.
unsafe extern "C" fn in_place(frame: *mut CallFrame) -> *mut xla_ffi::Error {
    // SAFETY: the frame satisfies the interface.
    unsafe {
        if !answers_version(frame) {
            let (x, y) = (*(*frame).args.args, *(*frame).rets.rets);
            assert_eq!((*x.cast::<Buffer>()).data, (*y.cast::<Buffer>()).data);
            assert_eq!((*frame).attrs.size, 0);
            elements(y)[0] += 1.0;
        }
        null_mut()
    }
}

#[test]
fn a_result_is_where_an_operand_is() {
    register("ffi.in_place", "Host", in_place).unwrap();
    let client = Client::new(1);
    let alias = "output_operand_aliases = [#stablehlo.output_operand_alias<
        output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], ";
    let executable = client.compile(&program("ffi.in_place", alias)).unwrap();
    let x = client.buffer(&[2], &[1.0, 2.0]);
    let results = executable.run(&[&x], 1).unwrap();
    assert_eq!(results[0].read().unwrap(), [2.0, 2.0]);
    assert_eq!(x.read().unwrap(), [1.0, 2.0]);
}

/// A type of these handlers, with a variable for its number, as in C++.
static mut STATE: TypeId = TypeId { type_id: 0 };
static DELETED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn delete(object: *mut c_void) {
    // SAFETY: the object is one of `set_state`.
    drop(unsafe { Box::from_raw(object.cast::<f32>()) });
    DELETED.fetch_add(1, Ordering::Relaxed);
}

/// Makes a state of a number that identifies its stage.
unsafe extern "C" fn set_state(frame: *mut CallFrame) -> *mut xla_ffi::Error {
    // SAFETY: the frame satisfies the interface.
    unsafe {
        if answers_version(frame) {
            return null_mut();
        }
        let stage = (*frame).stage;
        let args = if stage == ExecutionStage::INSTANTIATE {
            0
        } else {
            1
        };
        assert_eq!((*frame).args.size, args);
        let mut arguments = StateSetArgs {
            struct_size: StateSetArgs::SIZE,
            extension_start: null_mut(),
            ctx: (*frame).ctx,
            stage,
            type_id: &raw mut STATE,
            state: Box::into_raw(Box::new(10.0 + stage.0 as f32)).cast(),
        };
        (*(*frame).api).state_set.unwrap()(&raw mut arguments)
    }
}

/// The sum of the states, and of the framework's data.
unsafe extern "C" fn add_states(frame: *mut CallFrame) -> *mut xla_ffi::Error {
    // SAFETY: the frame satisfies the interface.
    unsafe {
        if answers_version(frame) {
            return null_mut();
        }
        let (table, ctx) = (&*(*frame).api, (*frame).ctx);
        let mut sum = 0.0;
        for stage in [
            ExecutionStage::INSTANTIATE,
            ExecutionStage::PREPARE,
            ExecutionStage::INITIALIZE,
        ] {
            let mut arguments = StateGetArgs {
                struct_size: StateGetArgs::SIZE,
                extension_start: null_mut(),
                ctx,
                stage,
                type_id: &raw mut STATE,
                state: null_mut(),
            };
            let error = table.state_get.unwrap()(&raw mut arguments);
            if !error.is_null() {
                return error;
            }
            sum += *arguments.state.cast::<f32>();
        }
        let mut arguments = InvokeContextGetArgs {
            struct_size: InvokeContextGetArgs::SIZE,
            extension_start: null_mut(),
            ctx,
            type_id: &raw mut STATE,
            data: null_mut(),
        };
        let error = table.invoke_context_get.unwrap()(&raw mut arguments);
        if !error.is_null() {
            return error;
        }
        sum += *arguments.data.cast::<f32>();
        let mut run = RunIdGetArgs {
            struct_size: RunIdGetArgs::SIZE,
            extension_start: null_mut(),
            ctx,
            run_id: 0,
        };
        assert!(table.run_id_get.unwrap()(&raw mut run).is_null());
        assert!(run.run_id > 0);
        let mut found = InvokeContextFindExtensionArgs {
            struct_size: InvokeContextFindExtensionArgs::SIZE,
            extension_start: null_mut(),
            ctx,
            extension_type: 128,
            extension: ptr::dangling(),
        };
        assert!(table.invoke_context_find_extension.unwrap()(&raw mut found).is_null());
        assert!(found.extension.is_null());
        let mut options = CustomOptionsGetArgs {
            struct_size: CustomOptionsGetArgs::SIZE,
            extension_start: null_mut(),
            ctx,
            attrs: ptr::null(),
        };
        assert!(table.custom_options_get.unwrap()(&raw mut options).is_null());
        assert_eq!((*options.attrs).size, 0);
        elements(*(*frame).rets.rets).fill(sum);
        null_mut()
    }
}

/// Stores the table, as a library that registers handlers itself does.
static TABLE: std::sync::atomic::AtomicPtr<xla_ffi::Api> =
    std::sync::atomic::AtomicPtr::new(null_mut());

unsafe extern "C" fn take_table(frame: *mut CallFrame) -> *mut xla_ffi::Error {
    // SAFETY: the frame satisfies the interface.
    unsafe {
        TABLE.store((*frame).api.cast_mut(), Ordering::Relaxed);
        answers_version(frame);
    }
    null_mut()
}

fn span(text: &'static str) -> xla_ffi::ByteSpan {
    xla_ffi::ByteSpan {
        ptr: text.as_ptr().cast(),
        len: text.len(),
    }
}

/// Runs with a context that has the framework's data, or without one.
fn run_with(
    executable: &crate::common::Executable,
    x: &crate::common::Buffer,
    context: *mut ExecuteContext,
) -> Result<Vec<f32>, (ErrorCode, String)> {
    let inputs = [x.0];
    let lists = [inputs.as_ptr()];
    let mut output = [null_mut()];
    let outputs = [output.as_mut_ptr()];
    let mut options = arguments::<ExecuteOptions>();
    options.context = context;
    call!(
        loaded_executable_execute,
        LoadedExecutableExecuteArgs,
        |arguments| {
            arguments.executable = executable.0;
            arguments.options = &raw mut options;
            arguments.argument_lists = lists.as_ptr();
            arguments.num_devices = 1;
            arguments.num_args = 1;
            arguments.output_lists = outputs.as_ptr();
        }
    );
    crate::common::Buffer(output[0]).read()
}

#[test]
fn stages_have_states_and_runs_have_data() {
    register("ffi.table", "halo", take_table).unwrap();
    // SAFETY: the table lives as long as the process.
    let table = unsafe { &*TABLE.load(Ordering::Relaxed) };
    assert_eq!(table.struct_size, size_of::<xla_ffi::Api>());
    let info = TypeInfo {
        struct_size: TypeInfo::SIZE,
        extension_start: null_mut(),
        deleter: Some(delete),
    };
    let mut r#type = TypeRegisterArgs {
        struct_size: TypeRegisterArgs::SIZE,
        extension_start: null_mut(),
        name: span("ffi.State"),
        type_id: &raw mut STATE,
        type_info: &raw const info,
    };
    let mut handler = HandlerRegisterArgs {
        struct_size: HandlerRegisterArgs::SIZE,
        extension_start: null_mut(),
        name: span("ffi.states"),
        platform: span("Host"),
        bundle: HandlerBundle {
            instantiate: Some(set_state),
            prepare: Some(set_state),
            initialize: Some(set_state),
            execute: Some(add_states),
            record: None,
        },
        traits: 0,
    };
    // SAFETY: the arguments satisfy the interface.
    let number = unsafe {
        assert!(table.type_register.unwrap()(&raw mut r#type).is_null());
        assert!(table.handler_register.unwrap()(&raw mut handler).is_null());
        STATE.type_id
    };
    let client = Client::new(1);
    let executable = client.compile(&program("ffi.states", "")).unwrap();
    let x = client.buffer(&[2], &[0.0; 2]);
    let (code, message) = run_with(&executable, &x, null_mut()).unwrap_err();
    assert_eq!(code, ErrorCode::NOT_FOUND);
    assert!(message.contains("no user data"), "{message}");
    // The states of the run are deleted with it.
    assert_eq!(DELETED.load(Ordering::Relaxed), 2);
    let context = call!(
        execute_context_create,
        ExecuteContextCreateArgs,
        |arguments| arguments.context = null_mut()
    );
    let context = context.context;
    let data = 100.0f32;
    let mut user_data = arguments::<FFIUserDataAddArgs>();
    user_data.context = context;
    user_data.user_data = FFIUserData {
        type_id: number,
        data: ptr::from_ref(&data).cast_mut().cast(),
    };
    // SAFETY: the arguments satisfy the interface, and the data outlives the run.
    let added = unsafe { extension().user_data_add.unwrap()(&raw mut user_data) };
    assert_eq!(take_error(added), None);
    assert_eq!(run_with(&executable, &x, context), Ok(vec![133.0; 2]));
    call!(
        execute_context_destroy,
        ExecuteContextDestroyArgs,
        |arguments| {
            arguments.context = context;
        }
    );
    assert_eq!(DELETED.load(Ordering::Relaxed), 4);
    drop(executable);
    assert_eq!(DELETED.load(Ordering::Relaxed), 5);
}

/// The table has entries after its size, for handlers that call functions of newer versions.
#[test]
fn handlers_of_other_versions_use_the_table() {
    register("ffi.versions", "halo", take_table).unwrap();
    // SAFETY: the table lives as long as the process.
    let table = unsafe { &*TABLE.load(Ordering::Relaxed) };
    // As in version 0.3: a bundle of four stages, and the traits.
    #[repr(C)]
    struct Older {
        struct_size: usize,
        extension_start: *mut xla_ffi::InternalExtension,
        name: xla_ffi::ByteSpan,
        platform: xla_ffi::ByteSpan,
        stages: [xla_ffi::Handler; 4],
        traits: u32,
    }
    let mut older = Older {
        struct_size: std::mem::offset_of!(Older, traits) + 4,
        extension_start: null_mut(),
        name: span("ffi.older"),
        platform: span("halo"),
        stages: [None, None, None, Some(scale)],
        traits: 0,
    };
    // SAFETY: the arguments satisfy the interface of that version.
    unsafe {
        let error = table.handler_register.unwrap()((&raw mut older).cast());
        assert!(error.is_null());
    }
    let client = Client::new(1);
    let program = program("ffi.older", "backend_config = {factor = 3.0 : f32}, ");
    let executable = client.compile(&program).unwrap();
    let x = client.buffer(&[2], &[1.0, 2.0]);
    let results = executable.run(&[&x], 1).unwrap();
    assert_eq!(results[0].read().unwrap(), [3.0, 6.0]);
    type Newer = unsafe extern "C" fn(*mut c_void) -> *mut xla_ffi::Error;
    let mut details = ErrorGetDetailsArgs {
        struct_size: ErrorGetDetailsArgs::SIZE,
        extension_start: null_mut(),
        error: null_mut(),
        message: ptr::null(),
        errc: ErrorCode::OK,
    };
    let mut destroy = ErrorDestroyArgs {
        struct_size: ErrorDestroyArgs::SIZE,
        extension_start: null_mut(),
        error: null_mut(),
    };
    // SAFETY: functions follow the table, and return an error, which is destroyed last.
    unsafe {
        let next = ptr::from_ref(table).add(1).cast::<Newer>().read();
        details.error = next(null_mut());
        destroy.error = details.error;
        table.error_get_details.unwrap()(&raw mut details);
        let message = std::ffi::CStr::from_ptr(details.message).to_str().unwrap();
        assert!(message.contains("version 0.5"), "{message}");
        assert_eq!(details.errc, ErrorCode::UNIMPLEMENTED);
        table.error_destroy.unwrap()(&raw mut destroy);
    }
}

#[test]
fn types_are_registered_by_name() {
    let register = |name: &str, number: i64| {
        let mut arguments = arguments::<FFITypeRegisterArgs>();
        arguments.type_name = name.as_ptr().cast();
        arguments.type_name_size = name.len();
        arguments.type_id = number;
        // SAFETY: the arguments satisfy the interface.
        let error = unsafe { extension().type_register.unwrap()(&raw mut arguments) };
        take_error(error).map_or(Ok(arguments.type_id), Err)
    };
    let number = register("ffi.Named", 0).unwrap();
    assert_ne!(number, 0);
    assert_eq!(register("ffi.Named", number), Ok(number));
    let (code, _) = register("ffi.Named", number + 1).unwrap_err();
    assert_eq!(code, ErrorCode::ALREADY_EXISTS);
}
