//! Constants in a file next to the code: `--constants=external`.

use std::path::{Path, PathBuf};

use halo_backend::Backend;
use halo_core::file;
use halo_runtime::{Error, Result};

use super::cli::Cli;
use super::objects::{Product, stem};

/// The location of the large constants of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Constants {
    /// In the code.
    Object,
    /// In a file, which the application maps.
    External,
}

impl Cli {
    /// Returns true if constants are in a file.
    pub fn has_external_constants(&self) -> bool {
        self.constants == Constants::External
    }
}

/// The file of the constants; `None` without one, or if only declarations are written.
///
/// # Errors
/// Returns an invalid-input error if the output has no use for one, or it has no name.
pub fn path(cli: &Cli, backend: &Backend, product: Option<Product>) -> Result<Option<PathBuf>> {
    if !cli.has_external_constants() {
        return match cli.constants_file {
            None => Ok(None),
            Some(_) => Err(Error::invalid(
                "--constants-file goes with --constants=external",
            )),
        };
    }
    if backend.compiler.description().code_form.is_none()
        || matches!(cli.emit.as_str(), "plan" | "listing")
    {
        return Err(Error::invalid(
            "--constants=external goes with code that applications link: --emit=obj, static, \
             shared, c, asm or llvm-ir",
        ));
    }
    let is_file = |path: &&Path| !file::is_standard_stream(path);
    match (cli.constants_file.as_deref(), cli.output.as_deref()) {
        (Some(path), _) if is_file(&path) => Ok(Some(path.to_owned())),
        (Some(_), _) => Err(Error::invalid(
            "--constants-file: constants are mapped from a file, not read from a stream",
        )),
        (None, _) if product.is_some_and(Product::is_declaration) => Ok(None),
        (None, Some(output)) if is_file(&output) => {
            let name = format!("{}.weights", stem(output, true));
            Ok(Some(output.with_file_name(name)))
        }
        (None, _) => Err(Error::invalid(
            "external constants go to a file: name it with --constants-file, or the output \
             with -o",
        )),
    }
}

/// Fails if two outputs are the same file.
///
/// # Errors
/// Returns an invalid-input error that names the options.
pub fn expect_different_files(cli: &Cli, constants: Option<&Path>) -> Result<()> {
    let files = [
        ("-o", cli.output.as_deref()),
        ("--header", cli.header.as_deref()),
        ("--rust", cli.rust.as_deref()),
        ("--constants-file", constants),
    ];
    for (number, (option, path)) in files.iter().enumerate() {
        let other = files[..number].iter().find(|(_, other)| other == path);
        if let (Some(path), Some((other, _))) = (path, other) {
            return Err(Error::invalid(format!(
                "{other} and {option} are one file, {}",
                path.display()
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn different(arguments: &[&str], constants: Option<&str>) -> Result<()> {
        let cli = Cli::parse_from([&["halo-compile"], arguments].concat());
        expect_different_files(&cli, constants.map(Path::new))
    }

    #[test]
    fn one_file_is_not_written_twice() {
        different(
            &["-o", "a.o", "--header=a.h", "--rust=a.rs"],
            Some("a.weights"),
        )
        .unwrap();
        let text = different(&["-o", "a.o", "--header=a.o"], None).unwrap_err();
        assert_eq!(text.to_string(), "-o and --header are one file, a.o");
        let text = different(&["-o", "a.weights"], Some("a.weights")).unwrap_err();
        assert_eq!(
            text.to_string(),
            "-o and --constants-file are one file, a.weights"
        );
    }
}
