//! Lets the tool find the shared library.

fn main() {
    halo_link::find_shared_library();
}
