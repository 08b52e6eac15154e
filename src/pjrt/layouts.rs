//! The extension for layouts. Values are row-major unless a program or caller specifies another
//! order of their elements.

use halo_core::Layout;

use crate::buffer::{self, Buffer};
use crate::c_api::{
    ExtensionBase, ExtensionType, LayoutsBufferMemoryLayoutArgs, LayoutsClientGetDefaultLayoutArgs,
    LayoutsExecutableGetOutputLayoutsArgs, LayoutsExecutableGetParameterLayoutsArgs,
    LayoutsExtension, LayoutsMemoryLayout, LayoutsMemoryLayoutDestroyArgs,
    LayoutsMemoryLayoutSerializeArgs, LayoutsTopologyGetDefaultLayoutArgs,
};
use crate::extension::{base, table};
use crate::handle::{self, Handle, SerializedFields};
use crate::program::{self, CompiledProgram};
use crate::status::{Result, Status};

impl Handle for Layout {
    type Opaque = LayoutsMemoryLayout;
}

/// Checks that arguments, with their positions among all arguments from C, have the layouts that
/// the program expects.
///
/// # Errors
/// Returns an invalid-argument error for the first that does not.
pub fn check(program: &CompiledProgram, arguments: &[(usize, &Buffer)]) -> Result<()> {
    for (position, argument) in arguments {
        let expected = program.arguments.layout(*position);
        if argument.other_layout() != expected {
            let row_major = Layout::row_major(argument.shape.rank());
            return Err(Status::invalid(format!(
                "argument {position} has the layout {}, but the program is for {}",
                argument.layout(),
                expected.unwrap_or(&row_major)
            )));
        }
    }
    Ok(())
}

unsafe fn destroy(arguments: &mut LayoutsMemoryLayoutDestroyArgs) -> Result<()> {
    // SAFETY: the caller passes a valid layout, or null.
    unsafe { handle::destroy::<Layout>(arguments.layout) };
    Ok(())
}

unsafe fn serialize(arguments: &mut LayoutsMemoryLayoutSerializeArgs) -> Result<()> {
    // SAFETY: the caller passes a valid layout.
    let layout: &Layout = unsafe { handle::borrow(arguments.layout) }?;
    let fields = SerializedFields {
        data: &mut arguments.serialized_bytes,
        size: &mut arguments.serialized_bytes_size,
        owner: &mut arguments.serialized_layout,
        deleter: &mut arguments.serialized_layout_deleter,
    };
    handle::give_bytes(layout.to_string().into_bytes(), fields);
    Ok(())
}

unsafe fn of_buffer(arguments: &mut LayoutsBufferMemoryLayoutArgs) -> Result<()> {
    // SAFETY: the caller passes a valid buffer.
    let buffer = unsafe { buffer::borrow(arguments.buffer) }?;
    arguments.layout = handle::into_raw(buffer.layout());
    Ok(())
}

unsafe fn of_client(arguments: &mut LayoutsClientGetDefaultLayoutArgs) -> Result<()> {
    arguments.layout = handle::into_raw(Layout::row_major(arguments.num_dims));
    Ok(())
}

unsafe fn of_topology(arguments: &mut LayoutsTopologyGetDefaultLayoutArgs) -> Result<()> {
    arguments.layout = handle::into_raw(Layout::row_major(arguments.num_dims));
    Ok(())
}

unsafe fn of_outputs(arguments: &mut LayoutsExecutableGetOutputLayoutsArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let outputs = &unsafe { program::borrow(arguments.executable) }?.outputs;
    arguments.num_outputs = outputs.layouts.len();
    arguments.layouts = outputs.layouts.as_ptr().cast_mut();
    Ok(())
}

unsafe fn of_parameters(arguments: &mut LayoutsExecutableGetParameterLayoutsArgs) -> Result<()> {
    // SAFETY: the caller passes a valid executable.
    let parameters = &unsafe { program::borrow(arguments.executable) }?.parameters;
    arguments.num_parameters = parameters.layouts.len();
    arguments.layouts = parameters.layouts.as_ptr().cast_mut();
    Ok(())
}

/// `PJRT_Layouts_Extension`, before others of the list.
pub const fn extension(next: *const ExtensionBase) -> LayoutsExtension {
    table! {
        LayoutsExtension {
            base: base::<LayoutsExtension>(ExtensionType::LAYOUTS, next),
        }
        functions {
            layouts_memory_layout_destroy(LayoutsMemoryLayoutDestroyArgs) = destroy,
            layouts_memory_layout_serialize(LayoutsMemoryLayoutSerializeArgs) = serialize,
            layouts_client_get_default_layout(LayoutsClientGetDefaultLayoutArgs) = of_client,
            layouts_buffer_memory_layout(LayoutsBufferMemoryLayoutArgs) = of_buffer,
            layouts_topology_get_default_layout(LayoutsTopologyGetDefaultLayoutArgs) = of_topology,
            layouts_executable_get_output_layouts(LayoutsExecutableGetOutputLayoutsArgs) = of_outputs,
            layouts_executable_get_parameter_layouts(LayoutsExecutableGetParameterLayoutsArgs) = of_parameters,
        }
    }
}
