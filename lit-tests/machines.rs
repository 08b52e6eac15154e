//! Machines of other architectures, on which tests run programs.

use std::process::Command;

/// A machine, what compiles for it here, and what runs its programs.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// As in `--target=`.
    pub triple: &'static str,
    /// As in `--target-cpu=`; any processor of the triple if there is none.
    pub cpu: Option<&'static str>,
    /// A C compiler, which links programs with `-static`.
    pub compiler: &'static str,
    /// Runs programs, with these options.
    emulator: &'static str,
    emulator_options: &'static [&'static str],
}

const ARM64: Machine = Machine {
    triple: "aarch64-unknown-linux-gnu",
    cpu: None,
    compiler: "aarch64-linux-gnu-gcc",
    emulator: "qemu-aarch64",
    emulator_options: &[],
};
/// Registers of SVE of 512 bits.
const A64FX: Machine = Machine {
    cpu: Some("a64fx"),
    emulator_options: &["-cpu", "a64fx"],
    ..ARM64
};
/// Registers of SVE of 256 bits.
const NEOVERSE_V1: Machine = Machine {
    cpu: Some("neoverse-v1"),
    emulator_options: &["-cpu", "max,sve-default-vector-length=32"],
    ..ARM64
};
const RISCV: Machine = Machine {
    triple: "riscv64-unknown-linux-gnu",
    cpu: None,
    compiler: "riscv64-linux-gnu-gcc",
    emulator: "qemu-riscv64",
    emulator_options: &[],
};

const MACHINES: [Machine; 3] = [ARM64, A64FX, RISCV];

/// Those with instructions for products of small numbers: of groups of NEON and of SVE, and of
/// matrices of groups.
const WITH_PRODUCTS: [Machine; 3] = [
    Machine {
        cpu: Some("neoverse-n1"),
        ..ARM64
    },
    NEOVERSE_V1,
    A64FX,
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
    installed(&MACHINES)
}

/// The machines of ARM64 that have instructions for products of small numbers, if their tools
/// are installed, as [`machines`].
///
/// # Panics
/// As there.
pub fn with_products() -> Vec<Machine> {
    installed(&WITH_PRODUCTS)
}

fn installed(machines: &[Machine]) -> Vec<Machine> {
    let is_there = |machine: &Machine| {
        let lacking = [machine.compiler, machine.emulator]
            .into_iter()
            .find(|tool| Command::new(tool).arg("--version").output().is_err());
        if let Some(tool) = lacking {
            assert!(!all_are_wanted(), "{tool} is missing");
        }
        lacking.is_none()
    };
    machines.iter().copied().filter(is_there).collect()
}

impl Machine {
    /// What tells it from others: the processor, or any of a triple.
    pub fn name(&self) -> &'static str {
        self.cpu.unwrap_or(self.triple)
    }

    /// The options of the tools that name it.
    pub fn options(&self) -> Vec<String> {
        let triple = format!("--target={}", self.triple);
        let cpu = self.cpu.map(|cpu| format!("--target-cpu={cpu}"));
        std::iter::once(triple).chain(cpu).collect()
    }

    /// The words of the command that runs programs.
    pub fn runner(&self) -> Vec<&'static str> {
        [&[self.emulator], self.emulator_options].concat()
    }

    /// The words of the command that links programs.
    pub fn linker(&self) -> [&'static str; 2] {
        [self.compiler, "-static"]
    }
}
