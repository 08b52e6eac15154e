//! C code for processors that LLVM does not support: programs become EmitC, which upstream prints
//! as C11.

pub mod c_code;
pub mod lower_to_emitc;
