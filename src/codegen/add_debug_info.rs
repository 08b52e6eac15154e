//! `--halo-add-debug-info`: adds debug information that maps code to lines of the program.
//!
//! LLVM creates line tables from the locations of instructions, for debuggers and profilers. It
//! needs a scope for each function, and a single location for each instruction, and ignores fused
//! locations of several lines. An op with a fused location gets the location that diagnostics show,
//! which is the first file location in it. An inlined op gets its location in the callee. Ops
//! without a file location remain without one, except for calls, which get the location of their
//! function, since LLVM's verifier requires one.
//!
//! ```mlir
//! llvm.func @main_kernel_0(%x: !llvm.ptr) {
//!   %0 = llvm.load %x : !llvm.ptr -> f32 loc(#fused)
//!   llvm.return loc(unknown)
//! } loc(#multiply)
//! #multiply = loc("a.mlir":2:8)
//! #add = loc("a.mlir":3:8)
//! #fused = loc(fused[#add, #multiply])
//! ```
//!
//! becomes
//!
//! ```mlir
//! llvm.func @main_kernel_0(%x: !llvm.ptr) {
//!   %0 = llvm.load %x : !llvm.ptr -> f32 loc(#add)
//!   llvm.return loc(unknown)
//! } loc(#function)
//! #multiply = loc("a.mlir":2:8)
//! #add = loc("a.mlir":3:8)
//! #file = #llvm.di_file<"a.mlir" in "/home/me">
//! #unit = #llvm.di_compile_unit<id = distinct[0]<>, file = #file, emissionKind = LineTablesOnly, ...>
//! #subprogram = #llvm.di_subprogram<compileUnit = #unit, name = "main_kernel_0", line = 2, ...>
//! #function = loc(fused<#subprogram>[#multiply])
//! ```
//!
//! Ops from another file than their function get a `#llvm.di_lexical_block_file` as their scope.
//! Relative file names are relative to the option `directory`, by default the working directory of
//! the compiler.

use halo_ir::{
    Location, LocationKind,
    debug_info::{CompileUnit, Scope, SourceFile},
    ops::llvm,
    prelude::*,
};
use std::collections::HashMap;

pass_options! {
    struct Options {
        /// The base directory of relative file names; by default the current directory
        directory: String = "",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-add-debug-info",
    "Add scopes of functions and locations of ops for line tables",
    run,
)
.on::<builtin::ModuleOp>()
.options::<Options>()
.dependent_dialects(&["llvm"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let directory = pass.options::<Options>().directory;
    let directory = if directory.is_empty() {
        std::env::current_dir().unwrap_or_default().to_string_lossy().into_owned()
    } else {
        directory
    };
    let mut added = DebugInfo {
        context: module.context(),
        directory,
        unit: None,
        files: HashMap::new(),
        places: HashMap::new(),
    };
    for function in module.collect_nested(|op| op.isa::<llvm::LLVMFuncOp>() && op.body(0).is_some())
    {
        added.add(function);
    }
    Ok(())
}

/// A line of a file.
#[derive(Clone)]
struct Place<'c> {
    file: String,
    line: u32,
    location: Location<'c>,
}

/// The debug information of a module.
struct DebugInfo<'c> {
    context: &'c Context,
    directory: String,
    /// The compile unit, after the first function with a location.
    unit: Option<CompileUnit<'c>>,
    files: HashMap<String, SourceFile<'c>>,
    /// A cache by the addresses of locations, which are unique in a context: a kernel may have a
    /// fused location of all ops of a program.
    places: HashMap<usize, Option<Place<'c>>>,
}

impl<'c> DebugInfo<'c> {
    /// Adds the scope of a function and the locations of its ops.
    fn add(&mut self, function: Operation<'c>) {
        let Some(place) = self.place(function.location()) else {
            return;
        };
        let name = function.attribute("sym_name").and_then(Attribute::string_value);
        let name = name.unwrap_or_default();
        let file = self.file(&place.file);
        let context = self.context;
        let unit = self.unit.get_or_insert_with(|| CompileUnit::new(context, file, PRODUCER));
        let scope = unit.subprogram(name, file, place.line);
        let mut scopes: HashMap<String, Scope<'c>> = HashMap::new();
        function.walk(WalkOrder::PreOrder, |op| {
            let of_op = self.place(op.location());
            let of_op = if op.isa::<llvm::CallOp>() {
                of_op.or_else(|| Some(place.clone()))
            } else {
                of_op
            };
            let Some(of_op) = of_op else {
                return;
            };
            let location = if of_op.file == place.file {
                of_op.location
            } else {
                let scope = scopes.entry(of_op.file).or_insert_with_key(|name| {
                    let file = self.file(name);
                    scope.in_file(file)
                });
                scope.location(of_op.location)
            };
            op.set_location(location);
        });
        function.set_location(scope.location(place.location));
    }

    fn file(&mut self, name: &str) -> SourceFile<'c> {
        let (context, directory) = (self.context, &self.directory);
        let file = self.files.entry(name.to_owned());
        *file.or_insert_with(|| SourceFile::new(context, name, directory))
    }

    /// The first file location in a location.
    fn place(&mut self, location: Location<'c>) -> Option<Place<'c>> {
        let address = location.to_raw().ptr.addr();
        if let Some(place) = self.places.get(&address) {
            return place.clone();
        }
        let place = match location.kind() {
            LocationKind::File { name, line, .. } => {
                let line = u32::try_from(line).ok().filter(|line| *line > 0);
                line.map(|line| Place {
                    file: name.into_owned(),
                    line,
                    location,
                })
            }
            LocationKind::CallSite { callee, .. } => self.place(callee),
            kind => kind.parts().into_iter().find_map(|part| self.place(part)),
        };
        self.places.insert(address, place.clone());
        place
    }
}

/// The producer in the compile unit.
const PRODUCER: &str = concat!("Halo ", env!("CARGO_PKG_VERSION"));
