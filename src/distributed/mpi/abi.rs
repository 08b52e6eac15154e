//! The two binary interfaces of MPI libraries.
//!
//! The MPI standard specifies functions, not the representation of handles. In Open MPI they are
//! pointers, and the predefined ones are addresses of variables of the library; in MPICH, and in
//! the libraries with its ABI (Intel MPI, Cray MPICH), they are numbers. A test compares the
//! numbers here with the `mpi.h` of each installed library.

use std::ffi::{c_int, c_void};

use libloading::os::unix::Library;

/// The representation of a handle: of communicators, types and requests alike.
pub trait Handle: Copy + 'static {
    /// The name of the ABI in messages.
    const NAME: &'static str;
    /// The positions of source and tag in a status, in numbers of an `int`.
    const STATUS_SOURCE: usize;
    const ANY_SOURCE: c_int;

    /// # Errors
    /// Returns the name of the missing symbol.
    fn predefined(library: &Library) -> Result<Predefined<Self>, String>;

    fn to_bits(self) -> usize;
    fn from_bits(bits: usize) -> Self;
}

/// The predefined handles that are needed.
#[derive(Clone, Copy)]
pub struct Predefined<H> {
    pub world: H,
    pub byte: H,
    pub errors_return: H,
}

/// A variable of Open MPI whose address is its handle for `MPI_COMM_WORLD`.
pub const OPEN_MPI_WORLD: &str = "ompi_mpi_comm_world";

/// Open MPI: `MPI_Status` begins with source, tag and error.
impl Handle for *mut c_void {
    const NAME: &'static str = "Open MPI";
    const STATUS_SOURCE: usize = 0;
    const ANY_SOURCE: c_int = -1;

    fn predefined(library: &Library) -> Result<Predefined<Self>, String> {
        let address = |name: &str| {
            // SAFETY: only the address of the variable is used.
            let symbol = unsafe { library.get::<*mut c_void>(name) };
            symbol.map(|symbol| symbol.as_raw_ptr()).map_err(|_| name.to_owned())
        };
        Ok(Predefined {
            world: address(OPEN_MPI_WORLD)?,
            byte: address("ompi_mpi_byte")?,
            errors_return: address("ompi_mpi_errors_return")?,
        })
    }

    fn to_bits(self) -> usize {
        self.expose_provenance()
    }

    fn from_bits(bits: usize) -> Self {
        std::ptr::with_exposed_provenance_mut(bits)
    }
}

/// MPICH: the source follows two numbers of a status.
impl Handle for c_int {
    const NAME: &'static str = "MPICH";
    const STATUS_SOURCE: usize = 2;
    const ANY_SOURCE: c_int = -2;

    fn predefined(_library: &Library) -> Result<Predefined<Self>, String> {
        Ok(Predefined {
            world: 0x4400_0000,
            byte: 0x4c00_010d,
            errors_return: 0x5400_0001,
        })
    }

    fn to_bits(self) -> usize {
        self as u32 as usize
    }

    fn from_bits(bits: usize) -> Self {
        bits as u32 as c_int
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number that a name is defined as in `mpi.h`: the last one of the line.
    fn defined(header: &str, name: &str) -> Option<i64> {
        let line = header.lines().find(|line| {
            let mut words = line.split_whitespace();
            words.next() == Some("#define") && words.next() == Some(name)
        })?;
        let text = line.split("/*").next()?;
        let digits = text.rsplit([' ', ')', '(', '\t']).find(|word| !word.is_empty())?;
        match digits.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16).ok(),
            None => digits.parse().ok(),
        }
    }

    /// Compares the numbers with the headers; passes if no header is installed.
    #[test]
    fn numbers_are_those_of_the_headers() {
        if let Ok(header) = std::fs::read_to_string("/usr/include/x86_64-linux-gnu/mpich/mpi.h") {
            for (name, expected) in [
                ("MPI_COMM_WORLD", 0x4400_0000),
                ("MPI_BYTE", 0x4c00_010d),
                ("MPI_ERRORS_RETURN", 0x5400_0001),
                ("MPI_ANY_SOURCE", c_int::ANY_SOURCE.into()),
                ("MPI_THREAD_FUNNELED", super::super::THREAD_FUNNELED.into()),
                ("MPI_SUCCESS", 0),
            ] {
                assert_eq!(defined(&header, name), Some(expected), "{name}");
            }
            let status = header.split("typedef struct MPI_Status").nth(1).unwrap();
            let fields: Vec<&str> = status.split(';').take(3).collect();
            assert!(
                fields[c_int::STATUS_SOURCE].ends_with("MPI_SOURCE"),
                "{fields:?}"
            );
        }
        let open_mpi = "/usr/lib/x86_64-linux-gnu/openmpi/include/mpi.h";
        if let Ok(header) = std::fs::read_to_string(open_mpi) {
            for (name, expected) in [
                ("MPI_ANY_SOURCE", <*mut c_void>::ANY_SOURCE.into()),
                ("MPI_SUCCESS", 0),
            ] {
                assert_eq!(defined(&header, name), Some(expected), "{name}");
            }
            let status = header.split("struct ompi_status_public_t {").nth(1).unwrap();
            let status = status.split("*/").nth(1).unwrap().trim_start();
            assert!(status.starts_with("int MPI_SOURCE;"), "{status}");
        }
    }
}
