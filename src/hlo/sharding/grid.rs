//! The partitions of a program along axes, and layouts of tensors along these.
//!
//! A [`Tiling`] only has the tile of each partition. Propagation and collectives work on axes, so
//! the partitions get coordinates along the axes of the program's meshes, which are split into axes
//! of prime size: each sharding of a mesh, and each sub-axis, is a list of them.
//!
//! ```text
//! mesh ["x"=2, "y"=4]              axes 0: x   1: y:(1)2   2: y:(2)2
//! #sdy.sharding<@mesh, [{"y"}]>    layout [[1, 2]]
//! ```
//!
//! Meshes with a permuted device order, and tilings that no list of axes gives, have no layout;
//! their tensors are replicated.

use super::{Axis, Mesh, Meshes, Reduction, Sharding, Tiling};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The index of an axis of a [`Grid`].
pub type AxisNumber = usize;

/// The division of a tensor: the axes of each dimension, from major to minor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    pub dims: Vec<Vec<AxisNumber>>,
}

impl Layout {
    /// The layout of a replicated tensor.
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
    /// The axis of the mesh that contains this one.
    name: String,
    /// The number of parts into which earlier axes divide that axis.
    before: usize,
    size: usize,
    /// The size of that axis.
    whole: usize,
    /// The coordinate of each partition.
    coordinates: Vec<usize>,
}

/// Partitions with coordinates.
#[derive(Clone, Debug)]
pub struct Grid {
    pub partitions: usize,
    axes: Vec<GridAxis>,
    /// The name of the mesh in shardings.
    mesh: String,
    /// For each mesh of the program, the grid axes of each of its axes.
    mesh_axes: Vec<Vec<Vec<AxisNumber>>>,
}

impl Grid {
    /// The grid of a program: from its first mesh with all partitions, or a single axis.
    pub fn new(meshes: &Meshes) -> Self {
        let partitions = meshes.partitions;
        let size = |mesh: &Mesh| mesh.axes.iter().map(|(_, size)| size).product::<usize>();
        let mut found = meshes
            .by_name
            .iter()
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
        let others = meshes.by_name.values().filter(|other| other.device_ids == mesh.device_ids);
        let strides = common_strides(partitions, &mesh, others);
        let mut grid = Self {
            partitions,
            axes: Vec::new(),
            mesh: text,
            mesh_axes: Vec::new(),
        };
        let mut outer = partitions;
        for (name, whole) in &mesh.axes {
            let begin = outer;
            outer /= whole;
            let mut stride = begin;
            while stride > outer {
                // The next stride of the meshes, and a prime step within it.
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
        let mesh_axes = meshes.by_name.values().map(|mesh| grid.axes_of(mesh));
        grid.mesh_axes = mesh_axes.filter(|axes| !axes.is_empty()).collect();
        grid
    }

    /// The grid axes of each axis of a mesh. Axes of size 1, and axes along permuted devices, have
    /// none and are omitted.
    fn axes_of(&self, mesh: &Mesh) -> Vec<Vec<AxisNumber>> {
        let Ok(positions) = mesh.positions(self.partitions) else {
            return Vec::new();
        };
        let grid_axes = |(name, _): &(String, usize)| {
            let name = name.clone();
            let steps = mesh.steps(&Axis { name, part: None }).ok()?;
            let tile = |position| vec![position / steps.stride % steps.size];
            let tiling = Tiling {
                counts: vec![steps.size],
                tiles: positions.iter().map(tile).collect(),
                terms: Vec::new(),
                reduction: Reduction::Sum,
            };
            let axes = self.layout(&tiling)?.dims.pop()?;
            Some(axes).filter(|axes| !axes.is_empty())
        };
        mesh.axes.iter().filter_map(grid_axes).collect()
    }

    /// The part of a layout that frameworks can express: whole axes of a mesh. With sizes, these
    /// must divide the tensor evenly.
    ///
    /// Each dimension loses the first axis that is a sub-axis, or that does not divide its size,
    /// and the axes after it. Of several meshes, the one that keeps most axes is used. In programs
    /// without meshes, the axes of a dimension in a given sharding are one axis.
    pub fn in_whole_axes(
        &self,
        layout: &Layout,
        sizes: Option<&[i64]>,
        given: &BTreeSet<Vec<AxisNumber>>,
    ) -> Layout {
        let along = |whole: &[Vec<AxisNumber>]| {
            let size = |number: usize| sizes.map(|sizes| sizes[number]);
            let dims = layout.dims.iter().enumerate();
            let dims = dims.map(|(number, axes)| self.whole_prefix(axes, size(number), whole));
            Layout {
                dims: dims.collect(),
            }
        };
        let candidates = self.mesh_axes.iter().rev().map(|whole| along(whole));
        let best = candidates.max_by_key(|layout| layout.dims.iter().map(Vec::len).sum::<usize>());
        best.unwrap_or_else(|| along(&given.iter().rev().cloned().collect::<Vec<_>>()))
    }

    /// The longest prefix of axes that consists of whole axes and divides a size evenly.
    fn whole_prefix(
        &self,
        axes: &[AxisNumber],
        size: Option<i64>,
        whole: &[Vec<AxisNumber>],
    ) -> Vec<AxisNumber> {
        let mut length = 0;
        let divides =
            |length: usize| size.is_none_or(|size| size % self.count(&axes[..length]) as i64 == 0);
        while let Some(axis) = whole.iter().find(|axis| {
            !axis.is_empty() && axes[length..].starts_with(axis) && divides(length + axis.len())
        }) {
            length += axis.len();
        }
        axes[..length].to_vec()
    }

    /// The number of parts of some axes.
    pub fn count(&self, axes: &[AxisNumber]) -> usize {
        axes.iter().map(|axis| self.axes[*axis].size).product()
    }

    pub fn axis_count(&self) -> usize {
        self.axes.len()
    }

    /// For each partition, its part index along some axes.
    pub fn parts(&self, axes: &[AxisNumber]) -> Vec<usize> {
        let part = |partition: usize| {
            let own = axes.iter().map(|axis| &self.axes[*axis]);
            own.fold(0, |part, axis| {
                part * axis.size + axis.coordinates[partition]
            })
        };
        (0..self.partitions).map(part).collect()
    }

    /// Groups of partitions that differ only along these axes, in the order of their parts.
    pub fn groups(&self, axes: &[AxisNumber]) -> Vec<Vec<usize>> {
        let others: Vec<usize> = (0..self.axes.len()).filter(|axis| !axes.contains(axis)).collect();
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

    /// The layout with these tiles, if there is one. Partial sums are ignored.
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
                        && parts.iter().zip(coordinates).all(|(part, own)| part % size == *own)
                };
                let axis =
                    (0..self.axes.len()).rev().filter(|axis| !layout.uses(*axis)).find(fits)?;
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
    /// Returns a message if the sharding contradicts the meshes.
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

/// A symbol name after `@`.
fn symbol(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_$.-".contains(c);
    let first = name.chars().next().unwrap_or('0');
    if name.chars().all(is_plain) && (first.is_ascii_alphabetic() || first == '_') {
        name.to_owned()
    } else {
        format!("\"{name}\"")
    }
}

fn smallest_factor(number: usize) -> usize {
    (2..=number).find(|factor| number.is_multiple_of(*factor)).unwrap_or(number)
}

/// The strides of the axes of a mesh, and of other axes whose strides are compatible by
/// divisibility.
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
    fn layouts_in_whole_axes_divide_sizes_evenly() {
        let grid = |mesh: &[(&str, &str)]| Grid::new(&meshes(8, mesh));
        let [x, y1, y2] = [0, 1, 2];
        let given = BTreeSet::from([vec![x], vec![x, y1, y2]]);
        let whole = |grid: &Grid, dims: &[&[AxisNumber]], sizes: Option<&[i64]>| {
            let dims = dims.iter().map(|axes| axes.to_vec()).collect();
            grid.in_whole_axes(&Layout { dims }, sizes, &given).dims
        };
        let all = [x, y1, y2];
        let two_axes = grid(&[("m", "[\"x\"=2, \"y\"=4]")]);
        // Without a mesh, the axes come from the given shardings.
        let no_mesh = grid(&[]);
        for (size, kept) in [
            (8, 3),
            (16, 3),
            (0, 3),
            (4, 1),
            (6, 1),
            (10, 1),
            (3, 0),
            (1, 0),
        ] {
            for grid in [&two_axes, &no_mesh] {
                let found = whole(grid, &[&all], Some(&[size]));
                assert_eq!(found, [all[..kept].to_vec()], "{size}");
            }
        }
        assert_eq!(whole(&two_axes, &[&all], None), [all]);
        assert_eq!(whole(&no_mesh, &[&[x, y1]], None), [[x]]);
        let parts: [&[AxisNumber]; 2] = [&[x, y2], &[y1]];
        assert_eq!(whole(&two_axes, &parts, None), [vec![x], vec![]]);
        // The mesh that keeps most axes.
        let one = "[\"x\"=2, \"y\"=4, \"one\"=1]";
        let two_meshes = grid(&[("m", "[\"d\"=8]"), ("n", one)]);
        let found = whole(&two_meshes, &[&[x], &[y1, y2]], Some(&[6, 4]));
        assert_eq!(found, [vec![x], vec![y1, y2]]);
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
