//! The assembly for named processors, which is the same on every host: no instruction violates the
//! specification.

use halo_backend::{CompileOptions, ProcessorOptions};

const X86: &str = "x86_64-unknown-linux-gnu";
const ARM: &str = "aarch64-unknown-linux-gnu";
const RISC_V: &str = "riscv64-unknown-linux-gnu";

const PROCESSORS: &[(&str, &str, &str)] = &[
    (X86, "x86-64-v2", ""),
    (X86, "x86-64-v3", ""),
    (X86, "x86-64-v4", ""),
    (X86, "znver5", ""),
    (X86, "sapphirerapids", ""),
    (X86, "diamondrapids", ""),
    (ARM, "apple-m1", ""),
    (ARM, "neoverse-v2", ""),
    (ARM, "neoverse-v1", ""),
    (ARM, "a64fx", ""),
    (ARM, "apple-m4", ""),
    (RISC_V, "generic-rv64", "+m,+a,+f,+d,+c,+v"),
];

/// The mnemonics of the code of a program for a processor.
pub fn mnemonics(code: &str, processor: (&str, &str, &str)) -> Vec<String> {
    let assembly = assembly(code, processor);
    let instruction = |line: &str| {
        let word = line.strip_prefix('\t')?.split_whitespace().next()?;
        (!word.starts_with('.')).then(|| word.to_owned())
    };
    assembly.lines().filter_map(instruction).collect()
}

/// The assembly of a program for a processor.
fn assembly(code: &str, (triple, cpu, features): (&str, &str, &str)) -> String {
    let registry = super::registry();
    let options = CompileOptions {
        processor: ProcessorOptions {
            triple: Some(triple.into()),
            cpu: Some(cpu.into()),
            features: Some(features.into()),
            ..ProcessorOptions::default()
        },
        ..super::options()
    };
    let compiler = &registry.backend("cpu").unwrap().compiler;
    compiler.compile_to(&super::program(code), "asm", &options).unwrap()
}

/// The instructions of the innermost loops: from a label to a branch back to it.
fn innermost_loops(assembly: &str) -> Vec<Vec<&str>> {
    let mut loops = Vec::new();
    let mut block: Option<(&str, Vec<&str>)> = None;
    for line in assembly.lines() {
        if let Some((label, _)) = line.split_once(':').filter(|_| line.starts_with(".L")) {
            block = Some((label, Vec::new()));
        } else if let Some((label, instructions)) = &mut block
            && let Some(instruction) = line.strip_prefix('\t').filter(|it| !it.starts_with('.'))
        {
            instructions.push(instruction);
            if instruction.starts_with("b.") {
                if instruction.ends_with(*label) {
                    loops.push(std::mem::take(instructions));
                }
                block = None;
            }
        }
    }
    loops
}

/// Returns true if an instruction computes on bf16 or rounds to it. These instructions flush
/// subnormal numbers to zero.
fn is_bf16(name: &str) -> bool {
    name.contains("bf16")
        || ["bfcvt", "bfdot", "bfm", "vfncvtbf"].iter().any(|it| name.starts_with(it))
}

fn is_approximate(name: &str) -> bool {
    let name = name.strip_prefix('v').unwrap_or(name);
    ["rcp", "rsqrt", "frecpe", "frsqrte", "frec7", "frsqrt7"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// Returns true if an instruction changes the treatment of subnormal numbers. RISC-V has no such
/// mode: `fsrm` sets the rounding mode, for example for `floor`.
fn sets_mode(name: &str) -> bool {
    name.ends_with("ldmxcsr") || name == "msr"
}

/// Returns true for fused multiply-add instructions.
fn is_fused(name: &str) -> bool {
    let name = name.strip_prefix('v').unwrap_or(name);
    let name = name.strip_prefix('f').unwrap_or(name);
    let name = name.strip_prefix('n').unwrap_or(name);
    ["mad", "msub", "msb", "mla", "mls", "macc", "msac"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

fn expect_none(code: &str, unwanted: &[fn(&str) -> bool]) {
    for processor in PROCESSORS {
        let all = mnemonics(code, *processor);
        assert!(all.len() > 10, "{processor:?}: {all:?}");
        for name in all {
            let found = unwanted.iter().any(|unwanted| unwanted(&name));
            assert!(!found, "{processor:?}: {name}");
        }
    }
}

/// Returns a program whose `main` has operands `%a` and `%b` and a result for each of the ops.
fn elementwise(element: &str, ops: &[&str]) -> String {
    let tensor = format!("tensor<1024x{element}>");
    let types = vec![&tensor[..]; ops.len()].join(", ");
    let body: String = ops
        .iter()
        .enumerate()
        .map(|(number, op)| format!("%{number} = stablehlo.{op} : {tensor}\n"))
        .collect();
    let results: Vec<String> = (0..ops.len()).map(|number| format!("%{number}")).collect();
    format!(
        "func.func @main(%a: {tensor}, %b: {tensor}) -> ({types}) {{
           {body}
           return {} : {types}
         }}",
        results.join(", ")
    )
}

const ARITHMETIC: &[&str] = &[
    "add %a, %b",
    "subtract %a, %b",
    "multiply %a, %b",
    "divide %a, %b",
    "maximum %a, %b",
    "minimum %a, %b",
    "abs %a",
    "negate %a",
    "floor %a",
    "round_nearest_even %a",
    "sqrt %a",
    "rsqrt %a",
    "sign %a",
];

#[test]
fn bf16_is_rounded_by_integers() {
    let unwanted: &[fn(&str) -> bool] = &[is_bf16, is_approximate, sets_mode];
    expect_none(&elementwise("bf16", ARITHMETIC), unwanted);
    expect_none(
        &elementwise(
            "bf16",
            &["exponential %a", "tanh %a", "logistic %a", "log %a"],
        ),
        unwanted,
    );
    expect_none(
        "func.func @main(%a: tensor<1024xf32>, %b: tensor<1024xf64>, %c: tensor<1024xi32>, %d: tensor<1024xbf16>)
             -> (tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xf32>, tensor<1024xf16>) {
           %0 = stablehlo.convert %a : (tensor<1024xf32>) -> tensor<1024xbf16>
           %1 = stablehlo.convert %b : (tensor<1024xf64>) -> tensor<1024xbf16>
           %2 = stablehlo.convert %c : (tensor<1024xi32>) -> tensor<1024xbf16>
           %3 = stablehlo.convert %d : (tensor<1024xbf16>) -> tensor<1024xf32>
           %4 = stablehlo.convert %d : (tensor<1024xbf16>) -> tensor<1024xf16>
           return %0, %1, %2, %3, %4 : tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xf32>, tensor<1024xf16>
         }",
        unwanted,
    );
    expect_none(
        "func.func @main(%a: tensor<32x64xbf16>) -> tensor<32xbf16> {
           %zero = stablehlo.constant dense<0.0> : tensor<bf16>
           %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1]
             : (tensor<32x64xbf16>, tensor<bf16>) -> tensor<32xbf16>
           return %0 : tensor<32xbf16>
         }",
        unwanted,
    );
}

/// Pairwise dot products have a fallback in f32 for subnormal numbers.
#[test]
fn products_of_bf16_use_dot_products_that_are_exact() {
    let code =
        "func.func @main(%a: tensor<32x64xbf16>, %b: tensor<64x48xbf16>) -> tensor<32x48xbf16> {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<32x64xbf16>, tensor<64x48xbf16>) -> tensor<32x48xbf16>
      return %0 : tensor<32x48xbf16>
    }";
    for processor in PROCESSORS {
        let found: Vec<String> =
            mnemonics(code, *processor).into_iter().filter(|name| is_bf16(name)).collect();
        let (least, expected) = match processor.1 {
            "znver5" => (15, "vdpbf16ps"),
            "sapphirerapids" | "diamondrapids" => (4, "tdpbf16ps"),
            "neoverse-v1" | "neoverse-v2" => (16, "bfmmla"),
            "apple-m4" => (4, "bfmopa"),
            _ => (0, ""),
        };
        assert!(found.len() >= least, "{processor:?}: {found:?}");
        let is_expected = |name: &String| name == expected;
        assert!(found.iter().all(is_expected), "{processor:?}: {found:?}");
    }
}

/// Products of bytes use the instruction with the most products, for all signs.
#[test]
fn products_of_bytes_use_dot_products() {
    for (lhs, rhs) in [("i8", "i8"), ("ui8", "i8"), ("i8", "ui8"), ("ui8", "ui8")] {
        let code = format!(
            "func.func @main(%a: tensor<32x64x{lhs}>, %b: tensor<64x48x{rhs}>) -> tensor<32x48xi32> {{
              %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
                : (tensor<32x64x{lhs}>, tensor<64x48x{rhs}>) -> tensor<32x48xi32>
              return %0 : tensor<32x48xi32>
            }}"
        );
        for processor in PROCESSORS {
            let expected = match processor.1 {
                "x86-64-v2" => &["pmaddwd"][..],
                "x86-64-v3" | "x86-64-v4" => &["vpmaddwd"],
                "znver5" => &["vpdpbusd"],
                "sapphirerapids" | "diamondrapids" => &["tdpbssd", "tdpbusd", "tdpbsud", "tdpbuud"],
                "a64fx" | "apple-m1" => &["sdot", "udot"],
                "neoverse-v1" | "neoverse-v2" => &["smmla", "ummla", "usmmla", "udot"],
                "apple-m4" => &["smopa", "sumopa", "usmopa", "umopa"],
                _ => &[],
            };
            let all = mnemonics(&code, *processor);
            let count = |names: &[&str]| {
                let is_one = |name: &&String| names.contains(&&name[..]);
                all.iter().filter(is_one).count()
            };
            let least = if expected.is_empty() { 0 } else { 4 };
            assert!(count(expected) >= least, "{processor:?}: {all:?}");
        }
    }
}

/// The tile of a product is in SVE registers: 6 rows of three 512-bit vectors, or 8 rows of two
/// 256-bit vectors. Four steps along k load four numbers of each row of lhs and the vectors of rhs
/// for each step, and multiply each by each. The other instructions count and compute addresses.
#[test]
fn products_are_in_registers_of_sve() {
    let code =
        "func.func @main(%a: tensor<256x512xf32>, %b: tensor<512x384xf32>) -> tensor<256x384xf32> {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<256x512xf32>, tensor<512x384xf32>) -> tensor<256x384xf32>
      return %0 : tensor<256x384xf32>
    }";
    // Elements use only the first eight registers. LLVM may spill one of six rows to make room for
    // a sum, but none if four rows are live at a time.
    for (cpu, rows, vectors, moves) in [("a64fx", 6, 3, 3), ("neoverse-v1", 8, 2, 0)] {
        let assembly = assembly(code, (ARM, cpu, ""));
        let loops = innermost_loops(&assembly);
        let of_products: Vec<_> =
            loops.iter().filter(|all| all.iter().any(|it| it.starts_with("fmla"))).collect();
        let [instructions] = of_products[..] else {
            panic!("{cpu}: {of_products:?}");
        };
        let count = |name: &str, operand: &str| {
            let is_one =
                |it: &&&str| it.split_whitespace().next() == Some(name) && it.contains(operand);
            instructions.iter().filter(is_one).count()
        };
        let (products, loads) = (4 * rows * vectors, 4 * vectors);
        assert_eq!(count("fmla", "z"), products, "{cpu}: {instructions:?}");
        assert_eq!(count("ld1rqw", "z"), rows, "{cpu}: {instructions:?}");
        let loaded = count("ld1w", "z") + count("ldr", "\tz");
        assert!(
            (loads..=loads + moves).contains(&loaded),
            "{cpu}: {instructions:?}"
        );
        let of_vectors = instructions.iter().filter(|it| it.contains("\tz") || it.contains("{ z"));
        let needed = products + rows + loads;
        assert!(
            (needed..=needed + moves).contains(&of_vectors.count()),
            "{cpu}: {instructions:?}"
        );
        assert!(
            instructions.len() <= needed + moves + 8,
            "{cpu}: {instructions:?}"
        );
    }
}

/// Four tiles of sums, and two vectors of each operand. The other instructions count and compute
/// addresses.
#[test]
fn products_are_in_tiles_of_sme() {
    for (operand, result, instruction) in [
        ("f32", "f32", "fmopa"),
        ("f64", "f64", "fmopa"),
        ("bf16", "f32", "bfmopa"),
        ("f16", "f32", "fmopa"),
        ("i8", "i32", "smopa"),
        ("ui8", "i32", "umopa"),
    ] {
        let code = format!(
            "func.func @main(%a: tensor<256x512x{operand}>, %b: tensor<512x384x{operand}>)
                 -> tensor<256x384x{result}> {{
               %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
                 : (tensor<256x512x{operand}>, tensor<512x384x{operand}>) -> tensor<256x384x{result}>
               return %0 : tensor<256x384x{result}>
             }}"
        );
        let assembly = assembly(&code, (ARM, "apple-m4", ""));
        let loops = innermost_loops(&assembly);
        let name = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
        let has_products = |all: &&Vec<&str>| all.iter().any(|it| name(it) == instruction);
        let of_products: Vec<_> = loops.iter().filter(has_products).collect();
        // Sums of bf16 that may be subnormal are computed in another loop, in f32.
        let [instructions] = of_products[..] else {
            panic!("{operand}: {of_products:?}");
        };
        let count = |is_one: &dyn Fn(&str) -> bool| {
            instructions.iter().filter(|it| is_one(&name(it))).count()
        };
        assert_eq!(count(&|it| it == instruction), 4, "{instructions:?}");
        let loads = count(&|it| it == "ldr" || it.starts_with("ld1"));
        assert_eq!(loads, 4, "{instructions:?}");
        let of_vectors = instructions.iter().filter(|it| it.contains(" z") || it.contains("\tz"));
        assert_eq!(of_vectors.count(), 8, "{instructions:?}");
        assert!(instructions.len() <= 14, "{instructions:?}");
    }
}

/// The mode is entered and left once per packed panel of lhs, not for each tile. Functions of
/// compiler-rt that save ZA are not called.
#[test]
fn streaming_mode_is_that_of_a_panel() {
    let code =
        "func.func @main(%a: tensor<256x512xf32>, %b: tensor<512x384xf32>) -> tensor<256x384xf32> {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<256x512xf32>, tensor<512x384xf32>) -> tensor<256x384xf32>
      %1 = stablehlo.tanh %0 : tensor<256x384xf32>
      return %1 : tensor<256x384xf32>
    }";
    let assembly = assembly(code, (ARM, "apple-m4", ""));
    let lines: Vec<&str> = assembly.lines().collect();
    let is_streaming = |line: &&str| line.contains("_streaming_0:");
    let start = lines.iter().position(is_streaming).unwrap();
    let length = lines[start..].iter().position(|line| line.contains("\tret"));
    let function = &lines[start..start + length.unwrap()];
    let count = |lines: &[&str], word: &str| {
        lines.iter().filter(|line| line.trim_start().starts_with(word)).count()
    };
    // Streaming mode, and ZA.
    assert_eq!(count(function, "smstart"), 2, "{function:?}");
    assert_eq!(count(function, "smstop"), 2, "{function:?}");
    assert_eq!(count(&lines, "smstart"), 2);
    assert_eq!(count(function, "bl\t"), 0, "{function:?}");
    assert!(!assembly.contains("__arm_"), "{assembly}");
    // No registers of NEON, and no epilogue.
    let is_of_neon = |line: &&&str| {
        let operands = line.trim_start().split_once('\t').map_or("", |(_, operands)| operands);
        operands.starts_with('v') || operands.starts_with('q')
    };
    let of_neon: Vec<_> = function.iter().filter(is_of_neon).collect();
    assert!(of_neon.is_empty(), "{of_neon:?}");
}

/// Elementwise loops use whole SVE registers, and shuffles of them are single instructions.
#[test]
fn loops_are_in_registers_of_sve() {
    let elementwise = elementwise("f32", &["multiply %a, %b", "tanh %0"]);
    let transposition = "func.func @main(%a: tensor<256x512xf32>) -> tensor<512x256xf32> {
      %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<256x512xf32>) -> tensor<512x256xf32>
      return %0 : tensor<512x256xf32>
    }";
    let scan = r#"func.func @main(%a: tensor<16x1024xf32>) -> tensor<16x1024xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 1, 1024>,
          padding = dense<[[0, 0], [1023, 0]]> : tensor<2x2xi64>}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %sum = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %sum : tensor<f32>
      }) : (tensor<16x1024xf32>, tensor<f32>) -> tensor<16x1024xf32>
      return %0 : tensor<16x1024xf32>
    }"#;
    for cpu in ["a64fx", "neoverse-v1"] {
        for (code, least) in [(&elementwise[..], 20), (transposition, 64), (scan, 8)] {
            let assembly = assembly(code, (ARM, cpu, ""));
            let loops = innermost_loops(&assembly);
            let on_registers = |all: &Vec<&str>| {
                all.iter().filter(|it| it.contains(" z") || it.contains("\tz")).count()
            };
            let longest = loops.iter().max_by_key(|all| on_registers(all)).unwrap();
            assert!(on_registers(longest) >= least, "{cpu}: {longest:?}");
            let is_of_neon = |it: &&str| {
                let operands = it.split_once('\t').map_or("", |(_, operands)| operands);
                operands.starts_with('v') || operands.starts_with('q')
            };
            assert!(!longest.iter().any(is_of_neon), "{cpu}: {longest:?}");
        }
    }
}

/// A select or a shuffle of bf16 is not arithmetic.
#[test]
fn bf16_is_moved_as_integers() {
    expect_none(
        "func.func @main(%a: tensor<1024xbf16>, %b: tensor<1024xbf16>, %c: tensor<1024xi1>)
             -> (tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>) {
           %0 = \"stablehlo.sort\"(%a) <{dimension = 0 : i64}> ({
           ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
             %less = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
             stablehlo.return %less : tensor<i1>
           }) : (tensor<1024xbf16>) -> tensor<1024xbf16>
           %1 = stablehlo.select %c, %a, %b : tensor<1024xi1>, tensor<1024xbf16>
           %2 = stablehlo.reverse %a, dims = [0] : tensor<1024xbf16>
           return %0, %1, %2 : tensor<1024xbf16>, tensor<1024xbf16>, tensor<1024xbf16>
         }",
        &[is_bf16, is_approximate, sets_mode],
    );
}

#[test]
fn arithmetic_is_exact() {
    for element in ["f16", "f32", "f64"] {
        let code = elementwise(element, ARITHMETIC);
        expect_none(&code, &[is_approximate, sets_mode]);
    }
}

/// The product is rounded before the addition.
#[test]
fn products_and_sums_stay_apart() {
    for element in ["bf16", "f16", "f32", "f64"] {
        let code = elementwise(
            element,
            &["multiply %a, %b", "add %0, %b", "subtract %a, %0"],
        );
        expect_none(&code, &[is_fused]);
    }
}
