/*===- MeshCAPI.h - Attributes of device meshes, in C ---------------------===*\
|*
|* Replica groups may be told as axes of a mesh, by attributes that contain each
|* other. One struct holds the members of all of them; the kind says which are
|* used. src/ir/stablehlo/attributes/mesh.rs is the safe face.
|*
\*===----------------------------------------------------------------------===*/

#ifndef HALO_DIALECTS_MESH_CAPI_H
#define HALO_DIALECTS_MESH_CAPI_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum HaloMeshKind {
  /* preSize, size */
  HaloMeshKindSubAxisInfo,
  /* name; first: a SubAxisInfo or null */
  HaloMeshKindAxisRef,
  /* name, size */
  HaloMeshKindMeshAxis,
  /* first: an array of MeshAxis; second: device ids or null */
  HaloMeshKindMesh,
  /* first: a mesh or a symbol; second: an array of AxisRef */
  HaloMeshKindReplicaGroupMeshAxes,
} HaloMeshKind;

typedef struct HaloMeshAttribute {
  HaloMeshKind kind;
  MlirStringRef name;
  int64_t preSize;
  int64_t size;
  MlirAttribute first;
  MlirAttribute second;
} HaloMeshAttribute;

/* Fills the members that the kind uses and tells whether it did. */
MLIR_CAPI_EXPORTED bool haloMeshAttributeRead(MlirAttribute attribute,
                                              HaloMeshAttribute *members);

/* Null where a member is of another kind than it should be. */
MLIR_CAPI_EXPORTED MlirAttribute
haloMeshAttributeBuild(MlirContext context, const HaloMeshAttribute *members);

#ifdef __cplusplus
}
#endif

#endif /* HALO_DIALECTS_MESH_CAPI_H */
