//! `halo-new`: writes a crate with a pass, its plug-in and its FileCheck test.
//!
//! The crate is `examples/out-of-tree/first-pass` under another name. Only its dependencies differ:
//! an SDK and a source tree have the packages in the same folders, a repository by their names.

use clap::Parser;
use halo_drivers::{Stop, finish, parse_command_line, print};
use halo_runtime::Error;
use halo_shared as _;
use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// The package of the template. Its tool is `first-opt`.
const TEMPLATE: &str = "first-pass";

macro_rules! template {
    ($($file:literal)+) => {
        &[$(($file, include_str!(concat!("../../examples/out-of-tree/first-pass/", $file)))),+]
    };
}

const FILES: &[(&str, &str)] = template! {
    "Cargo.toml" "build.rs" "src/lib.rs" "src/main.rs" "tests/lit.rs" "tests/lit/double.mlir"
};

/// The manifest's paths, below the root of a source tree or an SDK.
const PATHS: [&str; 2] = ["src/shared", "tools/halo-lit"];

/// The file that an SDK has in addition: the version of Rust that it was built with.
const TOOLCHAIN: &str = "rust-toolchain.toml";

/// Writes a crate with a pass, an opt-like tool and a FileCheck test.
#[derive(Parser)]
#[command(name = "halo-new", version)]
struct Options {
    /// The folder of the crate, whose last name is the crate's.
    folder: PathBuf,
    /// The SDK or source tree of Halo to build with [default: the one with this program]
    #[arg(long, value_name = "FOLDER", conflicts_with = "git")]
    halo: Option<PathBuf>,
    /// The git repository of Halo to build with.
    #[arg(long, value_name = "URL")]
    git: Option<String>,
}

fn main() -> ExitCode {
    let (out, err) = (&mut std::io::stdout(), &mut std::io::stderr());
    let options: Options = match parse_command_line(env::args_os(), |command| command, out, err) {
        Ok(options) => options,
        Err(code) => return ExitCode::from(code),
    };
    let result = create(&options, out);
    ExitCode::from(finish("halo-new", result, out, err))
}

fn create(options: &Options, out: &mut dyn Write) -> Result<(), Stop> {
    let name = options.folder.file_name().unwrap_or_default().to_string_lossy();
    let is_valid = name.starts_with(|letter: char| letter.is_ascii_lowercase())
        && name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter));
    if !is_valid {
        return Err(Error::invalid(format!(
            "expected a crate's name of letters, digits, '-' and '_', found '{name}'"
        ))
        .into());
    }
    let root = match &options.git {
        Some(_) => None,
        None => Some(root(options.halo.as_deref())?),
    };
    let toolchain = root.as_ref().and_then(|root| fs::read_to_string(root.join(TOOLCHAIN)).ok());
    if options.folder.exists() {
        return Err(in_file(&options.folder, "exists already").into());
    }
    for (file, text) in FILES {
        let mut text = renamed(text, &name);
        if *file == "Cargo.toml" {
            for path in PATHS {
                let template = format!("path = \"../../../{path}\"");
                let source = match (&root, &options.git) {
                    (Some(root), _) => format!("path = {:?}", root.join(path)),
                    (None, url) => format!("git = {:?}", url.as_deref().unwrap_or_default()),
                };
                text = text.replace(&template, &source);
            }
            text.push_str("\n[profile.dev.package.\"*\"]\ndebug = false\n");
        }
        write(&options.folder.join(file), &text)?;
    }
    write(&options.folder.join(".gitignore"), "/target\n")?;
    match toolchain {
        Some(text) => write(&options.folder.join(TOOLCHAIN), &text)?,
        // Halo is compiled with the crate, and needs LLVM.
        None => write(&options.folder.join(".cargo/config.toml"), &configuration())?,
    }
    let folder = options.folder.display();
    print(
        out,
        format_args!("wrote {folder}; test it by: cd {folder} && cargo test\n"),
    )
}

/// The template's text with the names of another crate.
fn renamed(text: &str, name: &str) -> String {
    let stem = name.strip_suffix("-pass").unwrap_or(name);
    text.replace("first-opt", &format!("{stem}-opt"))
        .replace("\"first\"", &format!("{stem:?}"))
        .replace(TEMPLATE, name)
        .replace(&TEMPLATE.replace('-', "_"), &name.replace('-', "_"))
}

/// The root of the SDK or the source tree.
fn root(folder: Option<&Path>) -> Result<PathBuf, Error> {
    let is_root = |folder: &Path| folder.join(PATHS[0]).join("Cargo.toml").is_file();
    if let Some(folder) = folder {
        let absolute = folder.canonicalize().map_err(|error| in_file(folder, error))?;
        if !is_root(&absolute) {
            return Err(in_file(folder, "expected an SDK or a source tree of Halo"));
        }
        return Ok(absolute);
    }
    let program = env::current_exe().and_then(|program| program.canonicalize());
    let program = program.map_err(|error| Error::execution(error.to_string()))?;
    let found = program.ancestors().find(|folder| is_root(folder));
    found.map(Path::to_owned).ok_or_else(|| {
        Error::invalid("this program is in no SDK or source tree of Halo: give --halo or --git")
    })
}

/// The variables with which build scripts find LLVM.
fn configuration() -> String {
    let prefix = env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".to_owned());
    let names = [
        "MLIR_SYS_220_PREFIX",
        "TABLEGEN_220_PREFIX",
        "LLVM_SYS_221_PREFIX",
    ];
    let lines = names.map(|name| format!("{name} = {prefix:?}\n"));
    format!(
        "[env]\n{}LIBCLANG_PATH = {:?}\n",
        lines.concat(),
        format!("{prefix}/lib")
    )
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| in_file(path, error))
}

fn in_file(path: &Path, message: impl ToString) -> Error {
    Error::invalid_file(path.display().to_string(), message.to_string())
}
