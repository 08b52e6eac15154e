//! The plug-in and events.

use super::*;

pub type EventOnReadyCallback = Option<unsafe extern "C" fn(*mut Error, *mut c_void)>;

arguments! {
    PluginInitializeArgs = "PJRT_Plugin_Initialize_Args" {
    }
    PluginAttributesArgs = "PJRT_Plugin_Attributes_Args" {
        attributes: *const NamedValue,
        num_attributes: usize,
    }
    EventDestroyArgs = "PJRT_Event_Destroy_Args" {
        event: *mut Event,
    }
    EventIsReadyArgs = "PJRT_Event_IsReady_Args" {
        event: *mut Event,
        is_ready: bool,
    }
    EventErrorArgs = "PJRT_Event_Error_Args" {
        event: *mut Event,
    }
    EventAwaitArgs = "PJRT_Event_Await_Args" {
        event: *mut Event,
    }
    EventOnReadyArgs = "PJRT_Event_OnReady_Args" {
        event: *mut Event,
        callback: EventOnReadyCallback,
        user_arg: *mut c_void,
    }
    EventCreateArgs = "PJRT_Event_Create_Args" {
        event: *mut Event,
    }
    EventSetArgs = "PJRT_Event_Set_Args" {
        event: *mut Event,
        error_code: ErrorCode,
        error_message: *const c_char,
        error_message_size: usize,
    }
}
