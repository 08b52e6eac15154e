//! Machines of other architectures, on which tests run programs.

use std::process::Command;

/// A machine, what compiles for it here, and what runs its programs.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// As in `--target=`.
    pub triple: &'static str,
    /// A C compiler, which links programs with `-static`.
    pub compiler: &'static str,
    /// Runs programs.
    pub emulator: &'static str,
}

const MACHINES: [Machine; 2] = [
    Machine {
        triple: "aarch64-unknown-linux-gnu",
        compiler: "aarch64-linux-gnu-gcc",
        emulator: "qemu-aarch64",
    },
    Machine {
        triple: "riscv64-unknown-linux-gnu",
        compiler: "riscv64-linux-gnu-gcc",
        emulator: "qemu-riscv64",
    },
];

/// Whether all machines are to be tested: `make test-targets` sets `HALO_TEST_TARGETS`.
pub fn all_are_wanted() -> bool {
    std::env::var_os("HALO_TEST_TARGETS").is_some()
}

/// The machines whose tools are installed; where all are wanted, no tool may be missing.
///
/// # Panics
/// If one is.
pub fn machines() -> Vec<Machine> {
    let is_there = |machine: &Machine| {
        let lacking = [machine.compiler, machine.emulator]
            .into_iter()
            .find(|tool| Command::new(tool).arg("--version").output().is_err());
        if let Some(tool) = lacking {
            assert!(!all_are_wanted(), "{tool} is missing");
        }
        lacking.is_none()
    };
    MACHINES.into_iter().filter(is_there).collect()
}

impl Machine {
    /// The words of the command that links programs.
    pub fn linker(&self) -> [&'static str; 2] {
        [self.compiler, "-static"]
    }
}
