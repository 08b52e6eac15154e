fn main() {
    halo_link::find_shared_library();
}
