//! The dot-product instructions for narrow elements, by the features of processors.

use halo_codegen::contraction::isa::{Bf16Products, IntegerProducts, OuterProducts};
use halo_llvm::target::TargetDescription;

/// An architecture, features of its processors, their minimum SVE register width in bits, and the
/// instructions that they imply.
type Row<T> = (&'static str, &'static [&'static str], u32, T);

/// bf16 products, the fastest first. `vdpbf16ps` is for AMD processors, identified by `sse4a`,
/// which issue it as often as `vfmadd231ps`, with twice the products. On Sapphire Rapids it has
/// half the throughput of `vfmadd231ps` (84 and 171 billion operations per second and core,
/// measured).
static BF16: [Row<Bf16Products>; 3] = [
    ("x86_64", &["amx-bf16"], 0, Bf16Products::Amx),
    (
        "x86_64",
        &["avx512bf16", "sse4a"],
        0,
        Bf16Products::Avx512Bf16,
    ),
    ("aarch64", &["bf16"], 0, Bf16Products::Bfmmla),
];

/// Integer products, the fastest first. `sdot` on 512 bits multiplies twice as many numbers as
/// `smmla` of NEON. On 256 bits it multiplies as many, but a Neoverse V1 issues four NEON and two
/// SVE instructions per cycle (Arm Neoverse V1 Software Optimization Guide).
static INTEGERS: [Row<IntegerProducts>; 10] = [
    ("x86_64", &["amx-int8"], 0, IntegerProducts::Amx),
    ("x86_64", &["avx10.2"], 0, IntegerProducts::Vpdpbssd),
    ("x86_64", &["avx512vnni"], 0, IntegerProducts::Vpdpbusd),
    ("x86_64", &["avxvnniint8"], 0, IntegerProducts::Vpdpbssd),
    ("x86_64", &["avxvnni"], 0, IntegerProducts::Vpdpbusd),
    ("x86_64", &["sse2"], 0, IntegerProducts::Pmaddwd),
    ("aarch64", &["sve"], 512, IntegerProducts::SveDot),
    ("aarch64", &["i8mm"], 0, IntegerProducts::Smmla),
    ("aarch64", &["sve"], 256, IntegerProducts::SveDot),
    ("aarch64", &["dotprod"], 0, IntegerProducts::Sdot),
];

/// Outer products accumulated in SME tiles, for a known streaming vector length.
static OUTER: [Row<OuterProducts>; 2] = [
    ("aarch64", &["sme", "sme-f64f64"], 0, OuterProducts::SmeF64),
    ("aarch64", &["sme"], 0, OuterProducts::Sme),
];

/// The bf16 products of a processor; `has_tiles` allows AMX tiles.
pub(super) fn of_bf16(processor: &TargetDescription, has_tiles: bool) -> Bf16Products {
    find(&BF16, processor, has_tiles).unwrap_or(Bf16Products::None)
}

/// The integer products of a processor; `has_tiles` allows AMX tiles.
pub(super) fn of_integers(processor: &TargetDescription, has_tiles: bool) -> IntegerProducts {
    find(&INTEGERS, processor, has_tiles).unwrap_or(IntegerProducts::None)
}

/// The outer products of a processor.
pub(super) fn outer(processor: &TargetDescription) -> OuterProducts {
    let products = processor.tile_bits().and_then(|_| find(&OUTER, processor, true));
    products.unwrap_or(OuterProducts::None)
}

fn find<T: Copy>(rows: &[Row<T>], processor: &TargetDescription, has_tiles: bool) -> Option<T> {
    let may_use = |feature: &str| has_tiles || !feature.starts_with("amx-");
    let kind = processor.kind().ok();
    let sve_bits = kind.and_then(|kind| kind.sve_bits).unwrap_or_default();
    let has = |(architecture, features, least_sve_bits, _): &&Row<T>| {
        let mut features = features.iter();
        sve_bits >= *least_sve_bits
            && features.all(|feature| may_use(feature) && processor.has(architecture, feature))
    };
    rows.iter().find(has).map(|(.., products)| *products)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_backend::ProcessorOptions;

    fn processor(triple: &str, cpu: &str, features: &str) -> TargetDescription {
        TargetDescription::of(&ProcessorOptions {
            triple: Some(triple.into()),
            cpu: Some(cpu.into()),
            features: Some(features.into()),
            ..ProcessorOptions::default()
        })
        .unwrap()
    }

    #[test]
    fn products_are_those_of_the_processor() {
        use IntegerProducts::{None, Pmaddwd, Sdot, Smmla, SveDot, Vpdpbssd, Vpdpbusd};
        let x86 = "x86_64-unknown-linux-gnu";
        let arm = "aarch64-unknown-linux-gnu";
        for (triple, cpu, features, expected) in [
            (x86, "x86-64", "", Pmaddwd),
            (x86, "x86-64-v3", "", Pmaddwd),
            (x86, "x86-64-v3", "+avxvnni", Vpdpbusd),
            (x86, "x86-64-v4", "", Pmaddwd),
            (x86, "cascadelake", "", Vpdpbusd),
            (x86, "znver4", "", Vpdpbusd),
            (x86, "sierraforest", "", Vpdpbssd),
            (x86, "sapphirerapids", "", Vpdpbusd),
            (x86, "diamondrapids", "", Vpdpbssd),
            (arm, "cortex-a72", "", None),
            (arm, "neoverse-n1", "", Sdot),
            (arm, "apple-m1", "", Sdot),
            (arm, "neoverse-v1", "", Smmla),
            (arm, "neoverse-v1", "-i8mm", SveDot),
            (arm, "a64fx", "", SveDot),
            (arm, "a64fx", "-sve", None),
            ("riscv64-unknown-linux-gnu", "generic-rv64", "+v", None),
        ] {
            let processor = processor(triple, cpu, features);
            assert_eq!(of_integers(&processor, false), expected, "{cpu}{features}");
        }
        for (triple, cpu, features, expected) in [
            (x86, "cascadelake", "", Bf16Products::None),
            (x86, "znver4", "", Bf16Products::Avx512Bf16),
            (x86, "znver4", "-avx512f", Bf16Products::None),
            (x86, "sapphirerapids", "", Bf16Products::None),
            (x86, "x86-64-v4", "+avx512bf16", Bf16Products::None),
            (arm, "apple-m1", "", Bf16Products::None),
            (arm, "neoverse-v2", "", Bf16Products::Bfmmla),
            (arm, "neoverse-v1", "", Bf16Products::Bfmmla),
            (arm, "a64fx", "", Bf16Products::None),
        ] {
            let processor = processor(triple, cpu, features);
            assert_eq!(of_bf16(&processor, false), expected, "{cpu}{features}");
        }
    }

    #[test]
    fn outer_products_need_a_known_length() {
        let arm = "aarch64-unknown-linux-gnu";
        for (cpu, features, bits, expected) in [
            ("apple-m4", "", None, OuterProducts::SmeF64),
            ("apple-a18", "", None, OuterProducts::SmeF64),
            ("apple-m4", "-sme-f64f64", None, OuterProducts::Sme),
            ("apple-m4", "-sme", None, OuterProducts::None),
            ("apple-m1", "", None, OuterProducts::None),
            ("c1-ultra", "", None, OuterProducts::None),
            ("c1-ultra", "", Some(512), OuterProducts::Sme),
            ("generic", "+sme", None, OuterProducts::None),
            ("generic", "+sme", Some(256), OuterProducts::Sme),
        ] {
            let mut processor = processor(arm, cpu, features);
            if bits.is_some() {
                processor = processor.with_streaming_bits(bits).unwrap();
            }
            assert_eq!(outer(&processor), expected, "{cpu}{features}");
        }
    }

    #[test]
    fn tiles_are_used_where_the_processor_has_them() {
        let x86 = "x86_64-unknown-linux-gnu";
        for (cpu, features, has_tiles) in [
            ("sapphirerapids", "", true),
            ("sapphirerapids", "-amx-tile", false),
            ("znver5", "", false),
        ] {
            let processor = processor(x86, cpu, features);
            let bf16 = of_bf16(&processor, true) == Bf16Products::Amx;
            let integers = of_integers(&processor, true) == IntegerProducts::Amx;
            assert_eq!((bf16, integers), (has_tiles, has_tiles), "{cpu}{features}");
        }
    }
}
