//===- Bytecode.td - Bytecode of the chlo dialect -------------------------===//
//
// How upstream's CHLO encodes its attributes; the place in the list at the end
// is the code that an entry begins with. Upstream writes the attributes that
// are not listed as text, and so do these dialects.
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
