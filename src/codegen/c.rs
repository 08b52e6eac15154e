//! Code for C compilers, for processors that LLVM does not know: programs as EmitC, which
//! upstream prints as C11.

pub mod c_code;
pub mod lower_to_emitc;
