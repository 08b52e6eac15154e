//! Prints meshes and references to their axes in XLA's syntax.

use std::fmt::{Display, Formatter, Result};

use super::{AxisRef, DeviceOrder, Mesh, MeshGroups, NamedSharding};

impl Display for Mesh {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if let (true, DeviceOrder::List(devices)) = (self.axes.is_empty(), &self.order)
            && let [device] = devices[..]
        {
            return write!(f, "maximal_mesh[device_id={device}]");
        }
        f.write_str("mesh[")?;
        joined(f, ",", &self.axes, |f, (name, size)| {
            write!(f, "'{name}'={size}")
        })?;
        f.write_str("]")?;
        match &self.order {
            DeviceOrder::Ascending => Ok(()),
            DeviceOrder::List(devices) => {
                f.write_str(", device_ids=(")?;
                joined(f, ",", devices, |f, device| device.fmt(f))?;
                f.write_str(")")
            }
            DeviceOrder::Iota {
                reshape_dimensions,
                transpose_permutation,
            } => {
                f.write_str(", device_ids=([")?;
                joined(f, ",", reshape_dimensions, |f, size| size.fmt(f))?;
                f.write_str("]")?;
                if !transpose_permutation.is_empty() {
                    f.write_str("T(")?;
                    joined(f, ",", transpose_permutation, |f, axis| axis.fmt(f))?;
                    f.write_str(")")?;
                }
                f.write_str(")")
            }
        }
    }
}

impl Display for NamedSharding {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{{{}", self.mesh)?;
        let mut lists = vec![
            ("replicated", &self.replicated),
            ("unreduced", &self.unreduced),
            ("manual", &self.manual),
        ];
        lists.retain(|(_, axes)| !axes.is_empty());
        if self.dimensions.is_empty() {
            let is_maximal = self.mesh.axes.is_empty() && self.mesh.order != DeviceOrder::Ascending;
            let all = self.mesh.all_axes();
            match lists[..] {
                [] if is_maximal => return f.write_str("}"),
                [] => return f.write_str(", replicated}"),
                [(word @ ("unreduced" | "manual"), axes)] if *axes == all => {
                    return write!(f, ", {word}}}");
                }
                _ => {}
            }
        }
        f.write_str(", [")?;
        joined(f, ", ", &self.dimensions, |f, dimension| {
            f.write_str("{")?;
            joined(f, ", ", &dimension.axes, |f, axis| self.mesh.axis(f, *axis))?;
            f.write_str(match (dimension.is_open, dimension.axes.is_empty()) {
                (true, true) => "?}",
                (true, false) => ", ?}",
                _ => "}",
            })
        })?;
        f.write_str("]")?;
        for (word, axes) in lists {
            write!(f, ", {word}={{")?;
            joined(f, ", ", axes, |f, axis| self.mesh.axis(f, *axis))?;
            f.write_str("}")?;
        }
        f.write_str("}")
    }
}

impl Display for MeshGroups {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} {{", self.mesh)?;
        joined(f, ",", &self.axes, |f, axis| self.mesh.axis(f, *axis))?;
        f.write_str("}")
    }
}

impl Mesh {
    fn axis(&self, f: &mut Formatter<'_>, axis: AxisRef) -> Result {
        match self.axes.get(axis.axis) {
            Some((name, _)) => write!(f, "'{name}'")?,
            None => write!(f, "{}", axis.axis)?,
        }
        match axis.part {
            Some(part) => write!(f, ":({}){}", part.pre_size, part.size),
            None => Ok(()),
        }
    }
}

fn joined<T>(
    f: &mut Formatter<'_>,
    separator: &str,
    items: &[T],
    mut write: impl FnMut(&mut Formatter<'_>, &T) -> Result,
) -> Result {
    for (position, item) in items.iter().enumerate() {
        if position > 0 {
            f.write_str(separator)?;
        }
        write(f, item)?;
    }
    Ok(())
}
