//! Runs `mlir-tblgen` over the ODS files in `dialects/`, generates the Rust of
//! typed ops from them and from upstream's, and compiles the C++ in
//! `dialects/cpp/` into one static library.
//!
//! Cargo reruns the whole script whenever one of its inputs changes, and MLIR's headers make every
//! C++ file take seconds. So the script keeps its own dependency files and redoes only the steps
//! whose inputs are newer than their outputs.

#[path = "build/typed_ops.rs"]
mod typed_ops;

use std::{
    cmp::Reverse,
    env, fs,
    path::{Path, PathBuf},
    process::{self, Command},
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::SystemTime,
};

/// The folder of the ODS files and the C++ code: a symbolic link, in place of which the package of
/// this crate has the files.
const DIALECTS: &str = "dialects";

/// One run of `mlir-tblgen`.
struct Generated {
    source: &'static str,
    output: &'static str,
    arguments: &'static [&'static str],
}

macro_rules! generated {
    ($($source:literal => $output:literal: $($argument:literal)+;)*) => {
        &[$(Generated {
            source: concat!($source, ".td"),
            output: concat!($output, ".inc"),
            arguments: &[$(concat!("--", $argument)),+],
        }),*]
    };
}

const GENERATED: &[Generated] = generated! {
    "stablehlo/Dialect" => "StablehloDialect.h": "gen-dialect-decls" "dialect=stablehlo";
    "stablehlo/Dialect" => "StablehloDialect.cpp": "gen-dialect-defs" "dialect=stablehlo";
    "stablehlo/Types" => "StablehloTypes.h": "gen-typedef-decls" "typedefs-dialect=stablehlo";
    "stablehlo/Types" => "StablehloTypes.cpp": "gen-typedef-defs" "typedefs-dialect=stablehlo";
    "stablehlo/Enums" => "StablehloEnums.h": "gen-enum-decls";
    "stablehlo/Enums" => "StablehloEnums.cpp": "gen-enum-defs";
    "stablehlo/Attrs" => "StablehloAttrs.h": "gen-attrdef-decls" "attrdefs-dialect=stablehlo";
    "stablehlo/Attrs" => "StablehloAttrs.cpp": "gen-attrdef-defs" "attrdefs-dialect=stablehlo";
    "stablehlo/Bytecode" => "StablehloBytecode.cpp": "gen-bytecode" "bytecode-dialect=Stablehlo";
    "stablehlo/UnaryOps" => "StablehloUnaryOps.h": "gen-op-decls";
    "stablehlo/UnaryOps" => "StablehloUnaryOps.cpp": "gen-op-defs";
    "stablehlo/BinaryOps" => "StablehloBinaryOps.h": "gen-op-decls";
    "stablehlo/BinaryOps" => "StablehloBinaryOps.cpp": "gen-op-defs";
    "stablehlo/ShapeOps" => "StablehloShapeOps.h": "gen-op-decls";
    "stablehlo/ShapeOps" => "StablehloShapeOps.cpp": "gen-op-defs";
    "stablehlo/DynamicOps" => "StablehloDynamicOps.h": "gen-op-decls";
    "stablehlo/DynamicOps" => "StablehloDynamicOps.cpp": "gen-op-defs";
    "stablehlo/LinearAlgebraOps" => "StablehloLinearAlgebraOps.h": "gen-op-decls";
    "stablehlo/LinearAlgebraOps" => "StablehloLinearAlgebraOps.cpp": "gen-op-defs";
    "stablehlo/ReductionOps" => "StablehloReductionOps.h": "gen-op-decls";
    "stablehlo/ReductionOps" => "StablehloReductionOps.cpp": "gen-op-defs";
    "stablehlo/ControlFlowOps" => "StablehloControlFlowOps.h": "gen-op-decls";
    "stablehlo/ControlFlowOps" => "StablehloControlFlowOps.cpp": "gen-op-defs";
    "stablehlo/CommunicationOps" => "StablehloCommunicationOps.h": "gen-op-decls";
    "stablehlo/CommunicationOps" => "StablehloCommunicationOps.cpp": "gen-op-defs";
    "chlo/Dialect" => "ChloDialect.h": "gen-dialect-decls" "dialect=chlo";
    "chlo/Dialect" => "ChloDialect.cpp": "gen-dialect-defs" "dialect=chlo";
    "chlo/Enums" => "ChloEnums.h": "gen-enum-decls";
    "chlo/Enums" => "ChloEnums.cpp": "gen-enum-defs";
    "chlo/Attrs" => "ChloAttrs.h": "gen-attrdef-decls" "attrdefs-dialect=chlo";
    "chlo/Attrs" => "ChloAttrs.cpp": "gen-attrdef-defs" "attrdefs-dialect=chlo";
    "chlo/Bytecode" => "ChloBytecode.cpp": "gen-bytecode" "bytecode-dialect=Chlo";
    "chlo/UnaryOps" => "ChloUnaryOps.h": "gen-op-decls";
    "chlo/UnaryOps" => "ChloUnaryOps.cpp": "gen-op-defs";
    "chlo/BroadcastOps" => "ChloBroadcastOps.h": "gen-op-decls";
    "chlo/BroadcastOps" => "ChloBroadcastOps.cpp": "gen-op-defs";
    "chlo/OtherOps" => "ChloOtherOps.h": "gen-op-decls";
    "chlo/OtherOps" => "ChloOtherOps.cpp": "gen-op-defs";
    "check/CheckOps" => "CheckDialect.h": "gen-dialect-decls" "dialect=check";
    "check/CheckOps" => "CheckDialect.cpp": "gen-dialect-defs" "dialect=check";
    "check/CheckOps" => "CheckOps.h": "gen-op-decls";
    "check/CheckOps" => "CheckOps.cpp": "gen-op-defs";
    "mhlo/Ops" => "MhloDialect.h": "gen-dialect-decls" "dialect=mhlo";
    "mhlo/Ops" => "MhloDialect.cpp": "gen-dialect-defs" "dialect=mhlo";
    "mhlo/Ops" => "MhloOps.h": "gen-op-decls";
    "mhlo/Ops" => "MhloOps.cpp": "gen-op-defs";
    "sdy/Ops" => "SdyDialect.h": "gen-dialect-decls" "dialect=sdy";
    "sdy/Ops" => "SdyDialect.cpp": "gen-dialect-defs" "dialect=sdy";
    "sdy/Ops" => "SdyOps.h": "gen-op-decls";
    "sdy/Ops" => "SdyOps.cpp": "gen-op-defs";
    "interpreter/InterpreterOps" =>
        "InterpreterDialect.h": "gen-dialect-decls" "dialect=interpreter";
    "interpreter/InterpreterOps" =>
        "InterpreterDialect.cpp": "gen-dialect-defs" "dialect=interpreter";
    "interpreter/InterpreterOps" => "InterpreterOps.h": "gen-op-decls";
    "interpreter/InterpreterOps" => "InterpreterOps.cpp": "gen-op-defs";
    "halo/Dialect" => "HaloDialect.h": "gen-dialect-decls" "dialect=halo";
    "halo/Dialect" => "HaloDialect.cpp": "gen-dialect-defs" "dialect=halo";
    "halo/Attrs" => "HaloEnums.h": "gen-enum-decls";
    "halo/Attrs" => "HaloEnums.cpp": "gen-enum-defs";
    "halo/Attrs" => "HaloAttrs.h": "gen-attrdef-decls" "attrdefs-dialect=halo";
    "halo/Attrs" => "HaloAttrs.cpp": "gen-attrdef-defs" "attrdefs-dialect=halo";
    "halo/Ops" => "HaloOps.h": "gen-op-decls" "dialect=halo";
    "halo/Ops" => "HaloOps.cpp": "gen-op-defs" "dialect=halo";
};

fn main() {
    if let Err(message) = build() {
        eprintln!("{message}");
        process::exit(1);
    }
}

fn build() -> Result<(), String> {
    for input in [
        "stablehlo",
        "chlo",
        "check",
        "halo",
        "interpreter",
        "mhlo",
        "sdy",
        "cpp",
    ] {
        println!("cargo:rerun-if-changed={DIALECTS}/{input}");
    }
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
    // All paths below are relative to the folder of the dialects.
    env::set_current_dir(DIALECTS).map_err(|error| format!("{DIALECTS}: {error}"))?;

    let prefix = llvm_prefix()?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let include = out.join("include");
    let objects = out.join("objects");
    let records = out.join("records");
    let modules = out.join("ops");
    for folder in [&include, &objects, &records, &modules] {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }

    in_parallel(GENERATED, |step| generate(&prefix, &include, step))?;
    in_parallel(typed_ops::DIALECTS, |dialect| {
        typed_ops::dump(&prefix, &records, dialect)
    })?;
    typed_ops::write(&records, &modules, &include)?;
    // Clippy reads the generated Rust code, in a separate folder, and links nothing.
    if !is_clippy() {
        compile_cpp(&prefix, &include, &objects, &out)?;
    }
    Ok(())
}

fn is_clippy() -> bool {
    let wrapper = env::var_os("RUSTC_WORKSPACE_WRAPPER").map(PathBuf::from);
    wrapper.is_some_and(|wrapper| wrapper.file_stem() == Some("clippy-driver".as_ref()))
}

fn compile_cpp(prefix: &Path, include: &Path, objects: &Path, out: &Path) -> Result<(), String> {
    let sources = cpp_sources().map_err(|error| format!("cpp: {error}"))?;
    let precompiled = precompile(prefix, include, objects)?;
    in_parallel(&longest_first(&sources), |source| {
        let mut compiler = compiler(prefix, include);
        compiler.arg("-include-pch").arg(&precompiled);
        compile(compiler, source, &object_of(objects, source))
    })?;
    archive(prefix, objects, out, &sources)?;
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=halo_dialects_cpp");
    Ok(())
}

/// The prefix of the LLVM 22 installation: the variable that mlir-sys reads too.
fn llvm_prefix() -> Result<PathBuf, String> {
    let prefix = PathBuf::from(
        env::var_os("MLIR_SYS_220_PREFIX").unwrap_or_else(|| "/usr/lib/llvm-22".into()),
    );
    let missing = ["mlir-tblgen", "llvm-tblgen"]
        .into_iter()
        .find(|tool| !prefix.join("bin").join(tool).is_file());
    let Some(missing) = missing else {
        return Ok(prefix);
    };
    Err(format!(
        "no {missing} in {}/bin: install LLVM and MLIR 22, or set \
         MLIR_SYS_220_PREFIX to where they are",
        prefix.display()
    ))
}

/// The entries of a folder, in a fixed order.
fn entries(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut entries = entries.collect::<std::io::Result<Vec<_>>>()?;
    entries.sort();
    Ok(entries)
}

/// The folders of the C++ files.
fn cpp_folders() -> std::io::Result<Vec<PathBuf>> {
    let entries = entries(Path::new("cpp"))?.into_iter();
    Ok(entries.filter(|path| path.is_dir()).collect())
}

/// The C++ files, in a fixed order.
fn cpp_sources() -> std::io::Result<Vec<PathBuf>> {
    let mut sources = Vec::new();
    for folder in cpp_folders()? {
        let files = entries(&folder)?.into_iter();
        sources.extend(files.filter(|path| path.extension().is_some_and(|end| end == "cpp")));
    }
    Ok(sources)
}

/// The files with the most includes first, since no other file compiles in parallel with the last
/// one.
fn longest_first(sources: &[PathBuf]) -> Vec<&PathBuf> {
    let includes = |source: &PathBuf| {
        let text = fs::read_to_string(source).unwrap_or_default();
        text.matches("#include").count()
    };
    let mut sources: Vec<&PathBuf> = sources.iter().collect();
    sources.sort_by_cached_key(|source| Reverse(includes(source)));
    sources
}

fn generate(prefix: &Path, include: &Path, step: &Generated) -> Result<(), String> {
    let output = include.join(step.output);
    let dependencies = include.join(format!("{}.d", step.output));
    let source = Path::new(step.source);
    // An unchanged output is not rewritten, so that the C++ files that include it stay up to date;
    // the dependency file has the time of the check.
    if output.is_file() && is_current(&dependencies, source, &dependencies) {
        return Ok(());
    }
    run(
        Command::new(prefix.join("bin/mlir-tblgen"))
            .args(step.arguments)
            .arg("--write-if-changed")
            .args(["-I", ".", "-I"])
            .arg(prefix.join("include"))
            .arg("-d")
            .arg(&dependencies)
            .arg("-o")
            .arg(&output)
            .arg(source),
        source,
    )
}

/// Compiles the headers that most files read: parsing them, and instantiating their templates,
/// takes most files longer than their own code.
fn precompile(prefix: &Path, include: &Path, objects: &Path) -> Result<PathBuf, String> {
    let header = Path::new("cpp/Precompiled.h");
    let output = objects.join("Precompiled.pch");
    let mut command = compiler(prefix, include);
    command.args(["-x", "c++-header"]);
    compile(command, header, &output)?;
    Ok(output)
}

fn compiler(prefix: &Path, include: &Path) -> Command {
    let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .compiler(prefix.join("bin/clang++"))
        .std("c++17")
        // MLIR's headers are fast only when inlined, so even a debug build
        // optimizes a little.
        .opt_level(if release { 2 } else { 1 })
        .debug(false)
        .include("cpp")
        .includes(cpp_folders().unwrap_or_default())
        .include(include)
        .flag("-isystem")
        .flag(prefix.join("include"))
        .flag("-fno-exceptions")
        .flag("-fpch-instantiate-templates")
        .flag("-Wno-unused-parameter")
        .cargo_metadata(false);
    if release {
        build.define("NDEBUG", None);
    }
    if env::var_os("CARGO_FEATURE_ROCM").is_some() {
        build.define("HALO_ROCM", None);
    }
    build.get_compiler().to_command()
}

/// Runs the compiler, unless the output is newer than all its dependencies.
fn compile(mut compiler: Command, source: &Path, output: &Path) -> Result<(), String> {
    let dependencies = output.with_extension("d");
    if is_current(output, source, &dependencies) {
        return Ok(());
    }
    let command = compiler.arg("-c").arg(source).arg("-o").arg(output);
    run(command.arg("-MD").arg("-MF").arg(&dependencies), source)
}

fn archive(prefix: &Path, objects: &Path, out: &Path, sources: &[PathBuf]) -> Result<(), String> {
    let library = out.join("libhalo_dialects_cpp.a");
    // A fresh archive: the old one may contain objects of deleted files.
    let _ = fs::remove_file(&library);
    run(
        Command::new(prefix.join("bin/llvm-ar"))
            .arg("crs")
            .arg(&library)
            .args(sources.iter().map(|source| object_of(objects, source))),
        &library,
    )
}

fn object_of(objects: &Path, source: &Path) -> PathBuf {
    objects
        .join(source.file_name().expect("a source has a name"))
        .with_extension("o")
}

/// The path of this script.
fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("build.rs")
}

/// Returns true if `stamp` is newer than the source, this script and all files in the dependency
/// file.
fn is_current(stamp: &Path, source: &Path, dependencies: &Path) -> bool {
    let modified = |path: &Path| -> Option<SystemTime> { path.metadata().ok()?.modified().ok() };
    let Some(built) = modified(stamp) else {
        return false;
    };
    let Ok(rule) = fs::read_to_string(dependencies) else {
        return false;
    };
    let Some((_, inputs)) = rule.split_once(": ") else {
        return false;
    };
    inputs
        .split_whitespace()
        .filter(|word| *word != "\\")
        .map(Path::new)
        .chain([source, &script()])
        .all(|input| modified(input).is_some_and(|changed| changed <= built))
}

/// Runs `work` on every item, on as many threads as cargo grants, until one
/// fails.
fn in_parallel<T: Sync>(
    items: &[T],
    work: impl Fn(&T) -> Result<(), String> + Sync,
) -> Result<(), String> {
    let threads = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1usize);
    let next = AtomicUsize::new(0);
    let first_failure = OnceLock::new();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                while first_failure.get().is_none() {
                    let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        break;
                    };
                    if let Err(message) = work(item) {
                        // Another thread may have failed first; one message is enough.
                        let _ = first_failure.set(message);
                    }
                }
            });
        }
    });
    first_failure.into_inner().map_or(Ok(()), Err)
}

fn run(command: &mut Command, what: &Path) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{}: {status}", what.display())),
        Err(error) => Err(format!(
            "{}: running {}: {error}",
            what.display(),
            command.get_program().display()
        )),
    }
}
