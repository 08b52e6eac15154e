//! Checks that the plan of each program is valid, and that NVIDIA's assembler accepts its PTX: for
//! the small models, and for the large ones if available.

use super::{
    for_each,
    models::{MODELS, Model},
    plan,
    ptxas::ASSEMBLER,
    tell,
};
use halo_backend::Program;
use halo_runtime::Plan;
use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// The oldest supported generation, and the one with the most new features.
const ARCHITECTURES: [&str; 2] = ["sm_80", "sm_90"];

#[test]
fn small_models() {
    let programs: Vec<(String, Program)> = MODELS
        .iter()
        .map(|model: &Model| (model.name.to_owned(), model.program()))
        .collect();
    check(&programs);
}

/// The programs in `HALO_MODELS`, or in `../shared/models` of the repository.
#[test]
fn large_models() {
    let folder = match env::var_os("HALO_MODELS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models"),
    };
    let Ok(folders) = fs::read_dir(&folder) else {
        let missing = folder.display();
        tell(&format!(
            "large models: not tested, there is no '{missing}'"
        ));
        return;
    };
    let mut files: Vec<PathBuf> = folders
        .map(|folder| folder.unwrap().path().join("model.mlir"))
        .filter(|file| file.is_file())
        .collect();
    assert!(!files.is_empty(), "no models in '{}'", folder.display());
    // The longest programs first, so that no processor is idle at the end.
    files.sort_by_key(|file| std::cmp::Reverse(fs::metadata(file).unwrap().len()));
    let name = |file: &PathBuf| {
        let folder = file.parent().and_then(Path::file_name);
        folder.unwrap_or_default().to_string_lossy().into_owned()
    };
    let programs: Vec<(String, Program)> =
        files.iter().map(|file| (name(file), Program::read(file).unwrap())).collect();
    check(&programs);
}

fn check(programs: &[(String, Program)]) {
    let cases: Vec<(&(String, Program), &str)> = programs
        .iter()
        .flat_map(|program| ARCHITECTURES.map(|architecture| (program, architecture)))
        .collect();
    for_each(&cases, |((name, program), architecture)| {
        let line = line_of(program, architecture)
            .map_err(|error| format!("{name}, {architecture}: {error}"))?;
        println!("{name:32} {architecture}  {line}");
        Ok(())
    });
}

/// The reported properties of a program's plan.
fn line_of(program: &Program, architecture: &str) -> Result<String, String> {
    let plan = plan(program, architecture).map_err(|error| error.to_string())?;
    let bytes = plan.to_bytes().map_err(|error| error.to_string())?;
    let read = Plan::from_bytes(&bytes).map_err(|error| error.to_string())?;
    if read != plan {
        return Err("the plan is another one after it was written and read".to_owned());
    }
    let kernels = format!("{:3} kernels", plan.kernels.len());
    let Some(assembler) = ASSEMBLER.as_ref().filter(|_| !plan.kernels.is_empty()) else {
        return Ok(kernels);
    };
    let usages = assembler.assemble(&plan.code, architecture)?;
    let mut spilled = String::new();
    for kernel in &plan.kernels {
        let name = &kernel.name;
        let Some(usage) = usages.iter().find(|usage| usage.kernel == *name) else {
            return Err(format!("kernel '{name}' is not in the PTX"));
        };
        if usage.spilled > 0 {
            let told = format!("{name} spills {} bytes", usage.spilled);
            if name.contains("_mma_") {
                return Err(told);
            }
            spilled = format!("{spilled}, {told}");
        }
    }
    let registers = usages.iter().map(|usage| usage.registers).max();
    let registers = registers.unwrap_or(0);
    Ok(format!("{kernels}, {registers:3} registers{spilled}"))
}
