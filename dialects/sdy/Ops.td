//===- Ops.td - The ops of Shardy that frameworks export ------------------===//
//
// Shardy's dialect describes how tensors are sharded over devices. These are the ops that JAX
// exports; --shardy-legalize-to-stablehlo lowers them. Attributes of the dialect are preserved as
// text, which src/hlo/sharding.rs parses.
//===----------------------------------------------------------------------===//

#ifndef HALO_SDY_OPS
#define HALO_SDY_OPS

include "stablehlo/Base.td"
include "mlir/IR/SymbolInterfaces.td"

def Sdy_Dialect : Dialect {
  let name = "sdy";
  let cppNamespace = "::mlir::sdy";
  let summary = "Shardings of tensors over devices, in Shardy's form";
  let extraClassDeclaration = [{
    Attribute parseAttribute(DialectAsmParser &parser,
                             Type type) const override;
  }];
}

// The semantics hook verifies the ops; meshes that they name are verified with the symbols of the
// module.
class Sdy_Op<string mnemonic, list<Trait> traits = []>
    : Op<Sdy_Dialect, mnemonic, traits # [Hlo_Semantics]>;

def Sdy_MeshOp : Sdy_Op<"mesh", [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "A named mesh of devices";
  let arguments = (ins SymbolNameAttr:$sym_name, AnyAttr:$mesh);
  let assemblyFormat = "$sym_name `=` custom<Mesh>($mesh) attr-dict";
}

def Sdy_ShardingConstraintOp
    : Sdy_Op<"sharding_constraint", [
          Pure, SameOperandsAndResultType, Hlo_SymbolUser]> {
  let summary = "A value with a sharding constraint";
  let arguments = (ins AnyType:$input, AnyAttr:$sharding);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $input custom<Sharding>($sharding) attr-dict `:` type($result)
  }];
}

def Sdy_ReshardOp : Sdy_Op<"reshard", [
    Pure, SameOperandsAndResultType, Hlo_SymbolUser]> {
  let summary = "A value, resharded to a sharding";
  let arguments = (ins AnyType:$input, AnyAttr:$sharding);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $input custom<Sharding>($sharding) attr-dict `:` type($result)
  }];
}

def Sdy_ShardingGroupOp : Sdy_Op<"sharding_group"> {
  let summary = "A value in a group of values with equal shardings";
  let arguments = (ins AnyType:$input, I64Attr:$group_id);
  let assemblyFormat = "$input `group_id` `=` $group_id attr-dict `:` type($input)";
}

def Sdy_ManualComputationOp
    : Sdy_Op<"manual_computation", [
          IsolatedFromAbove, SingleBlock, Hlo_SymbolUser]> {
  let summary = "A computation of each device on its shards";
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
