//===- Dialect.td - The halo dialect --------------------------------------===//
//
// The contracts between passes of the compiler. Information that one pass leaves for another, and
// that no upstream dialect can express, is an op or an attribute of this dialect, so that the
// verifier checks it and a dump shows it. src/hlo/semantics/halo.rs verifies them.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_HALO_DIALECT
#define HALO_HALO_DIALECT

include "stablehlo/Base.td"

def Halo_Dialect : Dialect {
  let name = "halo";
  let cppNamespace = "::halo::dialect";
  let summary = "Contracts between the passes of the compiler";
  let description = [{
    Ops represent calls out of the compiled program: to the handler of a custom
    call, to the thread pool, to other processes, to a library of matrix
    products.

    Attributes with the prefix `halo.` are discardable attributes of ops of
    other dialects:

    | attribute | on | value | meaning |
    |---|---|---|---|
    | `halo.entry` | functions | unit | the runtime calls it |
    | `halo.kernel` | functions | unit | runs a range of iterations of a loop |
    | `halo.vectorized` | functions | unit | LLVM's vectorizer need not run on the innermost loops of the kernel |
    | `halo.arena_bytes` | functions | i64 | the size of the last argument, which holds all temporary buffers |
    | `halo.arena_largest` | functions | string | the origin of the largest temporary buffer |
    | `halo.caller_bytes` | functions | i64 | the size of the arguments of its caller, whose ops it contains temporarily |
    | `halo.call_sites` | modules | array | the custom calls in the order of the numbers that generated code passes |
    | `halo.constants` | modules | `dense<...> : tensor<Nxi8>` | the bytes of the constants, whose address is passed to the entry |
    | `halo.fold_element_limit` | modules | i64 | the maximum size of constants created by folding |
    | `halo.link` | modules | three i64 | cost model of messages between processes: the nanoseconds of an empty message, those of each further message sent at once, and the bytes per second |
    | `halo.precision` | ops of linalg | `#halo.precision` | the precision of f32 products |
    | `halo.scatter` | `scf.for` | `#halo.scatter` | the iterations may run in any order |
    | `halo.packing` | `scf.parallel`, `scf.for` | unit | packs an operand of a contraction; part of the kernel's name |
    | `halo.parallel` | `scf.for` | unit | the iterations are independent except for carried values |
    | `halo.remainder` | `scf.for` | unit | the remainder loop of a vectorized loop |
    | `halo.strategy` | `gpu.launch` | string | how the kernel traverses memory, part of its name |
    | `halo.applies_to` | `transform.named_sequence` | string | where a schedule applies it: `@function` or `file:line` |
    | `halo.tile_sizes` | ops of linalg | array of i64 | the last op of a planned fusion group: the tile size of each loop, 0 for untiled |
    | `halo.group` | `nvgpu.device_async_create_group` | unit | marks the end of the op's textual form |

    Other names with this prefix are errors, and so are all of them on arguments
    and results of functions.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

#endif // HALO_HALO_DIALECT
