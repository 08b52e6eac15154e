//! Attributes of the LLVM dialect for debug information.
//!
//! Debuggers and profilers map addresses to lines by line tables. LLVM makes these of the
//! locations of instructions, each in the scope of a subprogram, which is a function of a
//! compile unit.

use crate::{
    attributes::string_attribute,
    handles::{Attribute, Location},
    location::fused_location,
    validity,
};
use melior::{Context, ir::attribute::AttributeLike};
use mlir_sys::{
    MlirAttribute, MlirLLVMDIEmissionKind_MlirLLVMDIEmissionKindLineTablesOnly,
    MlirLLVMDINameTableKind_MlirLLVMDINameTableKindNone, mlirDisctinctAttrCreate,
    mlirLLVMDICompileUnitAttrGet, mlirLLVMDIFileAttrGet, mlirLLVMDILexicalBlockFileAttrGet,
    mlirLLVMDISubprogramAttrGet, mlirLLVMDISubroutineTypeAttrGet, mlirUnitAttrGet,
};

/// `DW_LANG_C11`: of the languages that DWARF names, the one with the calling convention of
/// generated code.
const LANGUAGE: u32 = 0x1d;

/// `DISPFlagDefinition | DISPFlagOptimized`
const DEFINITION: u64 = 8 | 16;

/// A program in debug information: the scope of all its functions, with line tables only.
#[derive(Clone, Copy, Debug)]
pub struct CompileUnit<'c> {
    context: &'c Context,
    unit: Attribute<'c>,
}

/// A file, whose name may be relative to a directory.
#[derive(Clone, Copy, Debug)]
pub struct SourceFile<'c>(Attribute<'c>);

/// A scope of a program in which instructions have locations.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'c> {
    context: &'c Context,
    scope: Attribute<'c>,
}

impl<'c> SourceFile<'c> {
    /// A file of a name in a directory.
    pub fn new(context: &'c Context, name: &str, directory: &str) -> Self {
        let name = string_attribute(context, name).to_raw();
        let directory = string_attribute(context, directory).to_raw();
        // SAFETY: Both are texts of the context.
        Self(unsafe { attribute(mlirLLVMDIFileAttrGet(context.to_raw(), name, directory)) })
    }
}

impl<'c> CompileUnit<'c> {
    /// The program in a file.
    pub fn new(context: &'c Context, file: SourceFile<'c>, producer: &str) -> Self {
        validity::part_of(context, file.0);
        let producer = string_attribute(context, producer).to_raw();
        // SAFETY: All parts are of the context and of the kinds that the attribute has; it
        // has no split file.
        let unit = unsafe {
            attribute(mlirLLVMDICompileUnitAttrGet(
                context.to_raw(),
                distinct(context),
                LANGUAGE,
                file.0.to_raw(),
                producer,
                true,
                MlirLLVMDIEmissionKind_MlirLLVMDIEmissionKindLineTablesOnly,
                MlirLLVMDINameTableKind_MlirLLVMDINameTableKindNone,
                string_attribute(context, "").to_raw(),
            ))
        };
        Self { context, unit }
    }

    /// A function of the program that begins in a line of a file.
    pub fn subprogram(&self, name: &str, file: SourceFile<'c>, line: u32) -> Scope<'c> {
        let context = self.context;
        validity::part_of(context, file.0);
        let name = string_attribute(context, name).to_raw();
        // SAFETY: All parts are of the context and of the kinds that the attribute has.
        let scope = unsafe {
            let ty = mlirLLVMDISubroutineTypeAttrGet(context.to_raw(), 0, 0, std::ptr::null());
            attribute(mlirLLVMDISubprogramAttrGet(
                context.to_raw(),
                distinct(context),
                false,
                distinct(context),
                self.unit.to_raw(),
                file.0.to_raw(),
                name,
                name,
                file.0.to_raw(),
                line,
                line,
                DEFINITION,
                ty,
                0,
                std::ptr::null(),
                0,
                std::ptr::null(),
            ))
        };
        Scope { context, scope }
    }
}

impl<'c> Scope<'c> {
    /// The part of a function that was written in another file.
    #[must_use]
    pub fn in_file(&self, file: SourceFile<'c>) -> Self {
        validity::part_of(self.context, file.0);
        // SAFETY: All parts are of the context and of the kinds that the attribute has.
        let scope = unsafe {
            attribute(mlirLLVMDILexicalBlockFileAttrGet(
                self.context.to_raw(),
                self.scope.to_raw(),
                file.0.to_raw(),
                0,
            ))
        };
        Self { scope, ..*self }
    }

    /// A location in the scope: of a function, whose scope it is, or of one of its ops.
    pub fn location(&self, place: Location<'c>) -> Location<'c> {
        fused_location(self.context, &[place], Some(self.scope))
    }
}

/// # Safety
///
/// The attribute must be valid, and its context live as long as the result.
unsafe fn attribute<'c>(raw: MlirAttribute) -> Attribute<'c> {
    // SAFETY: The caller guarantees it.
    unsafe { Attribute::from_raw(raw) }
}

/// A unique attribute.
fn distinct(context: &Context) -> MlirAttribute {
    // SAFETY: The context is alive, and the unit attribute is one of it.
    unsafe { mlirDisctinctAttrCreate(mlirUnitAttrGet(context.to_raw())) }
}
