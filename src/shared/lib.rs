//! Halo as one shared library, `libhalo_shared.so`.
//!
//! An executable that depends on `halo` contains all of it, with MLIR and LLVM: hundreds of
//! megabytes, and seconds for the linker after each edit. One that depends on this crate contains
//! only its own code, and starts as fast. The crate re-exports `halo`, so that other repositories
//! need one dependency:
//!
//! ```toml
//! halo = { package = "halo-shared", git = "..." }
//! ```
//!
//! An executable needs the path of the library, which this crate's build script passes to its build
//! script:
//!
//! ```ignore
//! let path = std::env::var("DEP_HALO_RPATH").unwrap();
//! println!("cargo::rustc-link-arg=-Wl,-rpath,{path}");
//! ```
//!
//! # Plug-ins
//!
//! Since there is one Halo in the process, such a tool can load plug-ins that were
//! compiled separately. A plug-in is a library of the kind `cdylib` with a function
//! that returns a [`Plugin`](halo::Plugin):
//!
//! ```ignore
//! pub fn plugin() -> halo::Plugin {
//!     halo::Plugin::new("first", "0.1.0").pass(&DOUBLE)
//! }
//!
//! halo::plugin!(plugin);
//! ```
//!
//! `halo-opt --load-plugin=libfirst.so` has its passes then, `halo-run` its backends and
//! custom calls. A plug-in and the tool share Rust types, so they must come of the same
//! sources and the same compiler; [`Plugin::load`](halo::Plugin::load) checks it.

pub use halo::*;

/// Makes a plug-in of a library: names the function that returns its
/// [`Plugin`](halo::Plugin), once in the library.
#[macro_export]
macro_rules! plugin {
    ($plugin:path) => {
        const _: () = {
            // SAFETY: no other symbol has this name, and the section holds nothing else.
            #[unsafe(no_mangle)]
            #[unsafe(link_section = ".halo_build")]
            static HALO_PLUGIN_BUILD: [u8; $crate::BUILD.len()] = *$crate::BUILD_BYTES;

            // SAFETY: no other symbol has this name.
            #[unsafe(no_mangle)]
            fn halo_plugin() -> $crate::Plugin {
                $plugin()
            }
        };
    };
}

/// [`BUILD`](halo::BUILD), for the section of a plug-in.
#[doc(hidden)]
pub const BUILD_BYTES: &[u8; halo::BUILD.len()] = match halo::BUILD.as_bytes().first_chunk() {
    Some(bytes) => bytes,
    None => unreachable!(),
};
