//===- Dialect.td - The halo dialect --------------------------------------===//
//
// The contracts between the steps of the compiler. What one step must tell
// another, and no dialect of upstream can say, is an op or an attribute here, so
// that the verifier sees it and a dump shows it. src/hlo/semantics/halo.rs
// verifies them.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_HALO_DIALECT
#define HALO_HALO_DIALECT

include "stablehlo/Base.td"

def Halo_Dialect : Dialect {
  let name = "halo";
  let cppNamespace = "::halo::dialect";
  let summary = "Contracts between the steps of the compiler";
  let description = [{
    Ops stand for calls that leave the compiled program: of the handler of a
    custom call, of the thread pool, of other processes, of a library of matrix
    products.

    Attributes with the prefix `halo.` stand on ops of other dialects:

    | attribute | on | value | meaning |
    |---|---|---|---|
    | `halo.entry` | functions | unit | the runtime calls it |
    | `halo.kernel` | functions | unit | a range of iterations of a loop |
    | `halo.vectorized` | functions | unit | no innermost loop of the kernel is left to LLVM's vectorizer |
    | `halo.arena_bytes` | functions | i64 | the size of the last argument, which holds all temporary buffers |
    | `halo.arena_largest` | functions | string | where the largest of them comes from |
    | `halo.caller_bytes` | functions | i64 | the size of the arguments of its caller, whose ops it holds for a while |
    | `halo.call_sites` | modules | array | the custom calls in the order of the numbers that generated code passes |
    | `halo.constants` | modules | `dense<...> : tensor<Nxi8>` | the bytes of the constants that an entry is given the address of |
    | `halo.fold_element_limit` | modules | i64 | the size of the constants that folding makes |
    | `halo.link` | modules | three i64 | what a message between processes takes: the nanoseconds of an empty one, those of each further one that is sent at once, and the bytes per second |
    | `halo.precision` | ops of linalg | `#halo.precision` | how exact a product of f32 is |
    | `halo.scatter` | `scf.for` | `#halo.scatter` | the iterations may run in any order |
    | `halo.packing` | `scf.parallel`, `scf.for` | unit | packs an operand of a contraction; part of the kernel's name |
    | `halo.parallel` | `scf.for` | unit | the iterations are independent of each other, but for what they carry |
    | `halo.remainder` | `scf.for` | unit | the few iterations that a loop of vectors has left over |
    | `halo.strategy` | `gpu.launch` | string | how the kernel traverses memory, part of its name |
    | `halo.applies_to` | `transform.named_sequence` | string | what a schedule runs it on: `@function` or `file:line` |
    | `halo.tile_sizes` | ops of linalg | array of i64 | the last op of a planned fusion group: the iterations of each loop in a tile, 0 for all |
    | `halo.group` | `nvgpu.device_async_create_group` | unit | ends the op in text |

    Other names with this prefix are errors, and so are all of them on arguments
    and results of functions.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

#endif // HALO_HALO_DIALECT
