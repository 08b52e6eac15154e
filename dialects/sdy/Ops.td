//===- Ops.td - The ops of Shardy that frameworks export ------------------===//
//
// Shardy's dialect says how tensors are divided among devices. These are the
// ops that programs of JAX have; --shardy-legalize-to-stablehlo gives them their
// meaning. Attributes of the dialect are kept as they are written: what a
// sharding is, src/hlo/sharding.rs knows.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_SDY_OPS
#define HALO_SDY_OPS

include "stablehlo/Base.td"
include "mlir/IR/SymbolInterfaces.td"

def Sdy_Dialect : Dialect {
  let name = "sdy";
  let cppNamespace = "::mlir::sdy";
  let summary = "How tensors are divided among devices, as Shardy says it";
  let extraClassDeclaration = [{
    Attribute parseAttribute(DialectAsmParser &parser,
                             Type type) const override;
  }];
}

// Whether an op is valid is for the semantics hook to tell, and what it asks of
// a mesh that it names is verified with the symbols of the module.
class Sdy_Op<string mnemonic, list<Trait> traits = []>
    : Op<Sdy_Dialect, mnemonic, traits # [Hlo_Semantics]>;

def Sdy_MeshOp : Sdy_Op<"mesh", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "A mesh of devices with a name";
  let arguments = (ins SymbolNameAttr:$sym_name, AnyAttr:$mesh);
  let assemblyFormat = "$sym_name `=` custom<Mesh>($mesh) attr-dict";
}

def Sdy_ShardingConstraintOp
    : Sdy_Op<"sharding_constraint", [
          Pure, SameOperandsAndResultType, Hlo_SymbolUser]> {
  let summary = "A value that is divided as a sharding says";
  let arguments = (ins AnyType:$input, AnyAttr:$sharding);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $input custom<Sharding>($sharding) attr-dict `:` type($result)
  }];
}

def Sdy_ReshardOp : Sdy_Op<"reshard", [
    Pure, SameOperandsAndResultType, Hlo_SymbolUser]> {
  let summary = "A value, brought into the tiles of a sharding";
  let arguments = (ins AnyType:$input, AnyAttr:$sharding);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $input custom<Sharding>($sharding) attr-dict `:` type($result)
  }];
}

def Sdy_ShardingGroupOp : Sdy_Op<"sharding_group"> {
  let summary = "A value that is divided as the others of a group";
  let arguments = (ins AnyType:$input, I64Attr:$group_id);
  let assemblyFormat = "$input `group_id` `=` $group_id attr-dict `:` type($input)";
}

def Sdy_ManualComputationOp
    : Sdy_Op<"manual_computation", [
          IsolatedFromAbove, SingleBlock, Hlo_SymbolUser]> {
  let summary = "A computation of one device on its tiles";
  let arguments = (ins Variadic<AnyType>:$tensors, AnyAttr:$in_shardings,
                   AnyAttr:$out_shardings, AnyAttr:$manual_axes);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $tensors `)`
    `in_shardings` `=` custom<ShardingPerValue>($in_shardings)
    `out_shardings` `=` custom<ShardingPerValue>($out_shardings)
    `manual_axes` `=` custom<ManualAxes>($manual_axes)
    custom<RegionWithArguments>($body)
    attr-dict `:` functional-type($tensors, $results)
  }];
}

def Sdy_ReturnOp
    : Sdy_Op<"return", [Pure, Terminator, HasParent<"ManualComputationOp">]> {
  let summary = "End of a manual computation";
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

#endif // HALO_SDY_OPS
