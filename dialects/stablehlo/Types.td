//===- Types.td - Types of the stablehlo dialect --------------------------===//

#ifndef HALO_STABLEHLO_TYPES
#define HALO_STABLEHLO_TYPES

include "stablehlo/Dialect.td"

class Stablehlo_Type<string name, string typeMnemonic>
    : TypeDef<Stablehlo_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Stablehlo_Token : Stablehlo_Type<"Token", "token"> {
  let summary = "Orders ops that have effects";
  let description = [{
    Holds no data. An op that consumes a token runs after the op that created
    it.
    Specification: `Types`.
  }];
}

def Stablehlo_Future : Stablehlo_Type<"Future", "future"> {
  let summary = "The pending results of an asynchronous op";
  let description = [{
    Created by `async_start`; `async_done` returns the values.
    Specification: `Types`.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$types);
  let assemblyFormat = "`<` $types `>`";
  let genVerifyDecl = 1;
}

#endif // HALO_STABLEHLO_TYPES
