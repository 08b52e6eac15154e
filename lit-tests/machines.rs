//! Machines of other architectures, on which tests run programs.

use std::{cell::RefCell, process::Command};

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
    /// The first version of the emulator that runs what tests of this machine need.
    first_version: u32,
}

const ARM64: Machine = Machine {
    triple: "aarch64-unknown-linux-gnu",
    cpu: None,
    compiler: "aarch64-linux-gnu-gcc",
    emulator: "qemu-aarch64",
    emulator_options: &[],
    first_version: 0,
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
/// Tiles of SME, and vectors of 512 bits in its streaming mode.
const APPLE_M4: Machine = Machine {
    cpu: Some("apple-m4"),
    emulator_options: &["-cpu", "max,sme-default-vector-length=64"],
    ..ARM64
};
/// The same with products of integers, of which versions before 8.2.1 make two sums at once that
/// are not side by side (<https://gitlab.com/qemu-project/qemu/-/issues/2083>).
const APPLE_M4_OF_INTEGERS: Machine = Machine {
    first_version: FIRST_VERSION_OF_INTEGERS,
    ..APPLE_M4
};
/// `tools/setup.sh` has it too, and tells who runs `make test-targets` what is not tested.
const FIRST_VERSION_OF_INTEGERS: u32 = 9;
const RISCV: Machine = Machine {
    triple: "riscv64-unknown-linux-gnu",
    cpu: None,
    compiler: "riscv64-linux-gnu-gcc",
    emulator: "qemu-riscv64",
    emulator_options: &[],
    first_version: 0,
};

const MACHINES: [Machine; 4] = [ARM64, A64FX, APPLE_M4_OF_INTEGERS, RISCV];

/// Those with instructions for products of small numbers: of groups of NEON and of SVE, of
/// matrices of groups, and of tiles.
const WITH_PRODUCTS: [Machine; 4] = [
    Machine {
        cpu: Some("neoverse-n1"),
        ..ARM64
    },
    NEOVERSE_V1,
    A64FX,
    APPLE_M4_OF_INTEGERS,
];

/// Those with tiles, to which products of floats are added.
const WITH_OUTER_PRODUCTS: [Machine; 1] = [APPLE_M4];

/// Whether all programs are to run on all machines: `make test-targets` sets `HALO_TEST_TARGETS`.
/// Without it a sample runs on the machines that are installed.
pub fn all_are_wanted() -> bool {
    std::env::var_os("HALO_TEST_TARGETS").is_some()
}

/// The machines of [`machines`], whether their tools are installed or not.
pub fn every_machine() -> Vec<Machine> {
    MACHINES.to_vec()
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

/// The machines that add products of floats to tiles, if their tools are installed, as
/// [`machines`].
///
/// # Panics
/// As there.
pub fn with_outer_products() -> Vec<Machine> {
    installed(&WITH_OUTER_PRODUCTS)
}

fn installed(machines: &[Machine]) -> Vec<Machine> {
    let is_there = |machine: &Machine| {
        let lacking = [machine.compiler, machine.emulator]
            .into_iter()
            .find(|tool| Command::new(tool).arg("--version").output().is_err());
        if let Some(tool) = lacking {
            assert!(!all_are_wanted(), "{tool} is missing");
            return false;
        }
        let version = machine.emulator_version();
        if version < machine.first_version {
            tell_once(&machine.skipped(version));
        }
        version >= machine.first_version
    };
    machines.iter().copied().filter(is_there).collect()
}

/// Prints a line, once in the output of each test.
fn tell_once(line: &str) {
    thread_local! {
        static TOLD: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }
    TOLD.with_borrow_mut(|told| {
        if !told.iter().any(|other| other == line) {
            eprintln!("{line}");
            told.push(line.to_owned());
        }
    });
}

impl Machine {
    /// The machine with code for another processor than its own.
    #[must_use]
    pub fn with_code_for(self, cpu: &'static str) -> Self {
        Self {
            cpu: Some(cpu),
            ..self
        }
    }

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

    /// The first number of the emulator's version: 7 of `qemu-aarch64 version 7.2.22`.
    fn emulator_version(&self) -> u32 {
        let output = Command::new(self.emulator).arg("--version").output();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        let text = text.unwrap_or_default();
        let version = text.split_once("version ").map(|(_, version)| version);
        let first = version.and_then(|version| version.split('.').next());
        first.and_then(|first| first.parse().ok()).unwrap_or(0)
    }

    /// Why tests do not run programs on it.
    fn skipped(&self, version: u32) -> String {
        format!(
            "{} is skipped: its products of integers need {} {}, and this is {version}",
            self.name(),
            self.emulator,
            self.first_version
        )
    }

    /// The words of the command that links programs.
    pub fn linker(&self) -> [&'static str; 2] {
        [self.compiler, "-static"]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_machines_say_which_emulator_they_need() {
        assert_eq!(
            APPLE_M4_OF_INTEGERS.skipped(7),
            "apple-m4 is skipped: its products of integers need qemu-aarch64 9, and this is 7"
        );
    }

    #[test]
    fn setup_knows_the_same_version() {
        let script = include_str!("../tools/setup.sh");
        let line = format!("FIRST_QEMU_OF_INTEGERS={FIRST_VERSION_OF_INTEGERS}\n");
        assert!(script.contains(&line), "tools/setup.sh lacks {line:?}");
    }
}
