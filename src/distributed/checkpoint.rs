//! Checkpoints: arrays in a directory, written in shards, for any number of ranks to read.
//!
//! ```text
//! DIR/manifest.json                 what there is: arrays, their shards and the files of those
//! DIR/<token>/0.1.npy               array 0, the shard of partition 1
//! ```
//!
//! Shards are written into a new folder, and one rank replaces the manifest last, so that a
//! directory always has either the old checkpoint or the new one. Folders that the manifest does
//! not name are then removed.

use std::path::{Path, PathBuf};

use halo_core::{ElementType, Literal, Shape, file, npy};
use halo_runtime::{Error, Result, Shard, Sharding};
use serde::{Deserialize, Serialize};

use crate::arrays::{MappedArray, copy_block, in_file};

const MANIFEST: &str = "manifest.json";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Manifest {
    version: u32,
    folder: String,
    arrays: Vec<Array>,
}

/// One array.
#[derive(Serialize, Deserialize)]
struct Array {
    /// The type in MLIR's syntax: `tensor<4x6xf32>`.
    #[serde(rename = "type")]
    ty: String,
    shards: Vec<SavedShard>,
}

#[derive(Serialize, Deserialize)]
struct SavedShard {
    file: String,
    start: Vec<usize>,
    sizes: Vec<usize>,
}

/// An array to be saved: the shard of a partition, and the sharding.
pub struct Saved<'a> {
    pub part: &'a Literal,
    pub sharding: Option<&'a Sharding>,
}

impl Saved<'_> {
    fn shard(&self, partition: usize) -> Shard {
        match self.sharding {
            Some(sharding) => sharding.shard(partition),
            None => Shard::all(self.part.dims()),
        }
    }

    /// Returns true if a partition writes its shard: the first partition with a copy of it does.
    pub fn is_written_by(&self, partition: usize) -> bool {
        self.owner(partition) == partition
    }

    fn owner(&self, partition: usize) -> usize {
        self.sharding.map_or(0, |sharding| sharding.first_owner(partition))
    }
}

fn shard_file(array: usize, partition: usize) -> String {
    format!("{array}.{partition}.npy")
}

/// Writes the shards of a partition into the folder of this run, whose `token` is the same for all
/// ranks.
///
/// # Errors
/// Returns an invalid-input error that names the file.
pub fn write_shards(
    directory: &Path,
    token: &str,
    arrays: &[Saved<'_>],
    partition: usize,
) -> Result<()> {
    let folder = directory.join(token);
    std::fs::create_dir_all(&folder).map_err(|error| in_file(&folder, error))?;
    for (number, array) in arrays.iter().enumerate() {
        if array.is_written_by(partition) {
            npy::write(&folder.join(shard_file(number, partition)), array.part)?;
        }
    }
    Ok(())
}

/// Commits the shards of all ranks as the contents of the directory, and removes the old ones.
///
/// # Errors
/// Returns an invalid-input error that names the file.
pub fn commit(
    directory: &Path,
    token: &str,
    arrays: &[Saved<'_>],
    partitions: usize,
) -> Result<()> {
    let arrays = arrays.iter().enumerate().map(|(number, array)| {
        let owners = (0..partitions).filter(|partition| array.is_written_by(*partition));
        let shards = owners.map(|partition| {
            let shard = array.shard(partition);
            SavedShard {
                file: shard_file(number, partition),
                start: shard.start,
                sizes: shard.sizes,
            }
        });
        let whole = array.shard(0).whole;
        let shape = Shape::new(array.part.element_type(), whole)?;
        Ok(Array {
            ty: shape.to_string(),
            shards: shards.collect(),
        })
    });
    let manifest = Manifest {
        version: VERSION,
        folder: token.to_owned(),
        arrays: arrays.collect::<Result<_>>()?,
    };
    let text = serde_json::to_string_pretty(&manifest);
    let text = text.map_err(|error| Error::internal(error.to_string()))?;
    file::write_whole(&directory.join(MANIFEST), |file| {
        file.write_all(text.as_bytes())
    })?;
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name() != *token) {
        let path = entry.path();
        if path.is_dir() && is_folder_of_shards(&path) {
            // A folder that cannot be removed takes space only.
            let _ = std::fs::remove_dir_all(&path);
        }
    }
    Ok(())
}

/// Returns true if a folder was created by [`write_shards`]: it contains only shards.
fn is_folder_of_shards(path: &Path) -> bool {
    let is_shard = |name: &str| {
        let numbers = name.strip_suffix(".npy").and_then(|name| name.split_once('.'));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        numbers.is_some_and(|(array, shard)| is_number(array) && is_number(shard))
    };
    let names = std::fs::read_dir(path).into_iter().flatten().flatten();
    let names = names.map(|entry| entry.file_name());
    names.into_iter().all(|name| name.to_str().is_some_and(is_shard))
}

/// A checkpoint that was read from a directory.
pub struct Checkpoint {
    directory: PathBuf,
    manifest: Manifest,
}

impl Checkpoint {
    /// # Errors
    /// Returns an invalid-input error that names the manifest.
    pub fn open(directory: &Path) -> Result<Self> {
        let path = directory.join(MANIFEST);
        let text = std::fs::read(&path).map_err(|error| in_file(&path, error))?;
        let manifest = serde_json::from_slice::<Manifest>(&text);
        let manifest = manifest.map_err(|error| in_file(&path, error))?;
        if manifest.version != VERSION {
            let version = manifest.version;
            return Err(in_file(&path, format!("version {version} is not known")));
        }
        Ok(Self {
            directory: directory.join(&manifest.folder),
            manifest,
        })
    }

    /// The number of arrays.
    pub fn len(&self) -> usize {
        self.manifest.arrays.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shape of a whole array.
    ///
    /// # Errors
    /// Returns an invalid-input error if the manifest has no such array.
    pub fn shape(&self, number: usize) -> Result<Shape> {
        Ok(self.array(number)?.ty.parse::<Shape>()?)
    }

    fn array(&self, number: usize) -> Result<&Array> {
        let array = self.manifest.arrays.get(number);
        array.ok_or_else(|| in_file(&self.directory, format!("there is no array {number}")))
    }

    /// The shard of a rank, independent of the saved sharding.
    ///
    /// # Errors
    /// Returns an invalid-input error that names the file that is invalid.
    pub fn read(&self, number: usize, shard: &Shard) -> Result<Literal> {
        let (array, shape) = (self.array(number)?, self.shape(number)?);
        if shape.dims() != shard.whole {
            let expected = Shape::new(shape.element_type(), shard.whole.clone())?;
            let message = format!("array {number} is {shape}, not {expected}");
            return Err(in_file(&self.directory, message));
        }
        let element_type: ElementType = shape.element_type();
        let mut part = Literal::try_zeros(Shape::new(element_type, shard.sizes.clone())?)?;
        let mut elements = 0;
        for saved in &array.shards {
            let path = self.directory.join(&saved.file);
            let Some((start, sizes)) = overlap(shard, saved) else {
                continue;
            };
            let file = MappedArray::open(&path, element_type)?;
            let expected = Shape::new(element_type, saved.sizes.clone())?;
            if *file.shape() != expected {
                return Err(in_file(&path, format!("{} is no {expected}", file.shape())));
            }
            let within = |origin: &[usize]| -> Vec<usize> {
                start.iter().zip(origin).map(|(start, origin)| start - origin).collect()
            };
            let block = file.part(&within(&saved.start), &sizes)?;
            copy_block(
                &block,
                &vec![0; sizes.len()],
                &mut part,
                &within(&shard.start),
                &sizes,
            );
            elements += block.element_count();
        }
        if elements == part.element_count() {
            Ok(part)
        } else {
            Err(in_file(
                &self.directory,
                format!("array {number} is not complete"),
            ))
        }
    }
}

/// The intersection of a shard and a saved shard.
fn overlap(shard: &Shard, saved: &SavedShard) -> Option<(Vec<usize>, Vec<usize>)> {
    let (mut start, mut sizes) = (Vec::new(), Vec::new());
    if saved.start.len() != shard.start.len() || saved.sizes.len() != shard.start.len() {
        return None;
    }
    for dimension in 0..shard.start.len() {
        let first = shard.start[dimension].max(saved.start[dimension]);
        let ends = [
            shard.start[dimension] + shard.sizes[dimension],
            saved.start[dimension].saturating_add(saved.sizes[dimension]),
        ];
        let end = ends[0].min(ends[1]);
        if first >= end {
            return None;
        }
        start.push(first);
        sizes.push(end - first);
    }
    Some((start, sizes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::cut;

    fn columns(count: usize) -> Sharding {
        Sharding {
            whole: vec![4, 12],
            counts: vec![1, count],
            tiles: (0..count).map(|number| vec![0, number]).collect(),
        }
    }

    fn matrix(first: i32) -> Literal {
        let elements: Vec<i32> = (first..first + 48).collect();
        Literal::from_slice(&[4, 12], &elements).unwrap()
    }

    fn save(directory: &Path, token: &str, whole: &Literal, ranks: usize) {
        let sharding = columns(ranks);
        let parts: Vec<Literal> =
            (0..ranks).map(|rank| cut(whole, &sharding.shard(rank)).unwrap()).collect();
        let saved = |rank: usize| {
            [Saved {
                part: &parts[rank],
                sharding: Some(&sharding),
            }]
        };
        for rank in 0..ranks {
            write_shards(directory, token, &saved(rank), rank).unwrap();
        }
        commit(directory, token, &saved(0), ranks).unwrap();
    }

    #[test]
    fn any_number_of_ranks_reads_what_another_one_has_kept() {
        let folder = tempfile::tempdir().unwrap();
        // 5, 7 and 8 do not divide 12.
        for (token, kept) in [("a", 4), ("b", 5), ("c", 8)] {
            save(folder.path(), token, &matrix(0), kept);
            for ranks in [1, 2, 3, 6, 7] {
                let checkpoint = Checkpoint::open(folder.path()).unwrap();
                for rank in 0..ranks {
                    let shard = columns(ranks).shard(rank);
                    let expected = cut(&matrix(0), &shard).unwrap();
                    assert_eq!(checkpoint.read(0, &shard).unwrap(), expected);
                }
            }
        }
    }

    /// The old contents stay until the manifest is replaced, and are then removed.
    #[test]
    fn contents_are_replaced_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let whole = Shard::all(&[4, 12]);
        save(folder.path(), "a", &matrix(0), 4);
        let part = matrix(7);
        let saved = [Saved {
            part: &part,
            sharding: None,
        }];
        write_shards(folder.path(), "b", &saved, 0).unwrap();
        let read = || Checkpoint::open(folder.path()).unwrap().read(0, &whole).unwrap();
        assert_eq!(read(), matrix(0));
        commit(folder.path(), "b", &saved, 1).unwrap();
        assert_eq!(read(), part);
        assert!(!folder.path().join("a").exists());
        std::fs::remove_file(folder.path().join("b/0.0.npy")).unwrap();
        assert!(Checkpoint::open(folder.path()).unwrap().read(0, &whole).is_err());
    }
}
