//! Lets the tool find the shared library, or links it without one.

fn main() {
    if cfg!(feature = "shared") {
        halo_link::find_shared_library();
    } else {
        halo_link::fold_equal_functions();
    }
}
