//! Lets the tool find the shared library.

fn main() {
    if cfg!(feature = "shared") {
        halo_link::find_shared_library();
    }
}
