//! Replica groups as axes of a device mesh.

use crate::attributes::AttributeExt;
use melior::{
    Context, StringRef,
    ir::{Attribute, AttributeLike},
};
use mlir_sys::{MlirAttribute, MlirContext, MlirStringRef};

/// An attribute that describes a device mesh.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshAttribute<'c> {
    /// A factor of an axis.
    SubAxisInfo { pre_size: i64, size: i64 },
    /// An axis by its name, or a factor of it.
    AxisRef {
        name: String,
        sub_axis_info: Option<Attribute<'c>>,
    },
    /// A named axis.
    MeshAxis { name: String, size: i64 },
    /// Axes, and the devices if they are not in order.
    Mesh {
        axes: Vec<Attribute<'c>>,
        device_ids: Option<Attribute<'c>>,
    },
    /// `#stablehlo.replica_group_mesh_axes`: the axes of a mesh, or of a mesh symbol, along which
    /// the devices of a group differ.
    ReplicaGroupMeshAxes {
        mesh: Attribute<'c>,
        axes: Vec<Attribute<'c>>,
    },
}

/// `HaloMeshKind` of MeshCAPI.h.
const SUB_AXIS_INFO: u32 = 0;
const AXIS_REF: u32 = 1;
const MESH_AXIS: u32 = 2;
const MESH: u32 = 3;
const REPLICA_GROUP_MESH_AXES: u32 = 4;

/// `HaloMeshAttribute` of MeshCAPI.h.
#[repr(C)]
struct Raw {
    kind: u32,
    name: MlirStringRef,
    pre_size: i64,
    size: i64,
    first: MlirAttribute,
    second: MlirAttribute,
}

unsafe extern "C" {
    fn haloMeshAttributeRead(attribute: MlirAttribute, members: *mut Raw) -> bool;
    fn haloMeshAttributeBuild(context: MlirContext, members: *const Raw) -> MlirAttribute;
}

const NULL: MlirAttribute = MlirAttribute {
    ptr: std::ptr::null(),
};

impl<'c> MeshAttribute<'c> {
    pub fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        // SAFETY: the function and the struct belong together.
        let raw = unsafe { super::access::read(haloMeshAttributeRead, attribute)? };
        // SAFETY: the parts of an attribute live as long as its context.
        let part =
            |raw: MlirAttribute| unsafe { (!raw.ptr.is_null()).then(|| Attribute::from_raw(raw)) };
        let (first, second) = (part(raw.first), part(raw.second));
        let name = || {
            // A name that is empty may have no address.
            if raw.name.length == 0 {
                return Some(String::new());
            }
            // SAFETY: the name is alive in the attribute.
            let name = unsafe { StringRef::from_raw(raw.name) };
            name.as_str().ok().map(str::to_owned)
        };
        Some(match raw.kind {
            SUB_AXIS_INFO => Self::SubAxisInfo {
                pre_size: raw.pre_size,
                size: raw.size,
            },
            AXIS_REF => Self::AxisRef {
                name: name()?,
                sub_axis_info: first,
            },
            MESH_AXIS => Self::MeshAxis {
                name: name()?,
                size: raw.size,
            },
            MESH => Self::Mesh {
                axes: first?.array_elements(),
                device_ids: second,
            },
            REPLICA_GROUP_MESH_AXES => Self::ReplicaGroupMeshAxes {
                mesh: first?,
                axes: second?.array_elements(),
            },
            _ => return None,
        })
    }

    /// Returns `None` if a part is of the wrong kind.
    pub fn to_attribute(&self, context: &'c Context) -> Option<Attribute<'c>> {
        let raw = |part: &Option<Attribute<'c>>| part.map_or(NULL, |part| part.to_raw());
        let array = |elements: &[Attribute<'c>]| {
            crate::attributes::array_attribute(context, elements).to_raw()
        };
        let mut members = Raw {
            kind: 0,
            name: StringRef::new("").to_raw(),
            pre_size: 0,
            size: 0,
            first: NULL,
            second: NULL,
        };
        match self {
            Self::SubAxisInfo { pre_size, size } => {
                members.kind = SUB_AXIS_INFO;
                members.pre_size = *pre_size;
                members.size = *size;
            }
            Self::AxisRef {
                name,
                sub_axis_info,
            } => {
                members.kind = AXIS_REF;
                members.name = StringRef::new(name).to_raw();
                members.first = raw(sub_axis_info);
            }
            Self::MeshAxis { name, size } => {
                members.kind = MESH_AXIS;
                members.name = StringRef::new(name).to_raw();
                members.size = *size;
            }
            Self::Mesh { axes, device_ids } => {
                members.kind = MESH;
                members.first = array(axes);
                members.second = raw(device_ids);
            }
            Self::ReplicaGroupMeshAxes { mesh, axes } => {
                members.kind = REPLICA_GROUP_MESH_AXES;
                members.first = mesh.to_raw();
                members.second = array(axes);
            }
        }
        // SAFETY: the function and the struct belong together, and the names
        // are alive.
        unsafe { super::access::build(haloMeshAttributeBuild, context, &members) }
    }
}
