//! The format of a program, detected from its content.

/// The format of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramFormat {
    /// Text or bytecode of MLIR.
    Mlir,
    /// `HloModule ...`, or an `HloProto` as text.
    HloText,
    /// `HloModuleProto`, `HloProto` or `HloSnapshot` in binary.
    HloProto,
    /// Bytecode of VHLO, which StableHLO's tools write.
    PortableArtifact,
}

impl ProgramFormat {
    /// The format of `code`.
    pub fn of(code: &[u8]) -> Self {
        if halo_vhlo::is_portable_artifact(code) {
            ProgramFormat::PortableArtifact
        } else if halo_hlo_text::is_hlo_proto(code) {
            ProgramFormat::HloProto
        } else if halo_hlo_text::is_hlo_text(code) {
            ProgramFormat::HloText
        } else {
            ProgramFormat::Mlir
        }
    }
}
