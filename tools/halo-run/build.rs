//! Sets the path of the shared library, or links the tool without it.

fn main() {
    if cfg!(feature = "shared") {
        halo_link::find_shared_library();
    } else if cfg!(feature = "compiler") {
        halo_link::fold_equal_functions();
    }
}
