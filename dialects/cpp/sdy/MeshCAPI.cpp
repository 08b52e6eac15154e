//===- MeshCAPI.cpp - Attributes of device meshes, in C -------------------===//

#include "MeshCAPI.h"

#include "StablehloAttrs.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace mlir::stablehlo;

bool haloMeshAttributeRead(MlirAttribute attribute,
                           HaloMeshAttribute *members) {
  Attribute any = unwrap(attribute);
  *members = {};
  if (auto info = dyn_cast<SubAxisInfoAttr>(any)) {
    members->kind = HaloMeshKindSubAxisInfo;
    members->preSize = info.getPreSize();
    members->size = info.getSize();
    return true;
  }
  if (auto axis = dyn_cast<AxisRefAttr>(any)) {
    members->kind = HaloMeshKindAxisRef;
    members->name = wrap(axis.getName());
    members->first = wrap(Attribute(axis.getSubAxisInfo()));
    return true;
  }
  if (auto axis = dyn_cast<MeshAxisAttr>(any)) {
    members->kind = HaloMeshKindMeshAxis;
    members->name = wrap(axis.getName());
    members->size = axis.getSize();
    return true;
  }
  if (auto mesh = dyn_cast<MeshAttr>(any)) {
    SmallVector<Attribute> axes(mesh.getAxes().begin(), mesh.getAxes().end());
    members->kind = HaloMeshKindMesh;
    members->first = wrap(Attribute(ArrayAttr::get(any.getContext(), axes)));
    members->second = wrap(Attribute(mesh.getDeviceIds()));
    return true;
  }
  if (auto groups = dyn_cast<ReplicaGroupMeshAxesAttr>(any)) {
    members->kind = HaloMeshKindReplicaGroupMeshAxes;
    members->first = wrap(groups.getMesh());
    members->second = wrap(Attribute(groups.getAxes()));
    return true;
  }
  return false;
}

/// Returns the elements of an array, or nothing if one is of another kind.
template <typename Element>
static std::optional<SmallVector<Element>> elementsOf(Attribute array) {
  auto elements = dyn_cast_or_null<ArrayAttr>(array);
  if (!elements || !llvm::all_of(elements, llvm::IsaPred<Element>))
    return std::nullopt;
  return llvm::map_to_vector(
      elements, [](Attribute element) { return cast<Element>(element); });
}

static Attribute build(MLIRContext *context, const HaloMeshAttribute &members) {
  Attribute first = unwrap(members.first), second = unwrap(members.second);
  switch (members.kind) {
  case HaloMeshKindSubAxisInfo:
    return SubAxisInfoAttr::get(context, members.preSize, members.size);
  case HaloMeshKindAxisRef:
    if (first && !isa<SubAxisInfoAttr>(first))
      return {};
    return AxisRefAttr::get(context, unwrap(members.name),
                            cast_or_null<SubAxisInfoAttr>(first));
  case HaloMeshKindMeshAxis:
    return MeshAxisAttr::get(context, unwrap(members.name), members.size);
  case HaloMeshKindMesh: {
    auto axes = elementsOf<MeshAxisAttr>(first);
    if (!axes || (second && !isa<DenseIntElementsAttr>(second)))
      return {};
    return MeshAttr::get(context, *axes,
                         cast_or_null<DenseIntElementsAttr>(second));
  }
  case HaloMeshKindReplicaGroupMeshAxes:
    if (!isa_and_nonnull<MeshAttr, FlatSymbolRefAttr>(first) ||
        !isa_and_nonnull<ArrayAttr>(second))
      return {};
    return ReplicaGroupMeshAxesAttr::get(context, first,
                                         cast<ArrayAttr>(second));
  }
  return {};
}

MlirAttribute haloMeshAttributeBuild(MlirContext context,
                                     const HaloMeshAttribute *members) {
  unwrap(context)->loadDialect<StablehloDialect>();
  return wrap(build(unwrap(context), *members));
}
