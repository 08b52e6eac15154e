//===- Bytecode.td - Bytecode of the chlo dialect -------------------------===//
//
// The encoding of attributes by upstream's CHLO. The position in the list at the end is the code
// with which an entry begins. Unlisted attributes are encoded as text, as upstream does.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_CHLO_BYTECODE
#define HALO_CHLO_BYTECODE

include "stablehlo/BytecodeBase.td"

def ComparisonDirectionAttr : EnumAttribute<"ComparisonDirection">;
def ComparisonTypeAttr : EnumAttribute<"ComparisonType">;

def ChloAttributes : DialectAttributes<"Chlo"> {
  let elems = [ComparisonDirectionAttr, ComparisonTypeAttr];
}

#endif // HALO_CHLO_BYTECODE
