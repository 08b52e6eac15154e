//! The plug-in that a library is: its platform, and its backends.

use std::sync::OnceLock;

use halo_backend::{Backend, Registry};

use crate::status::{Result, Status};

/// Makes a library a PJRT plug-in: exports `GetPjrtApi`, once in the library.
///
/// ```ignore
/// halo_pjrt::plugin! { platform: "accelerator", backend: accelerator::backend }
/// ```
///
/// The function returns the [`Backend`]. `backends: |registry| ...` instead of `backend` registers
/// several, of which the option `backend` of a client selects one; the platform of another one than
/// the first has the name of both: `halo_cuda`.
#[macro_export]
macro_rules! plugin {
    (platform: $platform:expr, backend: $backend:path $(,)?) => {
        $crate::plugin! { platform: $platform, backends: |registry| registry.replace($backend()) }
    };
    (platform: $platform:expr, backends: $register:expr $(,)?) => {
        const _: () = {
            /// The table of functions.
            // SAFETY: no other symbol has this name.
            #[unsafe(no_mangle)]
            pub extern "C" fn GetPjrtApi() -> *const $crate::Api {
                $crate::api_of($crate::Plugin {
                    platform: $platform,
                    register: $register,
                })
            }
        };
    };
}

/// The plug-in of a library, as [`plugin!`](crate::plugin) defines it.
#[derive(Clone, Copy)]
pub struct Plugin {
    /// The platform's name in frameworks.
    pub platform: &'static str,
    /// Adds the backends; the first one is the default.
    pub register: fn(&mut Registry) -> halo_runtime::Result<()>,
}

static PLUGIN: OnceLock<Plugin> = OnceLock::new();

/// Sets the plug-in of this library, which has one.
pub fn set(plugin: Plugin) {
    PLUGIN.get_or_init(|| plugin);
}

impl Plugin {
    /// The plug-in of this library.
    ///
    /// # Errors
    /// Returns an internal error before the framework has got the table of functions.
    pub fn own() -> Result<Self> {
        let plugin = PLUGIN.get().copied();
        plugin.ok_or_else(|| Status::internal("GetPjrtApi was not called"))
    }

    /// The backend of a name, or the default one, and whether it is the default.
    ///
    /// # Errors
    /// Returns an invalid-argument error that lists the backends if there is none of the name.
    pub fn backend(self, name: Option<&str>) -> Result<(Backend, bool)> {
        let mut registry = Registry::new();
        (self.register)(&mut registry)?;
        let default = registry.default_backend()?;
        let backend = match name {
            Some(name) => registry.backend(name)?,
            None => default,
        };
        Ok((backend.clone(), backend.name == default.name))
    }
}
