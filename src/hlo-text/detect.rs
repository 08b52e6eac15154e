//! Distinguishes HLO text from MLIR.

use crate::{parser, proto, split};

/// Returns true if a file is HLO text: a module, or computations without a header, or an `HloProto`
/// in text format. MLIR, as text or bytecode, is not.
pub fn is_hlo_text(bytes: &[u8]) -> bool {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(valid).unwrap_or_default()
        }
    };
    let text = text.get(split::blank(text)..).unwrap_or_default();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    match word {
        "HloModule" | "ENTRY" => rest.starts_with(|c: char| c.is_ascii_whitespace()),
        _ => proto::is_proto(text) || parser::begins_with_computation(text),
    }
}

#[cfg(test)]
mod tests {
    use super::is_hlo_text;

    #[test]
    fn hlo_is_told_from_mlir() {
        let hlo = [
            "HloModule m\nENTRY e { ROOT p = f32[] parameter(0) }",
            "// RUN: tool\n/* c */ HloModule m, is_scheduled=true",
            "ENTRY e {",
            "%add (x: f32[], y: f32[]) -> f32[] {\n  %x = f32[] parameter(0)",
            "add {\n  ROOT x = (f32[], s32[2]{0}) parameter(0)",
            "# RUN: tool\nhlo_module {\n  name: \"m\"\n}",
            "name: \"m\"\nentry_computation_name: \"e\"",
            "main (x: f32[]) -> f32[] { ROOT negate = negate(x) }",
        ];
        for text in hlo {
            assert!(is_hlo_text(text.as_bytes()), "{text}");
        }
        let mlir = [
            "module {\n}",
            "module @m {\n  func.func @main() { return }\n}",
            "module {\n  %0 = stablehlo.constant dense<1> : tensor<i32>\n}",
            "module {\n  %0 = \"stablehlo.constant\"() : () -> tensor<i32>\n}",
            "func.func @main(%arg0: tensor<f32>) -> tensor<f32> {\n  %0 = foo.bar\n}",
            "#loc = loc(unknown)\nmodule {\n}",
            "!alias = tuple<i32>\nmodule {}",
            "\"builtin.module\"() ({\n}) : () -> ()",
            "%x = \"dialect.op\"() : () -> i32",
            "// HloModule\nfunc.func private @f()",
            "ML\u{ef}R",
            "",
            "HloModules are nice",
        ];
        for text in mlir {
            assert!(!is_hlo_text(text.as_bytes()), "{text}");
        }
        assert!(!is_hlo_text(b"ML\xefR\x0dMLIR22"));
    }
}
