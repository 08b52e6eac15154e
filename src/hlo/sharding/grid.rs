//! The partitions of a program along axes, and how tensors are divided along these.
//!
//! A [`Tiling`] says which tile each partition has, and no more. What propagates
//! and what is exchanged are axes, so the partitions are given coordinates along the axes of the
//! program's meshes, which are split until their sizes are prime: each sharding of a mesh, and
//! each part of an axis, is a list of them.
//!
//! ```text
//! mesh ["x"=2, "y"=4]              axes 0: x   1: y:(1)2   2: y:(2)2
//! #sdy.sharding<@mesh, [{"y"}]>    layout [[1, 2]]
//! ```
//!
//! Meshes in another order of devices, and tilings that no list of axes gives, have no layout;
//! tensors are made whole for them.

use super::{Mesh, Meshes, Sharding, Tiling};
use std::fmt::Write as _;

/// The number of an axis of a [`Grid`].
pub type AxisNumber = usize;

/// How a tensor is divided: the axes of each dimension, from major to minor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    pub dims: Vec<Vec<AxisNumber>>,
}

impl Layout {
    /// That of a tensor that each partition has as a whole.
    pub fn whole(rank: usize) -> Self {
        Self {
            dims: vec![Vec::new(); rank],
        }
    }

    pub fn is_whole(&self) -> bool {
        self.dims.iter().all(Vec::is_empty)
    }

    pub fn uses(&self, axis: AxisNumber) -> bool {
        self.dims.iter().any(|axes| axes.contains(&axis))
    }
}

#[derive(Clone, Debug)]
struct GridAxis {
    /// The axis of the mesh that this is a part of.
    name: String,
    /// Into how many parts the axes before it divide that axis.
    before: usize,
    size: usize,
    /// The whole size of that axis.
    whole: usize,
    /// The coordinate of each partition.
    coordinates: Vec<usize>,
}

/// Partitions with coordinates.
#[derive(Clone, Debug)]
pub struct Grid {
    pub partitions: usize,
    axes: Vec<GridAxis>,
    /// The mesh as a sharding names it.
    mesh: String,
}

impl Grid {
    /// The grid of a program: that of its first mesh that has all partitions; without one, a
    /// single axis.
    pub fn new(meshes: &Meshes) -> Self {
        let partitions = meshes.partitions;
        let size = |mesh: &Mesh| mesh.axes.iter().map(|(_, size)| size).product::<usize>();
        let mut found = (meshes.by_name.iter())
            .filter(|(_, mesh)| !mesh.axes.is_empty() && size(mesh) == partitions);
        let (text, mesh) = match found.next() {
            Some((name, mesh)) => (format!("@{}", symbol(name)), mesh.clone()),
            None => {
                let mesh = Mesh {
                    axes: vec![("partitions".to_owned(), partitions)],
                    device_ids: None,
                };
                (format!("mesh<[\"partitions\"={partitions}]>"), mesh)
            }
        };
        let positions = mesh.positions(partitions);
        let positions = positions.unwrap_or_else(|_| (0..partitions).collect());
        let others = (meshes.by_name.values()).filter(|other| other.device_ids == mesh.device_ids);
        let strides = common_strides(partitions, &mesh, others);
        let mut grid = Self {
            partitions,
            axes: Vec::new(),
            mesh: text,
        };
        let mut outer = partitions;
        for (name, whole) in &mesh.axes {
            let begin = outer;
            outer /= whole;
            let mut stride = begin;
            while stride > outer {
                // The next stride that meshes have, and within it a prime step.
                let next = strides.iter().copied().filter(|one| *one < stride).max();
                let step = stride / next.unwrap_or(1).max(outer);
                let size = smallest_factor(step);
                stride /= size;
                grid.axes.push(GridAxis {
                    name: name.clone(),
                    before: begin / (stride * size),
                    size,
                    whole: *whole,
                    coordinates: positions.iter().map(|at| at / stride % size).collect(),
                });
            }
        }
        grid
    }

    /// Into how many parts axes divide.
    pub fn count(&self, axes: &[AxisNumber]) -> usize {
        axes.iter().map(|axis| self.axes[*axis].size).product()
    }

    pub fn axis_count(&self) -> usize {
        self.axes.len()
    }

    /// For each partition, the number of its part along axes.
    pub fn parts(&self, axes: &[AxisNumber]) -> Vec<usize> {
        let part = |partition: usize| {
            let own = axes.iter().map(|axis| &self.axes[*axis]);
            own.fold(0, |part, axis| {
                part * axis.size + axis.coordinates[partition]
            })
        };
        (0..self.partitions).map(part).collect()
    }

    /// Groups of partitions that differ along these axes alone, in the order of their parts.
    pub fn groups(&self, axes: &[AxisNumber]) -> Vec<Vec<usize>> {
        let others: Vec<usize> = (0..self.axes.len())
            .filter(|axis| !axes.contains(axis))
            .collect();
        let (own, other) = (self.parts(axes), self.parts(&others));
        let mut groups = vec![vec![0; self.count(axes)]; self.count(&others)];
        for partition in 0..self.partitions {
            groups[other[partition]][own[partition]] = partition;
        }
        groups
    }

    /// The tiles of a layout.
    pub fn tiling(&self, layout: &Layout) -> Tiling {
        let mut tiling = Tiling::whole(layout.dims.len(), self.partitions);
        for (dimension, axes) in layout.dims.iter().enumerate() {
            tiling.counts[dimension] = self.count(axes);
            for (own, part) in tiling.tiles.iter_mut().zip(self.parts(axes)) {
                own[dimension] = part;
            }
        }
        tiling
    }

    /// The layout that gives these tiles, if there is one. Terms of sums are left out.
    pub fn layout(&self, tiling: &Tiling) -> Option<Layout> {
        let mut layout = Layout::whole(tiling.counts.len());
        for (dimension, count) in tiling.counts.iter().enumerate() {
            let mut parts: Vec<usize> = tiling.tiles.iter().map(|own| own[dimension]).collect();
            let mut rest = *count;
            // From minor to major.
            while rest > 1 {
                let fits = |axis: &AxisNumber| {
                    let GridAxis {
                        size, coordinates, ..
                    } = &self.axes[*axis];
                    rest.is_multiple_of(*size)
                        && parts
                            .iter()
                            .zip(coordinates)
                            .all(|(part, own)| part % size == *own)
                };
                let axis = (0..self.axes.len())
                    .rev()
                    .filter(|axis| !layout.uses(*axis))
                    .find(fits)?;
                let size = self.axes[axis].size;
                rest /= size;
                parts.iter_mut().for_each(|part| *part /= size);
                layout.dims[dimension].insert(0, axis);
            }
        }
        Some(layout)
    }

    /// The layout of a sharding, if there is one.
    ///
    /// # Errors
    /// A message if the sharding contradicts the meshes.
    pub fn layout_of(
        &self,
        meshes: &Meshes,
        sharding: &Sharding,
    ) -> Result<Option<Layout>, String> {
        Ok(self.layout(&meshes.tiling(sharding, |_| true)?))
    }

    /// A layout as a sharding of Shardy: `@mesh, [{"x"}, {}]`.
    pub fn text(&self, layout: &Layout) -> String {
        let mut text = format!("{}, [", self.mesh);
        for (number, axes) in layout.dims.iter().enumerate() {
            text.push_str(if number == 0 { "{" } else { ", {" });
            let mut merged: Vec<GridAxis> = Vec::new();
            for axis in axes {
                let axis = &self.axes[*axis];
                match merged.last_mut() {
                    Some(last)
                        if last.name == axis.name && last.before * last.size == axis.before =>
                    {
                        last.size *= axis.size;
                    }
                    _ => merged.push(axis.clone()),
                }
            }
            for (number, axis) in merged.iter().enumerate() {
                let comma = if number == 0 { "" } else { ", " };
                let _ = write!(text, "{comma}\"{}\"", axis.name);
                if axis.size != axis.whole {
                    let _ = write!(text, ":({}){}", axis.before, axis.size);
                }
            }
            text.push('}');
        }
        text.push(']');
        text
    }
}

/// A name behind `@`.
fn symbol(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_$.-".contains(c);
    let first = name.chars().next().unwrap_or('0');
    match name.chars().all(is_plain) && (first.is_ascii_alphabetic() || first == '_') {
        true => name.to_owned(),
        false => format!("\"{name}\""),
    }
}

fn smallest_factor(number: usize) -> usize {
    (2..=number)
        .find(|factor| number.is_multiple_of(*factor))
        .unwrap_or(number)
}

/// The strides of the axes of a mesh, and of those others whose strides divide each other with
/// them.
fn common_strides<'a>(
    partitions: usize,
    mesh: &Mesh,
    others: impl Iterator<Item = &'a Mesh>,
) -> Vec<usize> {
    let strides = |mesh: &Mesh| {
        let mut stride = partitions;
        let mut all = Vec::new();
        for (_, size) in &mesh.axes {
            stride /= size.max(&1);
            all.push(stride);
        }
        all
    };
    let mut common = strides(mesh);
    for other in others {
        if other.axes.iter().map(|(_, size)| size).product::<usize>() != partitions {
            continue;
        }
        let mut all = common.clone();
        all.extend(strides(other));
        all.sort_unstable();
        all.dedup();
        let divides = |pair: &[usize]| pair[0] > 0 && pair[1].is_multiple_of(pair[0]);
        if all.windows(2).all(divides) {
            common = all;
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sharding::{parse, tests::meshes};

    #[test]
    fn layouts_are_lists_of_prime_axes() {
        let meshes = meshes(
            8,
            &[("m", "[\"x\"=2, \"y\"=4]"), ("n", "[\"a\"=4, \"b\"=2]")],
        );
        let grid = Grid::new(&meshes);
        assert_eq!(grid.axis_count(), 3);
        for (text, dims) in [
            ("@m, [{\"y\"}, {\"x\"}]", vec![vec![1, 2], vec![0]]),
            ("@m, [{\"y\":(2)2, \"x\"}, {}]", vec![vec![2, 0], vec![]]),
            ("@n, [{\"b\"}, {\"a\"}]", vec![vec![2], vec![0, 1]]),
        ] {
            let sharding = parse::sharding(&format!("#sdy.sharding<{text}>")).unwrap();
            let layout = grid.layout_of(&meshes, &sharding).unwrap().unwrap();
            assert_eq!(layout.dims, dims);
            let tiling = meshes.tiling(&sharding, |_| true).unwrap();
            assert_eq!(grid.tiling(&layout), tiling);
            if text.starts_with("@m") {
                assert_eq!(grid.text(&layout), text);
            }
        }
        assert_eq!(grid.groups(&[0]), [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(grid.groups(&[2, 0])[0], [0, 4, 1, 5]);
    }

    #[test]
    fn other_orders_of_devices_have_no_layout() {
        let meshes = meshes(
            4,
            &[
                ("m", "[\"x\"=2, \"y\"=2], device_ids=[0, 3, 1, 2]"),
                ("n", "[\"x\"=4]"),
            ],
        );
        let grid = Grid::new(&meshes);
        let layout = |text: &str| {
            let sharding = parse::sharding(&format!("#sdy.sharding<{text}>")).unwrap();
            grid.layout_of(&meshes, &sharding).unwrap()
        };
        assert_eq!(layout("@m, [{\"y\", \"x\"}]").unwrap().dims, [[1, 0]]);
        assert_eq!(layout("@n, [{\"x\"}]"), None);
    }
}
