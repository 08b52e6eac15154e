//! Object files, and the files written next to them.

use std::path::{Path, PathBuf};

use ar_archive_writer::{
    ArchiveKind, DEFAULT_OBJECT_READER, NewArchiveMember, write_archive_to_stream,
};
use halo_backend::ObjectCode;
use halo_backend::object_code::CodeForm;
use halo_backend::object_code::linker::shared_library;
use halo_core::file;
use halo_core::identifiers::{identifiers, is_identifier};
use halo_runtime::{Error, Result};

use super::cli::Cli;

/// The component of a program's [`ObjectCode`] that `--emit=` selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// The program in C.
    Source,
    Object,
    StaticLibrary,
    SharedLibrary,
    Header,
    RustModule,
}

impl Product {
    /// The product of a value of `--emit=`.
    pub fn of(emit: &str) -> Option<Self> {
        Some(match emit {
            "c" => Self::Source,
            "obj" => Self::Object,
            "static" => Self::StaticLibrary,
            "shared" => Self::SharedLibrary,
            "header" => Self::Header,
            "rust" => Self::RustModule,
            _ => return None,
        })
    }

    /// Returns true if it may be written to a terminal.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Source | Self::Header | Self::RustModule)
    }

    /// Returns true if it declares code in another file.
    pub fn is_declaration(self) -> bool {
        matches!(self, Self::Header | Self::RustModule)
    }

    /// Returns true if it is available for programs of a format.
    pub fn is_of(self, form: CodeForm) -> bool {
        match self {
            Self::Source => form == CodeForm::C,
            Self::Object | Self::StaticLibrary => form == CodeForm::Object,
            Self::SharedLibrary | Self::Header | Self::RustModule => true,
        }
    }

    /// A description of the code that a backend must support for it.
    pub fn needs(self) -> &'static str {
        match self {
            Self::Source => "C",
            _ => "object files",
        }
    }

    /// The bytes of its file.
    ///
    /// # Errors
    /// Returns an error if the linker cannot be run, or fails.
    pub fn bytes(self, code: &ObjectCode, linker: &str) -> Result<Vec<u8>> {
        match self {
            Self::Source | Self::Object => Ok(code.code.clone()),
            Self::StaticLibrary => archive(code),
            Self::SharedLibrary => library(code, linker),
            Self::Header => code.c_header().map(String::into_bytes),
            Self::RustModule => code.rust_module().map(String::into_bytes),
        }
    }
}

/// The prefix of a program's names: from the command line, or from the file name.
///
/// # Errors
/// Returns an invalid-input error if that is not an identifier.
pub fn name(cli: &Cli) -> Result<String> {
    if let Some(name) = &cli.name {
        return if is_identifier(name) {
            Ok(name.clone())
        } else {
            Err(Error::invalid(format!(
                "--name={name}: names of C begin with it, so it must be an identifier"
            )))
        };
    }
    let is_path = |path: &&Path| !file::is_standard_stream(path);
    let output = cli.output.as_deref().filter(is_path);
    let path = output.or_else(|| Some(&*cli.file).filter(is_path));
    let Some(path) = path else {
        return Ok("program".to_owned());
    };
    let stem = stem(path, output.is_some());
    if is_identifier(&stem) {
        Ok(stem)
    } else {
        Err(Error::invalid(format!(
            "names of C and Rust cannot begin with '{stem}', as the file does: choose an identifier \
             with --name"
        )))
    }
}

/// The name of a file without its extension, and of a library without its prefix.
pub fn stem(path: &Path, is_output: bool) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let rest = stem.strip_prefix("lib");
    let rest = rest.filter(|rest| !rest.is_empty() && is_output);
    rest.unwrap_or(&stem).to_owned()
}

/// Renames inputs and outputs as the command line specifies.
///
/// # Errors
/// Returns an invalid-input error if there are more or fewer names than values, or a name is given
/// twice or is not an identifier.
pub fn rename(cli: &Cli, code: &mut ObjectCode) -> Result<()> {
    let apply = |option: &str, given: &Option<Vec<String>>, names: &mut Vec<String>| {
        let Some(given) = given else { return Ok(()) };
        if given.len() != names.len() {
            return Err(Error::invalid(format!(
                "--{option}-names has {} names, but the program has {} {option}s",
                given.len(),
                names.len()
            )));
        }
        if let Some(name) = given.iter().find(|name| !is_identifier(name)) {
            let message = format!("--{option}-names: '{name}' is not an identifier");
            return Err(Error::invalid(message));
        }
        names.clone_from(given);
        Ok(())
    };
    apply("input", &cli.input_names, &mut code.input_names)?;
    apply("output", &cli.output_names, &mut code.output_names)?;
    let named = |names: &[String]| names.iter().cloned().map(Some).collect::<Vec<_>>();
    let (inputs, outputs) = identifiers(&named(&code.input_names), &named(&code.output_names));
    let given = cli.input_names.iter().chain(&cli.output_names).flatten();
    let kept: Vec<&String> = inputs.iter().chain(&outputs).collect();
    if let Some(name) = given.into_iter().find(|name| !kept.contains(name)) {
        return Err(Error::invalid(format!(
            "two values cannot be called '{name}', in upper or lower case"
        )));
    }
    (code.input_names, code.output_names) = (inputs, outputs);
    Ok(())
}

/// Writes the constants of an object file to a separate file, if it has some.
///
/// # Errors
/// Returns an invalid-input error if it cannot be written.
pub fn write_constants(path: Option<&Path>, code: &ObjectCode) -> Result<()> {
    match path.zip(code.constants.as_ref()) {
        Some((path, constants)) => {
            let write = file::write_whole(path, |file| file.write_all(constants.bytes()));
            Ok(write?)
        }
        None => Ok(()),
    }
}

/// Writes the declarations of an object file.
///
/// # Errors
/// Returns an invalid-input error if one cannot be written.
pub fn write_companions(cli: &Cli, code: &ObjectCode) -> Result<()> {
    let write = |path: &Option<PathBuf>, product: Product| match path {
        Some(path) => {
            let bytes = product.bytes(code, &cli.linker)?;
            Ok(file::write_whole(path, |file| file.write_all(&bytes))?)
        }
        None => Ok(()),
    };
    write(&cli.header, Product::Header)?;
    write(&cli.rust, Product::RustModule)
}

/// A static library with only the object.
fn archive(code: &ObjectCode) -> Result<Vec<u8>> {
    let member = NewArchiveMember::new(
        &code.code,
        &DEFAULT_OBJECT_READER,
        format!("{}.o", code.name),
    );
    let mut library = std::io::Cursor::new(Vec::new());
    write_archive_to_stream(&mut library, &[member], ArchiveKind::Gnu, false, None)
        .map_err(|error| Error::internal(format!("the archive: {error}")))?;
    Ok(library.into_inner())
}

/// The bytes of a shared library, linked by the system's linker.
fn library(code: &ObjectCode, linker: &str) -> Result<Vec<u8>> {
    let library = shared_library(code, &[linker.to_owned()])?;
    let read = std::fs::read(library.path());
    read.map_err(|error| Error::execution(format!("linker '{linker}': {error}")))
}
