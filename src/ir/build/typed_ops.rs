//! The typed ops of `src/ir/ops/`: which dialects and ops are generated, and from which ODS files.

use halo_ods::{Source, model::AttributeValue, records::Records};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The ops of one ODS file.
pub struct Dialect {
    module: &'static str,
    source: &'static str,
    /// All ops if `None`. For large dialects, only the used ones are generated.
    ops: Option<&'static [&'static str]>,
    /// Whether the dialect has enum attributes that ops of other dialects use.
    enum_attributes: bool,
}

const fn all(module: &'static str, source: &'static str) -> Dialect {
    Dialect {
        module,
        source,
        ops: None,
        enum_attributes: false,
    }
}

const fn with_enum_attributes(dialect: Dialect) -> Dialect {
    Dialect {
        enum_attributes: true,
        ..dialect
    }
}

const fn some(module: &'static str, source: &'static str, ops: &'static [&'static str]) -> Dialect {
    Dialect {
        module,
        source,
        ops: Some(ops),
        enum_attributes: false,
    }
}

/// Sources are relative to `dialects/` or to the headers of MLIR.
pub const DIALECTS: &[Dialect] = &[
    all("stablehlo", "stablehlo/Ops.td"),
    all("chlo", "chlo/Ops.td"),
    all("check", "check/CheckOps.td"),
    with_enum_attributes(all("halo", "halo/Ops.td")),
    all("interpreter", "interpreter/InterpreterOps.td"),
    all("affine", "mlir/Dialect/Affine/IR/AffineOps.td"),
    all("arith", "mlir/Dialect/Arith/IR/ArithOps.td"),
    all("amx", "mlir/Dialect/AMX/AMX.td"),
    all(
        "bufferization",
        "mlir/Dialect/Bufferization/IR/BufferizationOps.td",
    ),
    all("builtin", "mlir/IR/BuiltinOps.td"),
    all("cf", "mlir/Dialect/ControlFlow/IR/ControlFlowOps.td"),
    all("complex", "mlir/Dialect/Complex/IR/ComplexOps.td"),
    all("emitc", "mlir/Dialect/EmitC/IR/EmitC.td"),
    all("func", "mlir/Dialect/Func/IR/FuncOps.td"),
    all("gpu", "mlir/Dialect/GPU/IR/GPUOps.td"),
    all("math", "mlir/Dialect/Math/IR/MathOps.td"),
    all("memref", "mlir/Dialect/MemRef/IR/MemRefOps.td"),
    all("mhlo", "mhlo/Ops.td"),
    all("nvgpu", "mlir/Dialect/NVGPU/IR/NVGPUOps.td"),
    all("quant", "mlir/Dialect/Quant/IR/QuantOps.td"),
    all("sdy", "sdy/Ops.td"),
    all("scf", "mlir/Dialect/SCF/IR/SCFOps.td"),
    all("shape", "mlir/Dialect/Shape/IR/ShapeOps.td"),
    all("tensor", "mlir/Dialect/Tensor/IR/TensorOps.td"),
    all("ub", "mlir/Dialect/UB/IR/UBOps.td"),
    all("vector", "mlir/Dialect/Vector/IR/VectorOps.td"),
    some(
        "linalg",
        "mlir/Dialect/Linalg/IR/LinalgOps.td",
        &["index", "yield"],
    ),
    some(
        "linalg",
        "mlir/Dialect/Linalg/IR/LinalgStructuredOps.td",
        &[
            "broadcast",
            "copy",
            "fill",
            "generic",
            "map",
            "matmul",
            "reduce",
            "transpose",
        ],
    ),
    some(
        "llvm",
        "mlir/Dialect/LLVMIR/LLVMOps.td",
        &[
            "add",
            "addrspacecast",
            "alloca",
            "and",
            "atomicrmw",
            "bitcast",
            "br",
            "call",
            "call_intrinsic",
            "cmpxchg",
            "cond_br",
            "extractelement",
            "extractvalue",
            "fcmp",
            "fence",
            "func",
            "getelementptr",
            "icmp",
            "insertelement",
            "inline_asm",
            "insertvalue",
            "inttoptr",
            "load",
            "lshr",
            "mlir.addressof",
            "mlir.constant",
            "mlir.global",
            "mlir.poison",
            "mlir.undef",
            "mlir.zero",
            "mul",
            "or",
            "ptrtoint",
            "return",
            "select",
            "sext",
            "shl",
            "shufflevector",
            "store",
            "sub",
            "trunc",
            "unreachable",
            "xor",
            "zext",
        ],
    ),
    some("nvvm", "mlir/Dialect/LLVMIR/NVVMOps.td", &["mma.sync"]),
];

/// Attributes of Halo's dialects that have Rust types in `halo_ir::stablehlo::attributes`, and
/// whether they are passed by reference.
const KNOWN: &[(&str, bool)] = &[
    ("ChannelHandle", true),
    ("ComparisonDirection", false),
    ("ComparisonType", false),
    ("ConvDimensionNumbers", true),
    ("DotDimensionNumbers", true),
    ("FftType", false),
    ("GatherDimensionNumbers", true),
    ("OutputOperandAlias", true),
    ("Precision", false),
    ("ResultAccuracy", false),
    ("RngAlgorithm", false),
    ("RngDistribution", false),
    ("ScatterDimensionNumbers", true),
    ("Transpose", false),
];

fn known() -> Vec<AttributeValue> {
    const HOME: &str = "crate::stablehlo::attributes";
    let mut values: Vec<_> = KNOWN
        .iter()
        .map(|(name, by_reference)| AttributeValue {
            class: format!("::mlir::stablehlo::{name}Attr"),
            codec: format!("{HOME}::{name}"),
            read: format!("{HOME}::{name}"),
            write: if *by_reference {
                format!("&{HOME}::{name}")
            } else {
                format!("{HOME}::{name}")
            },
        })
        .collect();
    values.extend(
        ["ComparisonDirection", "ComparisonType", "Precision"].map(|name| AttributeValue {
            class: format!("::mlir::chlo::{name}Attr"),
            codec: format!("codec::Chlo<{HOME}::{name}>"),
            read: format!("{HOME}::{name}"),
            write: format!("{HOME}::{name}"),
        }),
    );
    values.push(AttributeValue {
        class: "::mlir::chlo::RaggedDotDimensionNumbersAttr".to_owned(),
        codec: format!("{HOME}::RaggedDotDimensionNumbers"),
        read: format!("{HOME}::RaggedDotDimensionNumbers"),
        write: format!("&{HOME}::RaggedDotDimensionNumbers"),
    });
    values.push(AttributeValue {
        class: "::mlir::stablehlo::CustomCallApiVersion".to_owned(),
        codec: format!("{HOME}::CustomCallApiVersion"),
        read: format!("{HOME}::CustomCallApiVersion"),
        write: format!("{HOME}::CustomCallApiVersion"),
    });
    values.push(AttributeValue {
        class: "::halo::dialect::MatrixAttr".to_owned(),
        codec: "crate::ops::halo::Matrix".to_owned(),
        read: "crate::ops::halo::Matrix".to_owned(),
        write: "crate::ops::halo::Matrix".to_owned(),
    });
    values.push(AttributeValue {
        class: "::mlir::stablehlo::DotAlgorithmAttr".to_owned(),
        codec: "codec::DotAlgorithm".to_owned(),
        read: format!("{HOME}::DotAlgorithm<'c>"),
        write: format!("{HOME}::DotAlgorithm<'c>"),
    });
    values
}

impl Dialect {
    fn source(&self, prefix: &Path) -> PathBuf {
        if self.source.starts_with("mlir/") {
            prefix.join("include").join(self.source)
        } else {
            PathBuf::from(self.source)
        }
    }

    fn dump(&self, folder: &Path) -> PathBuf {
        folder.join(self.source.replace('/', "-")).with_extension("json")
    }
}

/// Lets TableGen print the records of a dialect.
pub fn dump(prefix: &Path, folder: &Path, dialect: &Dialect) -> Result<(), String> {
    let source = dialect.source(prefix);
    let output = dialect.dump(folder);
    let dependencies = output.with_extension("d");
    if super::is_current(&output, &source, &dependencies) {
        return Ok(());
    }
    super::run(
        Command::new(prefix.join("bin/llvm-tblgen"))
            .arg("--dump-json")
            .args(["-I", ".", "-I"])
            .arg(prefix.join("include"))
            .arg("-d")
            .arg(&dependencies)
            .arg("-o")
            .arg(&output)
            .arg(&source),
        &source,
    )
}

/// Writes the modules of all dialects into `modules`, and the list of enum
/// attributes for C++ into `include`.
pub fn write(folder: &Path, modules: &Path, include: &Path) -> Result<(), String> {
    let mut records = Vec::new();
    for dialect in DIALECTS {
        let path = dialect.dump(folder);
        let text = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let read = Records::parse(&text);
        records.push(read.map_err(|error| format!("{}: {error}", path.display()))?);
    }
    let sources: Vec<_> = DIALECTS
        .iter()
        .zip(&records)
        .map(|(dialect, records)| Source {
            module: dialect.module,
            records,
            ops: dialect.ops,
            enum_attributes: dialect.enum_attributes,
        })
        .collect();
    let output = halo_ods::generate(&sources, &known()).map_err(|error| error.to_string())?;
    for (module, text) in &output.modules {
        write_if_changed(&modules.join(format!("{module}.rs")), text)?;
    }
    write_if_changed(&modules.join("documentation.rs"), &documentation(&records))?;
    write_if_changed(&include.join("EnumAttributes.inc"), &output.enum_attributes)
}

/// The table of `op_documentation.rs`: names, summaries, descriptions and attributes of all
/// ops, sorted.
fn documentation(records: &[Records]) -> String {
    let mut table = BTreeMap::new();
    for record in records.iter().flat_map(|all| all.instances_of("Op")) {
        let dialect = record.record("opDialect");
        let dialect = dialect.and_then(|dialect| dialect.text("name"));
        if let (Some(dialect), Some(name)) = (dialect, record.text("opName")) {
            let text = |field| record.text(field).unwrap_or_default();
            let name = match dialect {
                "" => name.to_owned(),
                _ => format!("{dialect}.{name}"),
            };
            let arguments = record.dag("arguments").unwrap_or_default().into_iter();
            let attributes: Vec<(&str, &str)> = arguments
                .filter(|(of, _)| of.is_a("Attr"))
                .filter_map(|(of, name)| Some((name?, of.text("summary").unwrap_or_default())))
                .collect();
            table.insert(
                name,
                (text("summary").trim(), text("description"), attributes),
            );
        }
    }
    let mut code = "&[\n".to_owned();
    for (name, (summary, description, attributes)) in table {
        code.push_str(&format!(
            "    ({name:?}, {summary:?}, {description:?}, &{attributes:?}),\n"
        ));
    }
    code.push(']');
    code
}

fn write_if_changed(path: &Path, text: &str) -> Result<(), String> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
