//! Shardings: the part of a tensor in each partition of a program.
//!
//! Programs have the attributes of [Shardy](https://openxla.org/shardy/sharding_representation): a
//! mesh assigns the partitions coordinates along named axes, and a sharding divides the dimensions
//! of a tensor along axes. Passes and runtimes use a [`Tiling`]: the number of tiles of each
//! dimension, and the tile of each partition.
//!
//! ```text
//! sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}      partitions 0 to 3 are (0,0) (0,1) (1,0) (1,1)
//! #sdy.sharding<@mesh, [{}, {"x"}]>                    tiles 1x2; partitions have 0,0  0,0  0,1  0,1
//! ```

pub mod analysis;
pub mod grid;
pub mod manual;
pub mod op_sharding;
mod parse;
pub mod propagation;
pub mod rules;
mod verify;

use halo_ir::prelude::*;
use std::collections::BTreeMap;

/// The module attribute with its meshes by name.
pub const MESHES: &str = "sdy.meshes";

/// The sharding attribute of an argument or a result.
pub const SHARDING: &str = "sdy.sharding";

/// A grid of devices with named dimensions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mesh {
    /// Names and sizes. A mesh without axes has one device.
    pub axes: Vec<(String, usize)>,
    /// The devices in row-major order; 0, 1, 2, ... by default.
    pub device_ids: Option<Vec<usize>>,
}

impl Mesh {
    /// Parses `#sdy.mesh<...>`.
    ///
    /// # Errors
    /// Returns a message for any other attribute.
    pub fn of(attribute: Attribute) -> Result<Self, String> {
        parse::mesh(&attribute.to_string())
    }
}

/// An axis of a mesh, or a sub-axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    pub name: String,
    /// `:(2)4`: the sub-axis of size 4 after a pre-size of 2.
    pub part: Option<(usize, usize)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeshReference {
    Name(String),
    Inline(Mesh),
}

/// The division of a tensor along the axes of a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sharding {
    pub mesh: MeshReference,
    /// The axes of each dimension, from major to minor.
    pub dimensions: Vec<Vec<Axis>>,
    /// For each dimension, whether it is open: `{"x", ?}`.
    pub open: Vec<bool>,
    /// For each dimension, its propagation priority: `{"x"}p1` propagates after priority 0.
    pub priorities: Vec<usize>,
    /// The axes along which the tensor must stay replicated.
    pub replicated: Vec<Axis>,
    /// The axes along which partitions have partial sums, or other partial results.
    pub unreduced: Vec<Axis>,
    /// How the partial results are combined.
    pub reduction: Reduction,
}

/// The combination of partial results: `unreduced={"x"}` or `unreduced=max{"x"}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    #[default]
    Sum,
    Max,
    Min,
}

impl Sharding {
    /// Returns true if some dimension is open.
    pub fn is_open(&self) -> bool {
        self.open.contains(&true)
    }

    /// Parses `#sdy.sharding<...>`.
    ///
    /// # Errors
    /// Returns a message for any other attribute.
    pub fn of(attribute: Attribute) -> Result<Self, String> {
        parse::sharding(&attribute.to_string())
    }

    /// Parses `#sdy.sharding_per_value<[...]>`.
    ///
    /// # Errors
    /// Returns a message for any other attribute.
    pub fn per_value(attribute: Attribute) -> Result<Vec<Self>, String> {
        parse::sharding_per_value(&attribute.to_string())
    }
}

/// The names of the axes in `#sdy<manual_axes{...}>`.
///
/// # Errors
/// Returns a message for any other attribute.
pub fn manual_axes(attribute: Attribute) -> Result<Vec<String>, String> {
    parse::manual_axes(&attribute.to_string())
}

/// The meshes of a program, and the number of its partitions.
#[derive(Clone, Debug)]
pub struct Meshes {
    by_name: BTreeMap<String, Mesh>,
    pub partitions: usize,
}

impl Meshes {
    /// The meshes of a module for a number of partitions.
    ///
    /// # Errors
    /// Returns a message if an attribute of the module is not a mesh.
    pub fn of_module(module: Operation, partitions: usize) -> Result<Self, String> {
        let meshes = module.attribute(MESHES).map(Attribute::dictionary_entries);
        let meshes = meshes.unwrap_or_default().into_iter();
        let by_name = meshes
            .map(|(name, mesh)| Ok((name.to_owned(), parse::mesh(&mesh.to_string())?)))
            .collect::<Result<_, String>>()?;
        Ok(Self {
            by_name,
            partitions,
        })
    }

    fn mesh_of<'a>(&'a self, sharding: &'a Sharding) -> Result<&'a Mesh, String> {
        match &sharding.mesh {
            MeshReference::Inline(mesh) => Ok(mesh),
            MeshReference::Name(name) => {
                let mesh = self.by_name.get(name);
                mesh.ok_or_else(|| format!("there is no mesh '{name}'"))
            }
        }
    }

    /// The only partition with the values of a maximal sharding.
    ///
    /// # Errors
    /// Returns a message if the mesh, or the partition, does not exist.
    pub fn only_partition(&self, sharding: &Sharding) -> Result<Option<usize>, String> {
        let mesh = self.mesh_of(sharding)?;
        match (mesh.axes.is_empty(), mesh.device_ids.as_deref()) {
            (true, Some([device])) if *device < self.partitions => Ok(Some(*device)),
            (true, Some([device])) => Err(format!("there is no partition {device}")),
            _ => Ok(None),
        }
    }

    /// Tiles a tensor by a sharding, along the axes that are `divided`. A sharding along axes of
    /// size 1 only is replicated on all partitions, also if the mesh has fewer devices: a program
    /// may call a function that was exported for one device.
    ///
    /// # Errors
    /// Returns a message if the mesh does not exist or lacks an axis, or if the sharding divides a
    /// tensor along a mesh with another number of devices.
    pub fn tiling(
        &self,
        sharding: &Sharding,
        divided: impl Fn(&str) -> bool,
    ) -> Result<Tiling, String> {
        let mesh = self.mesh_of(sharding)?;
        let axes = sharding.dimensions.iter().flatten().chain(&sharding.unreduced);
        let axes = axes.filter(|axis| divided(&axis.name) && !mesh.axes.is_empty());
        let sizes = axes.map(|axis| Ok(mesh.steps(axis)?.size));
        if sizes.collect::<Result<Vec<usize>, String>>()?.iter().all(|size| *size == 1) {
            let rank = sharding.dimensions.len();
            return Ok(Tiling::whole(rank, self.partitions));
        }
        let positions = mesh.positions(self.partitions)?;
        // The number of parts of some axes, and the part index of each partition.
        let parts = |axes: &[Axis]| -> Result<(usize, Vec<usize>), String> {
            let mut count = 1;
            let mut parts = vec![0; self.partitions];
            for axis in axes.iter().filter(|axis| divided(&axis.name)) {
                let steps = mesh.steps(axis)?;
                count *= steps.size;
                for (part, position) in parts.iter_mut().zip(&positions) {
                    *part = *part * steps.size + position / steps.stride % steps.size;
                }
            }
            Ok((count, parts))
        };
        let (term_count, terms) = parts(&sharding.unreduced)?;
        let mut tiling = Tiling {
            counts: Vec::new(),
            tiles: vec![Vec::new(); self.partitions],
            terms: Some(terms).filter(|_| term_count > 1).unwrap_or_default(),
            reduction: if term_count > 1 {
                sharding.reduction
            } else {
                Reduction::Sum
            },
        };
        for axes in &sharding.dimensions {
            let (count, tiles) = parts(axes)?;
            tiling.counts.push(count);
            for (own, tile) in tiling.tiles.iter_mut().zip(tiles) {
                own.push(tile);
            }
        }
        Ok(tiling)
    }
}

/// Computes the coordinate along an axis from the position in a mesh.
pub(crate) struct Steps {
    stride: usize,
    pub(crate) size: usize,
}

impl Mesh {
    /// The position of each partition, in row-major order.
    fn positions(&self, partitions: usize) -> Result<Vec<usize>, String> {
        let size = |count: usize, (_, size): &(String, usize)| count.checked_mul(*size);
        let count = self.axes.iter().try_fold(1, size);
        let other = || {
            let sizes = self.axes.iter().map(|(name, size)| format!("{name}={size}"));
            let sizes: Vec<String> = sizes.collect();
            format!(
                "expected a mesh of {partitions} partitions, found [{}]",
                sizes.join(", ")
            )
        };
        if count != Some(partitions) {
            return Err(other());
        }
        let Some(device_ids) = &self.device_ids else {
            return Ok((0..partitions).collect());
        };
        let position = |device| device_ids.iter().position(|id| *id == device);
        let positions = (0..partitions).map(position).collect::<Option<_>>();
        positions.ok_or_else(other)
    }

    /// The groups of devices whose positions differ along some axes only, each in the order of
    /// the axes, from major to minor.
    ///
    /// # Errors
    /// Returns a message if the mesh does not have an axis.
    pub fn groups(&self, axes: &[Axis]) -> Result<Vec<Vec<usize>>, String> {
        let count = self.axes.iter().map(|(_, size)| size).product();
        let steps = axes.iter().map(|axis| self.steps(axis));
        let steps = steps.collect::<Result<Vec<_>, _>>()?;
        let mut groups = BTreeMap::<usize, Vec<(usize, usize)>>::new();
        for (device, position) in self.positions(count)?.into_iter().enumerate() {
            let (mut others, mut place) = (position, 0);
            for Steps { stride, size } in &steps {
                let coordinate = position / stride % size;
                others -= coordinate * stride;
                place = place * size + coordinate;
            }
            groups.entry(others).or_default().push((place, device));
        }
        let ordered = groups.into_values().map(|mut group| {
            group.sort_unstable();
            group.into_iter().map(|(_, device)| device).collect()
        });
        Ok(ordered.collect())
    }

    pub(crate) fn steps(&self, axis: &Axis) -> Result<Steps, String> {
        let missing = || format!("the mesh has no axis '{}' of this size", axis.name);
        let number = self.axes.iter().position(|(name, _)| *name == axis.name);
        let number = number.ok_or_else(missing)?;
        let stride: usize = self.axes[number + 1..].iter().map(|(_, size)| size).product();
        let whole = self.axes[number].1;
        let Some((before, size)) = axis.part else {
            return Ok(Steps {
                stride,
                size: whole,
            });
        };
        let divisor = before.checked_mul(size).filter(|divisor| *divisor > 0);
        let divisor = divisor.filter(|divisor| whole.is_multiple_of(*divisor));
        let divisor = divisor.ok_or_else(missing)?;
        Ok(Steps {
            stride: stride * (whole / divisor),
            size,
        })
    }
}

/// The tile of a tensor in each partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiling {
    /// The number of tiles of each dimension.
    pub counts: Vec<usize>,
    /// For each partition, the index of its tile along each dimension.
    pub tiles: Vec<Vec<usize>>,
    /// For each partition, the index of its partial sum; empty if tiles are not partial sums.
    pub terms: Vec<usize>,
    /// How partial sums are combined, if they are partial results of another reduction.
    pub reduction: Reduction,
}

impl Tiling {
    /// The tiling of a replicated tensor.
    pub fn whole(rank: usize, partitions: usize) -> Self {
        Self {
            counts: vec![1; rank],
            tiles: vec![vec![0; rank]; partitions],
            terms: Vec::new(),
            reduction: Reduction::Sum,
        }
    }

    pub fn is_whole(&self) -> bool {
        self.tile_count() == 1 && self.terms.is_empty()
    }

    /// The number of tiles.
    pub fn tile_count(&self) -> usize {
        self.counts.iter().product()
    }

    /// The same tiling without partial sums.
    pub fn without_terms(&self) -> Self {
        Self {
            terms: Vec::new(),
            reduction: Reduction::Sum,
            ..self.clone()
        }
    }

    /// Groups of partitions with all partial sums of a tile, in the order of the partial sums.
    pub fn sums(&self) -> Vec<Vec<usize>> {
        let terms = self.terms.iter().max().map_or(1, |last| last + 1);
        let mut groups = Vec::new();
        for owners in self.owners() {
            let of_term = |term: usize| {
                let own = move |one: &&usize| self.terms.get(**one).copied().unwrap_or(0) == term;
                owners.iter().filter(own).copied().collect::<Vec<usize>>()
            };
            let by_term: Vec<Vec<usize>> = (0..terms).map(of_term).collect();
            groups.extend((0..owners.len() / terms).map(|copy| {
                let members = by_term.iter().filter_map(|own| own.get(copy).copied());
                members.collect::<Vec<usize>>()
            }));
        }
        groups
    }

    /// The partitions with each tile, tiles in row-major order. Each tile has equally many.
    pub fn owners(&self) -> Vec<Vec<usize>> {
        let mut owners = vec![Vec::new(); self.tile_count()];
        for (partition, tiles) in self.tiles.iter().enumerate() {
            let sizes = tiles.iter().zip(&self.counts);
            let number = sizes.fold(0, |number, (tile, count)| number * count + tile);
            owners[number].push(partition);
        }
        owners
    }

    /// The sizes of a tile of a tensor. If a dimension is not divisible, they are rounded up: the
    /// last tiles are padded at the end, and may be padding only.
    ///
    /// # Errors
    /// Returns a message if the tensor has another rank.
    pub fn tile_sizes(&self, sizes: &[i64]) -> Result<Vec<i64>, String> {
        if sizes.len() != self.counts.len() {
            return Err(format!(
                "a sharding of {} dimensions is given to a tensor of {}",
                self.counts.len(),
                sizes.len()
            ));
        }
        let pairs = sizes.iter().zip(&self.counts);
        Ok(pairs.map(|(size, count)| (size + *count as i64 - 1) / *count as i64).collect())
    }

    /// The sizes of a tile of a tensor whose tiles all have the same size.
    ///
    /// # Errors
    /// Returns a message if the tensor has another rank, or a dimension that is not divisible.
    pub fn even_tile_sizes(&self, sizes: &[i64]) -> Result<Vec<i64>, String> {
        let tile = self.tile_sizes(sizes)?;
        let pairs = sizes.iter().zip(&self.counts);
        let uneven = pairs.enumerate().find(|(_, (size, count))| *size % **count as i64 != 0);
        match uneven {
            None => Ok(tile),
            Some((dimension, (size, count))) => Err(format!(
                "dimension {dimension} of size {size} does not divide among {count} partitions"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn meshes(partitions: usize, meshes: &[(&str, &str)]) -> Meshes {
        let meshes = meshes.iter().map(|(name, text)| {
            let mesh = parse::mesh(&format!("#sdy.mesh<{text}>")).unwrap();
            ((*name).to_owned(), mesh)
        });
        Meshes {
            by_name: meshes.collect(),
            partitions,
        }
    }

    fn tiling(meshes: &Meshes, text: &str) -> Result<Tiling, String> {
        let sharding = parse::sharding(&format!("#sdy.sharding<{text}>"))?;
        meshes.tiling(&sharding, |_| true)
    }

    /// As in JAX's `NamedSharding.devices_indices_map`.
    #[test]
    fn coordinates_are_those_of_the_mesh() {
        let meshes = meshes(
            4,
            &[
                ("m", "[\"x\"=2, \"y\"=2]"),
                ("r", "[\"x\"=4], device_ids=[3, 2, 1, 0]"),
                ("one", "[], device_ids=[2]"),
            ],
        );
        let tiles = |text: &str| {
            let tiling = tiling(&meshes, text).unwrap();
            (tiling.counts, tiling.tiles)
        };
        assert_eq!(
            tiles("@m, [{\"x\"}, {\"y\"}]"),
            (
                vec![2, 2],
                vec![vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]]
            )
        );
        assert_eq!(
            tiles("@m, [{\"y\", \"x\", ?}p1], replicated={\"x\"}"),
            (vec![4], vec![vec![0], vec![2], vec![1], vec![3]])
        );
        assert_eq!(
            tiles("@r, [{?}, {\"x\"}]"),
            (
                vec![1, 4],
                vec![vec![0, 3], vec![0, 2], vec![0, 1], vec![0, 0]]
            )
        );
        assert_eq!(
            tiles("@r, [{\"x\":(1)2}, {\"x\":(2)2}]"),
            (
                vec![2, 2],
                vec![vec![1, 1], vec![1, 0], vec![0, 1], vec![0, 0]]
            )
        );
        assert_eq!(
            tiles("mesh<[\"a\"=4]>, [{\"a\"}]"),
            (vec![4], vec![vec![0], vec![1], vec![2], vec![3]])
        );
        assert_eq!(tiles("@one, [{}]"), (vec![1], vec![vec![0]; 4]));
    }

    #[test]
    fn meshes_of_fewer_devices_only_replicate() {
        let one = "mesh<[\"a\"=1, \"b\"=1]>";
        let few = "mesh<[\"a\"=1, \"b\"=2]>";
        let meshes = meshes(4, &[]);
        let whole = Tiling::whole(2, 4);
        for sharding in [
            format!("{one}, [{{\"b\", \"a\"}}, {{}}]"),
            format!("{few}, [{{\"a\"}}, {{?}}]"),
            format!("{few}, [{{}}, {{}}], replicated={{\"b\"}}"),
        ] {
            assert_eq!(tiling(&meshes, &sharding).unwrap(), whole);
        }
        let message = tiling(&meshes, &format!("{few}, [{{\"b\"}}, {{}}]")).unwrap_err();
        let expected = "expected a mesh of 4 partitions, found [a=1, b=2]";
        assert_eq!(message, expected);
        assert!(tiling(&meshes, &format!("{one}, [{{\"c\"}}, {{}}]")).is_err());
    }

    #[test]
    fn owners_are_in_the_order_of_tiles() {
        let meshes = meshes(4, &[("m", "[\"x\"=2, \"y\"=2]")]);
        let tiling = tiling(&meshes, "@m, [{}, {\"y\"}]").unwrap();
        assert_eq!(tiling.owners(), [[0, 2], [1, 3]]);
        assert_eq!(tiling.tile_sizes(&[3, 4]).unwrap(), [3, 2]);
        assert!(!tiling.is_whole());
        assert_eq!(tiling.tile_sizes(&[3, 5]).unwrap(), [3, 3]);
        let message = tiling.even_tile_sizes(&[3, 5]).unwrap_err();
        assert!(message.contains("dimension 1 of size 5"), "{message}");
    }

    #[test]
    fn groups_are_along_axes() {
        let mesh = Mesh {
            axes: vec![("x".to_owned(), 2), ("y".to_owned(), 4)],
            device_ids: None,
        };
        let groups = |axes: &[(&str, Option<(usize, usize)>)]| {
            let axis = |(name, part): &(&str, _)| Axis {
                name: (*name).to_owned(),
                part: *part,
            };
            mesh.groups(&axes.iter().map(axis).collect::<Vec<Axis>>())
        };
        assert_eq!(
            groups(&[("y", None)]).unwrap(),
            [[0, 1, 2, 3], [4, 5, 6, 7]]
        );
        let minor_first = groups(&[("y", None), ("x", None)]).unwrap();
        assert_eq!(minor_first, [[0, 4, 1, 5, 2, 6, 3, 7]]);
        let part = groups(&[("y", Some((1, 2)))]).unwrap();
        assert_eq!(part, [[0, 2], [1, 3], [4, 6], [5, 7]]);
        assert_eq!(groups(&[]).unwrap().len(), 8);
        assert!(groups(&[("z", None)]).is_err());
        let reversed = Mesh {
            device_ids: Some(vec![3, 2, 1, 0]),
            axes: vec![("x".to_owned(), 2), ("y".to_owned(), 2)],
        };
        let axis = Axis {
            name: "y".to_owned(),
            part: None,
        };
        assert_eq!(reversed.groups(&[axis]).unwrap(), [[3, 2], [1, 0]]);
    }

    #[test]
    fn partial_results_may_be_maxima() {
        let meshes = meshes(2, &[("m", "[\"x\"=2]")]);
        let reduction = |axes: &str| {
            let sharding = format!("@m, [{{}}], unreduced={axes}");
            tiling(&meshes, &sharding).unwrap().reduction
        };
        assert_eq!(reduction("max{\"x\"}"), Reduction::Max);
        assert_eq!(reduction("min{\"x\"}"), Reduction::Min);
        assert_eq!(reduction("sum{\"x\"}"), Reduction::Sum);
        assert_eq!(reduction("max{}"), Reduction::Sum);
    }

    #[test]
    fn terms_are_summed_along_the_axes_that_are_not_reduced() {
        let meshes = meshes(8, &[("m", "[\"x\"=2, \"y\"=2, \"z\"=2]")]);
        let tiling = tiling(&meshes, "@m, [{\"x\"}], unreduced={\"z\"}").unwrap();
        assert_eq!(tiling.terms, [0, 1, 0, 1, 0, 1, 0, 1]);
        assert_eq!(tiling.sums(), [[0, 1], [2, 3], [4, 5], [6, 7]]);
        assert!(
            !Tiling {
                counts: vec![1],
                ..tiling.clone()
            }
            .is_whole()
        );
        assert_eq!(tiling.without_terms().sums().len(), 8);
    }

    #[test]
    fn contradictions_are_messages() {
        let meshes = meshes(4, &[("m", "[\"x\"=2, \"y\"=2]"), ("s", "[\"x\"=2]")]);
        for (text, expected) in [
            ("@n, [{}]", "no mesh 'n'"),
            ("@m, [{\"z\"}]", "no axis 'z'"),
            ("@m, [{\"x\":(3)2}]", "no axis 'x'"),
            ("@m, [{\"x\":(0)2}]", "no axis 'x'"),
            ("@s, [{\"x\"}]", "expected a mesh of 4 partitions"),
            ("@m, [{\"x\"]", "not an attribute of Shardy"),
        ] {
            let message = tiling(&meshes, text).unwrap_err();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
