/// The constants of the program, from its file. Runs share them.
pub struct Constants<'a>(ConstantsMemory<'a>);

#[allow(dead_code)]
enum ConstantsMemory<'a> {
    Given(&'a [u8]),
    File(constants_file::Contents),
}

/// The reason for which constants are rejected.
#[allow(dead_code)]
#[derive(Debug)]
pub enum ConstantsError {
    /// The file cannot be opened or read.
    File(std::io::Error),
    /// The address is not a multiple of [`CONSTANTS_ALIGNMENT`].
    Misaligned,
    /// There are fewer bytes than [`CONSTANTS_SIZE`].
    TooShort,
/// They belong to another program, or to another version of it.
    Wrong,
    /// Their hash is not [`CONSTANTS_HASH`].
    Damaged,
}

impl core::fmt::Display for ConstantsError {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(match self {
            Self::File(error) => return error.fmt(formatter),
            Self::Misaligned => "the constants are not at a multiple of 64",
            Self::TooShort => "the constants are too short",
            Self::Wrong => "the constants are not those of this version of this program",
            Self::Damaged => "the constants are damaged: they have another hash",
        })
    }
}

impl std::error::Error for ConstantsError {}

#[allow(dead_code)]
impl<'a> Constants<'a> {
    /// Maps a file, reads it, and checks all of it. It must not change while it is mapped.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or does not belong to the program.
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Self, ConstantsError> {
        let constants = Self::open_lazily(path)?;
        match constants_file::xxh64(&constants.bytes()[CONSTANTS_ALIGNMENT..CONSTANTS_SIZE]) {
            CONSTANTS_HASH => Ok(constants),
            _ => Err(ConstantsError::Damaged),
        }
    }

    /// Maps a file, and checks its size and header: the constants are read when runs use
    /// them. The file must not change while it is mapped.
    ///
    /// # Errors
    /// Returns an error if the file cannot be mapped, or does not belong to the program.
    pub fn open_lazily(path: impl AsRef<std::path::Path>) -> Result<Self, ConstantsError> {
        let contents = constants_file::Contents::open(path.as_ref());
        let contents = contents.map_err(ConstantsError::File)?;
        check_constants(contents.bytes())?;
        Ok(Self(ConstantsMemory::File(contents)))
    }

    /// The contents of the file in memory. Checks the address, the size and the header.
    ///
    /// # Errors
    /// Returns an error if they do not belong to the program.
    pub fn of(bytes: &'a [u8]) -> Result<Self, ConstantsError> {
        check_constants(bytes)?;
        Ok(Self(ConstantsMemory::Given(bytes)))
    }

    fn bytes(&self) -> &[u8] {
        match &self.0 {
            ConstantsMemory::Given(bytes) => bytes,
            ConstantsMemory::File(contents) => contents.bytes(),
        }
    }

    /// The first constant, for the code.
    fn address(&self) -> *mut u8 {
        self.bytes()[CONSTANTS_ALIGNMENT..].as_ptr().cast_mut()
    }
}

fn check_constants(bytes: &[u8]) -> Result<(), ConstantsError> {
    if bytes.as_ptr().addr() % CONSTANTS_ALIGNMENT != 0 {
        return Err(ConstantsError::Misaligned);
    }
    if bytes.len() < CONSTANTS_ALIGNMENT {
        return Err(ConstantsError::TooShort);
    }
    if !bytes.starts_with(&CONSTANTS_START) {
        return Err(ConstantsError::Wrong);
    }
    if bytes.len() < CONSTANTS_SIZE {
Err(ConstantsError::TooShort)
} else {
Ok(())
}
}

mod constants_file {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    /// XXH64, with the seed 0, of bytes whose number is a multiple of 32.
    pub fn xxh64(bytes: &[u8]) -> u64 {
        const FIRST: u64 = 0x9E37_79B1_85EB_CA87;
        const SECOND: u64 = 0xC2B2_AE3D_27D4_EB4F;
        let round = |lane: u64, word: u64| {
            let sum = lane.wrapping_add(word.wrapping_mul(SECOND));
            sum.rotate_left(31).wrapping_mul(FIRST)
        };
        let mut lanes = [FIRST.wrapping_add(SECOND), SECOND, 0, FIRST.wrapping_neg()];
        for stripe in bytes.chunks_exact(32) {
            for (lane, word) in lanes.iter_mut().zip(stripe.chunks_exact(8)) {
                let word = word.try_into().map_or(0, u64::from_le_bytes);
                *lane = round(*lane, word);
            }
        }
        let mut hash = 0x27D4_EB2F_1656_67C5;
        if !bytes.is_empty() {
            hash = 0;
            for (lane, bits) in lanes.iter().zip([1, 7, 12, 18]) {
                hash = lane.rotate_left(bits).wrapping_add(hash);
            }
            for lane in lanes {
                hash = (hash ^ round(0, lane)).wrapping_mul(FIRST);
                hash = hash.wrapping_add(0x85EB_CA77_C2B2_AE63);
            }
        }
        hash = hash.wrapping_add(bytes.len() as u64);
        hash = (hash ^ hash >> 33).wrapping_mul(SECOND);
        hash = (hash ^ hash >> 29).wrapping_mul(0x1656_67B1_9E37_79F9);
        hash ^ hash >> 32
    }

    /// A mapped file, on systems that support it.
    #[cfg(all(unix, target_pointer_width = "64"))]
    pub struct Contents {
        address: *const u8,
        size: usize,
    }

    #[cfg(all(unix, target_pointer_width = "64"))]
    unsafe extern "C" {
        fn mmap(
            address: *mut core::ffi::c_void,
            size: usize,
            protection: core::ffi::c_int,
            flags: core::ffi::c_int,
            file: core::ffi::c_int,
            offset: i64,
        ) -> *mut core::ffi::c_void;
        fn munmap(address: *mut core::ffi::c_void, size: usize) -> core::ffi::c_int;
    }

    // SAFETY: The memory is only read.
    #[cfg(all(unix, target_pointer_width = "64"))]
    unsafe impl Send for Contents {}
    // SAFETY: As above.
    #[cfg(all(unix, target_pointer_width = "64"))]
    unsafe impl Sync for Contents {}

    #[cfg(all(unix, target_pointer_width = "64"))]
    impl Contents {
        pub fn open(path: &Path) -> io::Result<Self> {
            use std::os::fd::AsRawFd;

            const READ: core::ffi::c_int = 1;
            const PRIVATE: core::ffi::c_int = 2;
            let file = File::open(path)?;
            let size = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
            if size == 0 {
                let address = core::ptr::without_provenance(super::CONSTANTS_ALIGNMENT);
                return Ok(Self { address, size });
            }
            let null = core::ptr::null_mut();
            // SAFETY: The system chooses the place of new memory.
            let address = unsafe { mmap(null, size, READ, PRIVATE, file.as_raw_fd(), 0) };
            match address.addr() {
                usize::MAX => Err(io::Error::last_os_error()),
                _ => Ok(Self {
                    address: address.cast(),
                    size,
                }),
            }
        }

        pub fn bytes(&self) -> &[u8] {
            // SAFETY: `size` bytes are mapped, or the slice is empty.
            unsafe { core::slice::from_raw_parts(self.address, self.size) }
        }
    }

    #[cfg(all(unix, target_pointer_width = "64"))]
    impl Drop for Contents {
        fn drop(&mut self) {
            if self.size != 0 {
                // SAFETY: This is the mapped range, and nothing borrows it any more.
                unsafe { munmap(self.address.cast_mut().cast(), self.size) };
            }
        }
    }

    /// A file that is read.
    #[cfg(not(all(unix, target_pointer_width = "64")))]
    pub struct Contents {
        blocks: Vec<super::Aligned<[u8; 64]>>,
        size: usize,
    }

    #[cfg(not(all(unix, target_pointer_width = "64")))]
    impl Contents {
        pub fn open(path: &Path) -> io::Result<Self> {
            use std::io::Read;

            let file = File::open(path)?;
            let size = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
            let mut file = io::BufReader::with_capacity(1 << 20, file);
            let mut blocks = vec![super::Aligned([0; 64]); size.div_ceil(64)];
            let count = blocks.len();
            for block in &mut blocks[..count.saturating_sub(1)] {
                file.read_exact(&mut block.0)?;
            }
            if let Some(last) = blocks.last_mut() {
                file.read_exact(&mut last.0[..size - 64 * (count - 1)])?;
            }
            Ok(Self { blocks, size })
        }

        pub fn bytes(&self) -> &[u8] {
            // SAFETY: The blocks are contiguous, and have at least `size` bytes.
            unsafe { core::slice::from_raw_parts(self.blocks.as_ptr().cast(), self.size) }
        }
    }
}
