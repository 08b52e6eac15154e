//! The translations of `halo-translate`: between the four formats of programs,
//! and to LLVM IR and C.
//!
//! Translations that read a certain format expect it; the others take a program of any format,
//! detected from its content, so that an artifact becomes HLO text in one step.

use crate::{
    ProgramFormat,
    hlo_text::{self, Fusions, ImportOptions},
    portable_artifact,
};
use halo_backend::Program;
use halo_core::{Diagnostic, Position};
use halo_hlo_text::PrintOptions;
use halo_ir::diagnostics::with_diagnostics;
use halo_ir::emitc::to_c;
use halo_ir::translate::{
    Invocation, TranslationDeclaration, TranslationFailure, TranslationOption, to_llvm_ir,
};
use halo_runtime::Error;
use melior::ir::Module;

/// In the order of their names.
pub const TRANSLATIONS: &[TranslationDeclaration] = &[
    TranslationDeclaration {
        name: "deserialize",
        summary: "StableHLO portable artifact to StableHLO",
        run: |invocation| {
            Ok(text_of(&read_as(
                ProgramFormat::PortableArtifact,
                invocation,
            )?))
        },
    },
    TranslationDeclaration {
        name: "hlo-proto-to-stablehlo",
        summary: "HloModuleProto, HloProto or HloSnapshot in binary to StableHLO",
        run: |invocation| Ok(text_of(&read_as(ProgramFormat::HloProto, invocation)?)),
    },
    TranslationDeclaration {
        name: "hlo-text-to-stablehlo",
        summary: "HLO text to StableHLO",
        run: |invocation| Ok(text_of(&read_as(ProgramFormat::HloText, invocation)?)),
    },
    TranslationDeclaration {
        name: "mlir-to-cpp",
        summary: "MLIR of the EmitC dialect to C",
        run: |invocation| printed(invocation, to_c),
    },
    TranslationDeclaration {
        name: "mlir-to-llvmir",
        summary: "MLIR of the LLVM dialect to LLVM IR",
        run: |invocation| printed(invocation, to_llvm_ir),
    },
    TranslationDeclaration {
        name: "serialize",
        summary: "StableHLO to a StableHLO portable artifact of the version --target",
        run: |invocation| {
            let target = match invocation.option("target") {
                "" | "current" => halo_vhlo::Version::CURRENT,
                text => text
                    .parse()
                    .map_err(|error| failed(invocation, Error::invalid(format!("{error}"))))?,
            };
            portable_artifact::serialize(&read(invocation)?, target)
                .map_err(|error| failed(invocation, error))
        },
    },
    TranslationDeclaration {
        name: "stablehlo-to-hlo-proto",
        summary: "StableHLO to an HloProto in binary, with all constants",
        run: |invocation| {
            let hlo =
                hlo_text::export(&read(invocation)?).map_err(|error| failed(invocation, error))?;
            let name = invocation.name;
            let invalid = |wrong| Error::invalid_at(Position::new(name, 1, 1), wrong);
            hlo.to_proto().map_err(|wrong| failed(invocation, invalid(wrong)))
        },
    },
    TranslationDeclaration {
        name: "stablehlo-to-hlo-text",
        summary: "StableHLO to HLO text",
        run: |invocation| {
            let hlo =
                hlo_text::export(&read(invocation)?).map_err(|error| failed(invocation, error))?;
            let options = match invocation.option("hlo-text-form") {
                "long" | "" => PrintOptions::long(),
                "short" => PrintOptions::short(),
                other => {
                    let message = format!("--hlo-text-form is 'short' or 'long', not '{other}'");
                    return Err(failed(invocation, Error::invalid(message)));
                }
            };
            let options = PrintOptions {
                large_constants: !invocation.flag("hlo-text-elide-large-constants"),
                layouts: !invocation.flag("hlo-text-omit-layouts"),
                metadata: options.metadata && !invocation.flag("hlo-text-omit-metadata"),
                ..options
            };
            Ok(hlo.print(&options).into_bytes())
        },
    },
];

/// The options of the translations.
pub const OPTIONS: &[TranslationOption] = &[
    // Named as in XLA's translation tool.
    TranslationOption {
        name: "hlo-flatten-computation-args-result",
        summary: "Import a tuple that a computation takes or returns as its elements (default: true)",
        default: "true",
    },
    TranslationOption {
        name: "hlo-import-all-computations",
        summary: "Import computations that become regions as functions too",
        default: "false",
    },
    TranslationOption {
        name: "hlo-text-elide-large-constants",
        summary: "Print {...} for constants of many elements; the text cannot be read back",
        default: "false",
    },
    TranslationOption {
        name: "hlo-text-form",
        summary: "How to print HLO text: long (default) or short",
        default: "",
    },
    TranslationOption {
        name: "hlo-text-omit-layouts",
        summary: "Print shapes without layouts",
        default: "false",
    },
    TranslationOption {
        name: "hlo-text-omit-metadata",
        summary: "Print instructions without their metadata",
        default: "false",
    },
    TranslationOption {
        name: "inline-fusions",
        summary: "Inline the computations of fusion instructions of HLO text",
        default: "false",
    },
    TranslationOption {
        name: "target",
        summary: "Version of the artifact that --serialize writes, such as 1.10.0 (default: current)",
        default: "",
    },
];

/// Converts an input of another format to MLIR; `None` if it is MLIR. HLO text may contain several
/// modules, split by `// -----`.
///
/// # Errors
/// Returns the diagnostics, rendered.
pub fn to_mlir(name: &str, code: &[u8]) -> Result<Option<Vec<u8>>, String> {
    crate::to_mlir(name, code).map_err(|error| error.in_file(name).to_string())
}

fn read<'c>(invocation: &Invocation<'c>) -> Result<Module<'c>, TranslationFailure> {
    read_as(ProgramFormat::of(invocation.code), invocation)
}

fn read_as<'c>(
    format: ProgramFormat,
    invocation: &Invocation<'c>,
) -> Result<Module<'c>, TranslationFailure> {
    let program = Program {
        name: invocation.name.to_owned(),
        code: invocation.code.to_vec(),
    };
    let options = ImportOptions {
        fusions: if invocation.flag("inline-fusions") {
            Fusions::Inline
        } else {
            Fusions::Calls
        },
        flatten: invocation.flag("hlo-flatten-computation-args-result"),
        all_computations: invocation.flag("hlo-import-all-computations"),
    };
    crate::parse_as(format, invocation.context, &program, &options)
        .map_err(|error| failed(invocation, error))
}

fn text_of(module: &Module) -> Vec<u8> {
    module.as_operation().to_string().into_bytes()
}

/// The program in another language, or the diagnostics.
fn printed(
    invocation: &Invocation,
    print: impl FnOnce(&Module) -> Option<String>,
) -> Result<Vec<u8>, TranslationFailure> {
    let module = read(invocation)?;
    let (text, errors) = with_diagnostics(invocation.context, || print(&module));
    text.map(String::into_bytes).ok_or(TranslationFailure(errors))
}

fn failed(invocation: &Invocation, error: Error) -> TranslationFailure {
    match error.in_file(invocation.name) {
        Error::InvalidInput { diagnostics, .. } if !diagnostics.is_empty() => {
            TranslationFailure(diagnostics)
        }
        error => TranslationFailure(vec![Diagnostic::new(None, error.to_string())]),
    }
}
