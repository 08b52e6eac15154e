//! Sets the path of the shared library.

fn main() {
    halo_link::find_shared_library();
}
