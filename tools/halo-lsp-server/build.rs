//! Sets the path of the shared library, or links the tool without it.

fn main() {
    if cfg!(feature = "shared") {
        halo_link::find_shared_library();
    } else {
        halo_link::fold_equal_functions();
    }
}
