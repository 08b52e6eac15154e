//! Dialects from ODS files, for the build scripts of other crates.
//!
//! ```ignore
//! use halo_ods::build_script::{self, Dialect};
//!
//! fn main() -> std::process::ExitCode {
//!     build_script::main(&[Dialect::new("src/signal.td")])
//! }
//! ```
//!
//! runs TableGen, and writes `signal.rs` to the folder `OUT_DIR`. A module of the crate includes
//! it, and implements the hooks that the records require:
//!
//! ```ignore
//! include!(concat!(env!("OUT_DIR"), "/signal.rs"));
//!
//! impl<'c> Verifier<'c> for ScaleOp<'c> {
//!     fn verify(self) -> Result<(), VerifyError> { /* ... */ }
//! }
//! ```
//!
//! | ODS | Rust |
//! |---|---|
//! | `Dialect` | a `static` of its name in capitals, such as `SIGNAL`, for `dialect::register` or `Plugin::dialect` |
//! | `Op` | a type with accessors, a builder and a function, as in `halo_ir::ops` |
//! | `hasVerifier`, `hasFolder`, `hasCanonicalizer`, `InferTypeOpInterface` | traits of `halo_ir::dialect` that the type must implement; a constant folds to its value without them |
//! | `TypeDef`, `AttrDef` | a type with `get`, `cast` and accessors; `genVerifyDecl` requires a separate trait |
//! | `I32EnumAttr`, `EnumAttr` | an enum; attributes are read and written as its cases |
//! | properties | attributes |
//! | a constraint in C++ that is not one of MLIR's | a function of the including module: for `Signal_ShortTensor` it is `fn is_short_tensor(ty: Type) -> bool`, for an attribute it takes an `Attribute` |
//! | `extraClassDeclaration`, `builders` | nothing: methods are Rust |
//!
//! Other C++ code, and traits that `halo_ir::dialect::OpTrait` does not have, are errors with the
//! file and the line of the record.

use crate::{declaration, error::Error, records::Records, rust_code};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

/// An ODS file, and its generated Rust code.
#[derive(Clone, Debug)]
pub struct Dialect {
    source: PathBuf,
    includes: Vec<PathBuf>,
    name: Option<String>,
    root: String,
}

impl Dialect {
    /// The dialect that a file defines, relative to the manifest.
    pub fn new(source: impl Into<PathBuf>) -> Self {
        Self {
            source: source.into(),
            includes: Vec::new(),
            name: None,
            root: "halo::ir".to_owned(),
        }
    }

    /// Adds an include folder, in addition to the folder of the file and MLIR's.
    pub fn include(mut self, folder: impl Into<PathBuf>) -> Self {
        self.includes.push(folder.into());
        self
    }

    /// Names the dialect, if the files define several.
    pub fn name(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// Sets the Rust path of the crate `halo-ir`, which is `halo::ir` without this.
    pub fn ir_path(mut self, path: &str) -> Self {
        path.clone_into(&mut self.root);
        self
    }

    /// Generates the module `NAME.rs` in a folder and returns all files that it depends on,
    /// including MLIR's.
    ///
    /// # Errors
    /// Returns an error if LLVM 22 is not installed, TableGen refuses the file, or a record needs a
    /// feature that declared dialects do not support. The message begins with the file and the
    /// line.
    pub fn generate(&self, folder: &Path) -> Result<Vec<PathBuf>, Error> {
        let prefix = llvm_prefix();
        let at = |path: &Path, error: std::io::Error| Error(format!("{}: {error}", path.display()));
        let stem = self.source.file_stem().unwrap_or_default();
        let output = folder.join(stem).with_extension("json");
        let dependencies = folder.join(stem).with_extension("d");
        let tool = prefix.join("bin/llvm-tblgen");
        let mut command = Command::new(&tool);
        command.arg("--dump-json");
        let beside = self.source.parent().unwrap_or(Path::new(""));
        let of_mlir = prefix.join("include");
        for include in [beside].into_iter().chain(self.includes.iter().map(PathBuf::as_path)) {
            command.arg("-I").arg(if include.as_os_str().is_empty() {
                Path::new(".")
            } else {
                include
            });
        }
        command.arg("-I").arg(&of_mlir);
        command.arg("-d").arg(&dependencies).arg("-o").arg(&output);
        let result = command.arg(&self.source).output().map_err(|error| {
            Error(format!(
                "{}: {error}: install LLVM and MLIR 22, or set MLIR_SYS_220_PREFIX to where \
                 they are",
                tool.display()
            ))
        })?;
        if !result.status.success() {
            // The message contains the location.
            let message = String::from_utf8_lossy(&result.stderr);
            return Err(Error(message.trim_end().to_owned()));
        }
        let rule = fs::read_to_string(&dependencies).map_err(|error| at(&dependencies, error))?;
        let mut files = inputs(&rule);
        files.push(self.source.clone());
        let records = fs::read(&output).map_err(|error| at(&output, error))?;
        let names = files.iter().map(|file| file.display().to_string()).collect();
        let records = Records::parse(&records)?.with_files(names);
        let name = match &self.name {
            Some(name) => name.clone(),
            None => self.only_dialect(&records, &of_mlir)?,
        };
        let (dialect, enums) = declaration::read(&records, &name)?;
        let text = rust_code::dialect(&dialect, &enums, &self.root);
        let module = folder.join(format!("{name}.rs"));
        fs::write(&module, text).map_err(|error| at(&module, error))?;
        Ok(files)
    }

    /// The only dialect that is not one of MLIR's.
    fn only_dialect(&self, records: &Records, of_mlir: &Path) -> Result<String, Error> {
        let dialects = records.instances_of("Dialect").into_iter();
        let ours = dialects.filter(|one| {
            let place = one.location().unwrap_or_default();
            !Path::new(&place).starts_with(of_mlir)
        });
        let names: Vec<&str> = ours.filter_map(|one| one.text("name")).collect();
        match names[..] {
            [name] => Ok(name.to_owned()),
            [] => Err(Error(format!(
                "{}: error: the file has no dialect",
                self.source.display()
            ))),
            _ => Err(Error(format!(
                "{}: error: the file has the dialects {}: choose one by `.name(...)`",
                self.source.display(),
                names.join(", ")
            ))),
        }
    }
}

/// The main function of a build script: generates modules in `OUT_DIR`, and makes cargo rerun it
/// when one of their files changes.
pub fn main(dialects: &[Dialect]) -> ExitCode {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    let Some(folder) = env::var_os("OUT_DIR").map(PathBuf::from) else {
        eprintln!("error: OUT_DIR is not set: cargo runs a build script");
        return ExitCode::FAILURE;
    };
    for dialect in dialects {
        println!("cargo:rerun-if-changed={}", dialect.source.display());
        match dialect.generate(&folder) {
            Ok(files) => {
                for file in files {
                    println!("cargo:rerun-if-changed={}", file.display());
                }
            }
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

/// The prefix of the LLVM 22 installation: the variable that mlir-sys reads too.
fn llvm_prefix() -> PathBuf {
    let prefix = env::var_os("MLIR_SYS_220_PREFIX");
    prefix.unwrap_or_else(|| "/usr/lib/llvm-22".into()).into()
}

/// The files of a rule of a makefile.
fn inputs(rule: &str) -> Vec<PathBuf> {
    let inputs = rule.split_once(": ").map_or("", |(_, inputs)| inputs);
    let words = inputs.split_whitespace().filter(|word| *word != "\\");
    let (mut files, mut name) = (Vec::new(), String::new());
    for word in words {
        // TableGen does not mark spaces in names.
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
        if Path::new(&name).exists() {
            files.push(std::mem::take(&mut name).into());
        }
    }
    files
}
