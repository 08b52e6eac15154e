//! Meshes of devices, whose axes shardings and replica groups name.
//!
//! The syntax tree keeps both as they are written; this module interprets the texts:
//!
//! ```text
//! {mesh['a'=2,'b'=4], [{'a'}, {'b':(1)2, ?}], replicated={'b':(2)2}}
//! mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'a'}
//! ```

mod print;
mod scan;

use scan::Scanner;

/// Devices in a grid, whose dimensions have names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mesh {
    /// Names and sizes. A mesh without axes has at most one device.
    pub axes: Vec<(String, i64)>,
    pub order: DeviceOrder,
}

/// The permutation of devices in a mesh, in row-major order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceOrder {
    /// 0, 1, 2, ...
    Ascending,
    List(Vec<i64>),
    /// `[4,2]T(1,0)`: 0, 1, 2, ... in a shape, transposed.
    Iota {
        reshape_dimensions: Vec<i64>,
        transpose_permutation: Vec<i64>,
    },
}

/// An axis, or a sub-axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisRef {
    /// Its number in the mesh.
    pub axis: usize,
    /// `:(2)4`: the factor of size 4 of the axis, after one of size 2.
    pub part: Option<SubAxis>,
}

/// A factor of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubAxis {
    /// The product of the factors before it.
    pub pre_size: i64,
    pub size: i64,
}

/// The axes that a dimension is divided along, from major to minor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DimensionSharding {
    pub axes: Vec<AxisRef>,
    /// Whether further sharding is allowed: `?`.
    pub is_open: bool,
}

/// A sharding along the axes of a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSharding {
    pub mesh: Mesh,
    pub dimensions: Vec<DimensionSharding>,
    pub replicated: Vec<AxisRef>,
    pub unreduced: Vec<AxisRef>,
    pub manual: Vec<AxisRef>,
}

/// Groups of the devices that differ along some axes only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshGroups {
    pub mesh: Mesh,
    pub axes: Vec<AxisRef>,
}

impl NamedSharding {
    /// Parses a sharding with its braces.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut scanner = Scanner::new(text);
        let sharding = scanner.named_sharding()?;
        scanner.is_at_end().then_some(sharding)
    }
}

impl MeshGroups {
    /// Parses groups.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut scanner = Scanner::new(text);
        let groups = scanner.mesh_groups()?;
        scanner.is_at_end().then_some(groups)
    }
}

impl Mesh {
    /// Every axis, whole.
    #[must_use]
    pub fn all_axes(&self) -> Vec<AxisRef> {
        let whole = |axis| AxisRef { axis, part: None };
        (0..self.axes.len()).map(whole).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text that XLA prints after reading.
    #[test]
    fn shardings_are_printed_as_by_xla() {
        for (text, printed) in [
            (
                "{mesh['a'=2,'b'=4] [{'a'},{'b':(1)2,?}], replicated={'b':(2)2}}",
                "{mesh['a'=2,'b'=4], [{'a'}, {'b':(1)2, ?}], replicated={'b':(2)2}}",
            ),
            (
                "{mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)), [{},{?}]}",
                "{mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)), [{}, {?}]}",
            ),
            (
                "{mesh[\"a\"=2], device_ids=(1,0), [{\"a\"}], metadata={op_name=\"}\"}}",
                "{mesh['a'=2], device_ids=(1,0), [{'a'}]}",
            ),
            ("{mesh['a'=2,'b'=4], []}", "{mesh['a'=2,'b'=4], replicated}"),
            ("{mesh[], replicated}", "{mesh[], replicated}"),
            ("{mesh['a'=2,'b'=4], manual}", "{mesh['a'=2,'b'=4], manual}"),
            (
                "{mesh['a'=2,'b'=4], [{}], unreduced={'a','b'}}",
                "{mesh['a'=2,'b'=4], [{}], unreduced={'a', 'b'}}",
            ),
            (
                "{ maximal_mesh[device_id=3] }",
                "{maximal_mesh[device_id=3]}",
            ),
        ] {
            let sharding = NamedSharding::parse(text).expect(text);
            assert_eq!(sharding.to_string(), printed);
        }
    }

    #[test]
    fn groups_are_printed_as_by_xla() {
        let text = "mesh['a'=2,'b'=4], device_ids=(7,6,5,4,3,2,1,0) {'a','b':(1)2}";
        let groups = MeshGroups::parse(text).expect(text);
        assert_eq!(groups.axes.len(), 2);
        assert_eq!(groups.to_string(), text);
    }

    #[test]
    fn what_says_nothing_is_none() {
        for text in [
            "",
            "{",
            "{mesh",
            "{mesh['a'=2}",
            "{mesh['a'=2], [{'b'}]}",
            "{mesh['a'=2], [{'a'}]",
            "{mesh['a'=2], [{'a'}]} x",
            "{mesh['a'=2], [{'a':(1}]}",
            "{mesh['a'=2], what}",
            "{mesh['a'=99999999999999999999], []}",
            "{mesh['a=2], []}",
        ] {
            assert_eq!(NamedSharding::parse(text), None, "{text}");
        }
        assert_eq!(MeshGroups::parse("mesh['a'=2]"), None);
    }
}
