//! Arrays that ranks read and write in shards, so that each has only its shard in memory.
//!
//! Uses `unsafe` to map files: changing a file while it is mapped changes the elements, and
//! truncating it ends the process.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use halo_core::{ElementType, Literal, Shape, npy};
use halo_runtime::{Error, Result, Shard};
use memmap2::Mmap;

/// An error of a file.
pub(crate) fn in_file(path: &Path, message: impl std::fmt::Display) -> Error {
    Error::invalid_file(path.display().to_string(), message.to_string())
}

/// The array of an `.npy` file, whose elements are read on access.
pub struct MappedArray {
    array: npy::Array,
    file: Mmap,
}

impl MappedArray {
    /// Opens a file; `expected` is as for [`npy::read`].
    ///
    /// # Errors
    /// Returns an invalid-input error that names the file.
    pub fn open(path: &Path, expected: ElementType) -> Result<Self> {
        let array = npy::Array::open(path, Some(expected))?;
        let file = File::open(path).map_err(|error| in_file(path, error))?;
        // SAFETY: see the documentation of the module.
        let file = unsafe { Mmap::map(&file) }.map_err(|error| in_file(path, error))?;
        Ok(Self { array, file })
    }

    pub fn shape(&self) -> &Shape {
        self.array.shape()
    }

    /// A copy of a slice.
    ///
    /// # Errors
    /// Returns an invalid-input error if the part is not in the array.
    pub fn part(&self, start: &[usize], sizes: &[usize]) -> Result<Literal> {
        Ok(self.array.part(&self.file, start, sizes)?)
    }
}

/// Reads the shard of a rank. A file with the sizes of the shard contains the shard only.
///
/// # Errors
/// Returns an invalid-input error that names the file.
pub fn read_shard(path: &Path, expected: ElementType, shard: &Shard) -> Result<Literal> {
    let array = MappedArray::open(path, expected)?;
    let dims = array.shape().dims();
    if dims == shard.whole {
        array.part(&shard.start, &shard.sizes)
    } else if dims == shard.sizes {
        array.part(&vec![0; dims.len()], dims)
    } else {
        let whole = Shape::new(expected, shard.whole.clone())?;
        Err(in_file(path, format!("{} is no {whole}", array.shape())))
    }
}

/// The shard of a rank, cut from the whole array.
///
/// # Errors
/// Returns an invalid-input error if the array has other sizes; an execution error if memory is
/// exhausted.
pub fn cut(whole: &Literal, shard: &Shard) -> Result<Literal> {
    if whole.dims() != shard.whole {
        let expected = Shape::new(whole.element_type(), shard.whole.clone())?;
        return Err(Error::invalid(format!(
            "{} is no {expected}",
            whole.shape()
        )));
    }
    block(whole, &shard.start, &shard.sizes, &shard.sizes)
}

/// The shard of a rank as a program gets it: padded at the end.
///
/// # Errors
/// Returns an execution error if memory is exhausted.
pub fn pad(part: Literal, shard: &Shard) -> Result<Literal> {
    if shard.is_padded() {
        block(&part, &vec![0; shard.tile.len()], &shard.sizes, &shard.tile)
    } else {
        Ok(part)
    }
}

/// A result of a program without the padding at the end.
///
/// # Errors
/// Returns an execution error if memory is exhausted.
pub fn unpad(tile: Literal, shard: &Shard) -> Result<Literal> {
    if shard.is_padded() {
        block(
            &tile,
            &vec![0; shard.tile.len()],
            &shard.sizes,
            &shard.sizes,
        )
    } else {
        Ok(tile)
    }
}

/// A block of elements at the beginning of an array, zero outside.
fn block(from: &Literal, start: &[usize], sizes: &[usize], dims: &[usize]) -> Result<Literal> {
    let mut array = Literal::try_zeros(Shape::new(from.element_type(), dims.to_vec())?)?;
    copy_block(from, start, &mut array, &vec![0; dims.len()], sizes);
    Ok(array)
}

/// Copies a block of elements.
pub fn copy_block(
    from: &Literal,
    from_start: &[usize],
    to: &mut Literal,
    to_start: &[usize],
    sizes: &[usize],
) {
    let width = from.element_type().byte_width();
    let (from_dims, to_dims) = (from.dims().to_vec(), to.dims().to_vec());
    let (source, target) = (from.bytes(), to.bytes_mut());
    for_each_row(sizes, |index, row| {
        let first = position(&from_dims, from_start, index) * width;
        let place = position(&to_dims, to_start, index) * width;
        target[place..place + row * width].copy_from_slice(&source[first..first + row * width]);
    });
}

/// Calls a function with the index of each row of a block, and the length of the rows.
fn for_each_row(sizes: &[usize], mut row: impl FnMut(&[usize], usize)) {
    if sizes.contains(&0) {
        return;
    }
    let (outer, length) = match sizes.split_last() {
        Some((last, outer)) => (outer, *last),
        None => (&[][..], 1),
    };
    let mut index = vec![0; sizes.len()];
    for _ in 0..outer.iter().product() {
        row(&index, length);
        for dimension in (0..outer.len()).rev() {
            index[dimension] += 1;
            if index[dimension] < outer[dimension] {
                break;
            }
            index[dimension] = 0;
        }
    }
}

/// The linear index of an element relative to a start.
fn position(dims: &[usize], start: &[usize], index: &[usize]) -> usize {
    let index = start.iter().zip(index).map(|(start, index)| start + index);
    index.zip(dims).fold(0, |position, (index, dim)| position * dim + index)
}

/// An `.npy` file that ranks write together, under a temporary name until it is complete.
pub struct SharedFile {
    target: PathBuf,
    partial: PathBuf,
    /// Whether this rank creates the file, and removes it if it is not completed.
    makes: bool,
}

impl SharedFile {
    /// A file of a name; `token` is the same for all ranks, and unique to this run.
    pub fn new(target: &Path, token: &str, makes: bool) -> Self {
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        Self {
            partial: target.with_file_name(format!(".{name}.{token}.partial")),
            target: target.to_owned(),
            makes,
        }
    }

    /// Creates the file, with room for all elements, on the rank that is responsible for it.
    ///
    /// # Errors
    /// Returns an invalid-input error that names the file.
    pub fn create(&self, shape: &Shape) -> Result<()> {
        if !self.makes {
            return Ok(());
        }
        let preamble = npy::preamble(shape);
        let make = || {
            let file = File::create_new(&self.partial)?;
            file.set_len((preamble.len() + shape.byte_size()) as u64)?;
            file.write_all_at(&preamble, 0)
        };
        make().map_err(|error| in_file(&self.target, error))
    }

    /// Writes the shard of a rank.
    ///
    /// # Errors
    /// Returns an invalid-input error that names the file.
    pub fn write(&self, part: &Literal, shard: &Shard) -> Result<()> {
        let shape = Shape::new(part.element_type(), shard.whole.clone())?;
        let (offset, width) = (
            npy::preamble(&shape).len(),
            shape.element_type().byte_width(),
        );
        let write = || {
            let file = File::options().write(true).open(&self.partial)?;
            let (mut bytes, mut outcome) = (part.bytes(), Ok(()));
            for_each_row(&shard.sizes, |index, row| {
                let (own, others) = bytes.split_at(row * width);
                bytes = others;
                let place = offset + position(&shard.whole, &shard.start, index) * width;
                if outcome.is_ok() {
                    outcome = file.write_all_at(own, place as u64);
                }
            });
            outcome.and_then(|()| file.sync_data())
        };
        write().map_err(|error| in_file(&self.target, error))
    }

    /// Renames the file to its name, on the rank that created it, once all have written.
    ///
    /// # Errors
    /// Returns an invalid-input error that names the file.
    pub fn complete(mut self) -> Result<()> {
        if std::mem::take(&mut self.makes) {
            let renamed = std::fs::rename(&self.partial, &self.target);
            renamed.map_err(|error| in_file(&self.target, error))?;
        }
        Ok(())
    }
}

impl Drop for SharedFile {
    fn drop(&mut self) {
        if self.makes {
            let _ = std::fs::remove_file(&self.partial);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix() -> Literal {
        let elements: Vec<i32> = (0..24).collect();
        Literal::from_slice(&[4, 6], &elements).unwrap()
    }

    fn tile(row: usize, column: usize) -> Shard {
        Shard {
            whole: vec![4, 6],
            start: vec![2 * row, 3 * column],
            sizes: vec![2, 3],
            tile: vec![2, 3],
        }
    }

    /// Four ranks write the same file as NumPy, and each reads its tile again.
    #[test]
    fn files_are_written_and_read_in_parts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        let whole = matrix();
        let tiles = [tile(0, 0), tile(0, 1), tile(1, 0), tile(1, 1)];
        let files: Vec<SharedFile> =
            (0..4).map(|rank| SharedFile::new(&path, "token", rank == 0)).collect();
        files[0].create(whole.shape()).unwrap();
        for (file, tile) in files.iter().zip(&tiles) {
            file.write(&cut(&whole, tile).unwrap(), tile).unwrap();
        }
        assert!(!path.exists());
        files.into_iter().try_for_each(SharedFile::complete).unwrap();
        assert_eq!(npy::read(&path, None).unwrap(), whole);
        let part = read_shard(&path, ElementType::I32, &tile(1, 0)).unwrap();
        assert_eq!(part.as_slice::<i32>().unwrap(), [12, 13, 14, 18, 19, 20]);
        let error = read_shard(&path, ElementType::I32, &Shard::all(&[3, 6])).unwrap_err();
        let name = path.display();
        assert_eq!(
            error.to_string(),
            format!("{name}: error: tensor<4x6xi32> is no tensor<3x6xi32>")
        );
    }

    /// The last of 3 tiles of 7 columns has one column, a fourth tile would be empty.
    #[test]
    fn parts_are_padded_and_cut() {
        let whole = Literal::from_slice(&[1, 7], &[0, 1, 2, 3, 4, 5, 6]).unwrap();
        let shard = |start: usize, size: usize| Shard {
            whole: vec![1, 7],
            start: vec![0, start],
            sizes: vec![1, size],
            tile: vec![1, 3],
        };
        for (shard, elements, padded) in [
            (shard(3, 3), vec![3, 4, 5], [3, 4, 5]),
            (shard(6, 1), vec![6], [6, 0, 0]),
            (shard(7, 0), vec![], [0, 0, 0]),
        ] {
            let part = cut(&whole, &shard).unwrap();
            assert_eq!(part.as_slice::<i32>().unwrap(), elements);
            let tile = pad(part.clone(), &shard).unwrap();
            assert_eq!(tile.as_slice::<i32>().unwrap(), padded);
            assert_eq!(unpad(tile, &shard).unwrap(), part);
        }
    }

    #[test]
    fn files_that_are_not_completed_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = SharedFile::new(&folder.path().join("a.npy"), "token", true);
        file.create(matrix().shape()).unwrap();
        drop(file);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
