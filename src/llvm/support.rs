//! Functions that LLVM's code calls and that no shared library of the process exports: conversions
//! between half precision and wider floats, for processors without instructions for them.
//!
//! Uses `unsafe` to pass functions to the linker.

use super::jit::check;
use half::{bf16, f16};
use halo_runtime::Error;
use inkwell::llvm_sys::orc2::{self, lljit};
use std::ffi::CStr;

// The psABI passes these in floating-point registers, in the low half of an f32.
extern "C" fn truncate_f32_to_bf16(value: f32) -> f32 {
    f32::from_bits(u32::from(bf16::from_f32(value).to_bits()))
}

extern "C" fn truncate_f64_to_bf16(value: f64) -> f32 {
    f32::from_bits(u32::from(bf16::from_f64(value).to_bits()))
}

extern "C" fn truncate_f32_to_f16(value: f32) -> f32 {
    f32::from_bits(u32::from(f16::from_f32(value).to_bits()))
}

extern "C" fn truncate_f64_to_f16(value: f64) -> f32 {
    f32::from_bits(u32::from(f16::from_f64(value).to_bits()))
}

extern "C" fn extend_f16_to_f32(value: f32) -> f32 {
    f16::from_bits(value.to_bits() as u16).to_f32()
}

/// Defines the functions, and others, in a library of the JIT.
pub(super) fn define(
    jit: lljit::LLVMOrcLLJITRef,
    library: orc2::LLVMOrcJITDylibRef,
    others: &[(&CStr, usize)],
) -> Result<(), Error> {
    let functions = [
        (c"__truncsfbf2", truncate_f32_to_bf16 as *const () as usize),
        (c"__truncdfbf2", truncate_f64_to_bf16 as *const () as usize),
        (c"__truncsfhf2", truncate_f32_to_f16 as *const () as usize),
        (c"__gnu_f2h_ieee", truncate_f32_to_f16 as *const () as usize),
        (c"__truncdfhf2", truncate_f64_to_f16 as *const () as usize),
        (c"__extendhfsf2", extend_f16_to_f32 as *const () as usize),
        (c"__gnu_h2f_ieee", extend_f16_to_f32 as *const () as usize),
    ];
    let mut symbols: Vec<orc2::LLVMOrcCSymbolMapPair> = functions
        .iter()
        .chain(others)
        .map(|(name, address)| orc2::LLVMOrcCSymbolMapPair {
            // SAFETY: The name is NUL-terminated; the interned string is handed
            // over to the definition below.
            Name: unsafe { lljit::LLVMOrcLLJITMangleAndIntern(jit, name.as_ptr()) },
            Sym: orc2::LLVMJITEvaluatedSymbol {
                Address: *address as u64,
                Flags: orc2::LLVMJITSymbolFlags {
                    GenericFlags: orc2::LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported
                        as u8,
                    TargetFlags: 0,
                },
            },
        })
        .collect();
    // SAFETY: The symbols are copied; the unit is handed over to the library.
    check(unsafe {
        let unit = orc2::LLVMOrcAbsoluteSymbols(symbols.as_mut_ptr(), symbols.len());
        orc2::LLVMOrcJITDylibDefine(library, unit)
    })
}
