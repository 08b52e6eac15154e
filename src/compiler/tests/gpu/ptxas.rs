//! NVIDIA's assembler, which reports the registers of a kernel.

use super::tell;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

/// Finds the assembler on this machine.
pub static ASSEMBLER: LazyLock<Option<Assembler>> = LazyLock::new(|| {
    let found = Assembler::find();
    if found.is_none() {
        tell("ptxas was not found (HALO_PTXAS, PATH, VIRTUAL_ENV): no kernel was assembled");
    }
    found
});

/// An assembler at a path.
pub struct Assembler(PathBuf);

/// The assembler's report on a kernel.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub kernel: String,
    pub registers: u32,
    /// Bytes of spilled registers.
    pub spilled: u32,
}

impl Assembler {
    /// Searches `HALO_PTXAS`, then `PATH`, then the Python packages of `VIRTUAL_ENV`.
    fn find() -> Option<Self> {
        if let Some(named) = env::var_os("HALO_PTXAS") {
            let path = PathBuf::from(named);
            assert!(path.is_file(), "HALO_PTXAS: no file '{}'", path.display());
            return Some(Self(path));
        }
        let path = env::var_os("PATH").unwrap_or_default();
        let mut folders: Vec<PathBuf> = env::split_paths(&path).collect();
        if let Some(environment) = env::var_os("VIRTUAL_ENV") {
            let versions = fs::read_dir(Path::new(&environment).join("lib"));
            folders.extend(
                versions
                    .into_iter()
                    .flatten()
                    .flatten()
                    .map(|version| version.path().join("site-packages/nvidia/cuda_nvcc/bin")),
            );
        }
        let files = folders.into_iter().map(|folder| folder.join("ptxas"));
        files.into_iter().find(|file| file.is_file()).map(Self)
    }

    /// The resources that each kernel of a text uses on an architecture.
    pub fn assemble(&self, ptx: &[u8], architecture: &str) -> Result<Vec<Usage>, String> {
        let file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
        fs::write(file.path(), ptx).map_err(|error| error.to_string())?;
        let output = Command::new(&self.0)
            .args(["--verbose", "--gpu-name", architecture, "--output-file"])
            .arg("/dev/null")
            .arg(file.path())
            .output()
            .map_err(|error| format!("{}: {error}", self.0.display()))?;
        let text = String::from_utf8_lossy(&output.stderr);
        if output.status.success() {
            Ok(usages(&text))
        } else {
            Err(format!("ptxas: {text}"))
        }
    }
}

/// Parses the output of `ptxas --verbose`.
fn usages(text: &str) -> Vec<Usage> {
    let mut all: Vec<Usage> = Vec::new();
    for line in text.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let kernel = rest.split('\'').next().unwrap_or_default().to_owned();
            all.push(Usage {
                kernel,
                ..Usage::default()
            });
        } else if let Some(usage) = all.last_mut() {
            if let Some(bytes) = before(line, " bytes spill stores") {
                usage.spilled = bytes;
            }
            if let Some(registers) = before(line, " registers") {
                usage.registers = registers;
            }
        }
    }
    all
}

/// Returns the number before some words.
fn before(line: &str, words: &str) -> Option<u32> {
    let (start, _) = line.split_once(words)?;
    start.split_whitespace().last()?.parse().ok()
}

#[test]
fn reads_what_the_assembler_says() {
    let text = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'main_mma_1' for 'sm_80'
ptxas info    : Function properties for main_mma_1
    24 bytes stack frame, 20 bytes spill stores, 28 bytes spill loads
ptxas info    : Used 128 registers, used 1 barriers, 2 bytes cmem[0]
";
    let expected = Usage {
        kernel: "main_mma_1".to_owned(),
        registers: 128,
        spilled: 20,
    };
    assert_eq!(usages(text), [expected]);
}
