//! `first-opt`: `halo-opt` with the plug-in.

fn main() -> std::process::ExitCode {
    halo::opt::main("first-opt", first_pass::plugin())
}
