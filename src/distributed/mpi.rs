//! The functions of MPI that a network uses.
//!
//! The library is loaded on first use, so that Halo is built and tested without one, and the same
//! executable runs under Open MPI and under MPICH. Only nonblocking point-to-point functions are
//! used, so that a waiting rank can report the ranks that it waits for, and end. All calls come
//! from the thread that starts MPI, so the library needs no locks.
//!
//! Uses `unsafe` to call C. The buffers of a message in flight are owned by its request, which is
//! kept until MPI has completed it.

mod abi;

use std::any::Any;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::Arc;

use halo_core::Literal;
use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};

use abi::{Handle, OPEN_MPI_WORLD, Predefined};

const THREAD_FUNNELED: c_int = 1;

/// The tags of the two types of messages.
const FRAME_TAG: c_int = 0;
const PAYLOAD_TAG: c_int = 1;

/// The maximum size of a message; longer payloads are several messages: MPI's counts are of type
/// `int`, and a call that copies a message must not block the thread for long.
pub const CHUNK_BYTES: usize = 32 << 20;

/// Room for an `MPI_Status` of either interface, as numbers of an `int`.
type Status = [c_int; 16];

/// A library of MPI that was started, for the only thread that uses it.
pub struct Mpi {
    functions: Box<dyn Functions>,
    pub rank: usize,
    pub size: usize,
    /// The version string of the library.
    pub version: String,
}

/// A message in flight, with the memory that it is read from or written to.
pub struct Request {
    bits: usize,
    /// Keeps the memory of a message alive until it has been sent. The receiver of one keeps its
    /// buffer.
    _memory: Box<dyn Any>,
}

impl Mpi {
    /// Loads a library and starts it in this thread: the named one, or the library of the launcher
    /// that started the process.
    ///
    /// # Errors
    /// Returns an error message if there is none, or it cannot be started.
    pub fn start(library: Option<&str>) -> Result<Self, String> {
        let names: Vec<&str> = match library {
            Some(name) => vec![name],
            None => candidates().to_vec(),
        };
        let mut reason = String::new();
        let loaded = names.iter().find_map(|name| {
            // The library's plug-ins resolve its functions in the global scope of the process.
            // SAFETY: loading an MPI library runs no code that affects Rust.
            match unsafe { Library::open(Some(*name), RTLD_NOW | RTLD_GLOBAL) } {
                Ok(library) => Some(library),
                Err(error) => {
                    reason = error.to_string();
                    None
                }
            }
        });
        let library = loaded.ok_or_else(|| {
            format!(
                "no library of MPI can be loaded ({}): {reason}",
                names.join(", ")
            )
        })?;
        // SAFETY: only the existence of the symbol is checked.
        let is_open_mpi = unsafe { library.get::<*mut c_void>(OPEN_MPI_WORLD) }.is_ok();
        let functions: Box<dyn Functions> = if is_open_mpi {
            Box::new(Bound::<*mut c_void>::start(library)?)
        } else {
            Box::new(Bound::<c_int>::start(library)?)
        };
        let (rank, size) = (functions.rank()?, functions.size()?);
        Ok(Self {
            version: functions.version(),
            functions,
            rank,
            size,
        })
    }

    /// Sends one message to a rank.
    ///
    /// # Errors
    /// MPI's message.
    pub fn send_frame(&self, to: usize, bytes: Vec<u8>) -> Result<Request, String> {
        let bits = self.functions.send(to, FRAME_TAG, &bytes)?;
        Ok(Request {
            bits,
            _memory: Box::new(bytes),
        })
    }

    /// Sends a slice of a literal, in as many messages as needed.
    ///
    /// # Errors
    /// MPI's message.
    pub fn send_payload(
        &self,
        to: usize,
        literal: &Arc<Literal>,
        range: std::ops::Range<usize>,
    ) -> Result<Vec<Request>, String> {
        let chunks = literal.bytes()[range].chunks(CHUNK_BYTES);
        chunks
            .map(|chunk| {
                Ok(Request {
                    bits: self.functions.send(to, PAYLOAD_TAG, chunk)?,
                    _memory: Box::new(Arc::clone(literal)),
                })
            })
            .collect()
    }

    /// The next received frame, with the rank of its sender.
    ///
    /// # Errors
    /// MPI's message.
    pub fn next_frame(&self) -> Result<Option<(usize, Vec<u8>)>, String> {
        self.functions.next(FRAME_TAG)
    }

    /// Begins to receive the next message of a payload from a rank.
    ///
    /// # Errors
    /// MPI's message.
    ///
    /// # Safety
    /// The bytes must not be moved or accessed until the request is done.
    pub unsafe fn receive_payload(&self, from: usize, chunk: &mut [u8]) -> Result<Request, String> {
        Ok(Request {
            bits: self.functions.receive(from, PAYLOAD_TAG, chunk)?,
            _memory: Box::new(()),
        })
    }

    /// Returns true if a message has been sent or received; the request must not be tested again
    /// then.
    ///
    /// # Errors
    /// MPI's message.
    pub fn is_done(&self, request: &mut Request) -> Result<bool, String> {
        self.functions.test(&mut request.bits)
    }

    /// Ends MPI in all ranks that still run. All have announced before that they are done.
    ///
    /// # Errors
    /// MPI's message.
    pub fn finalize(&self) -> Result<(), String> {
        self.functions.finalize()
    }

    /// Aborts all ranks.
    pub fn abort(&self) {
        self.functions.abort();
    }
}

/// The names of the libraries of the launcher that started this process.
fn candidates() -> &'static [&'static str] {
    let is_set = |name: &str| std::env::var_os(name).is_some();
    match (is_set("OMPI_COMM_WORLD_SIZE"), is_set("PMI_SIZE")) {
        (false, true) => &["libmpich.so.12", "libmpi.so.12", "libmpich.so", "libmpi.so"],
        _ => &[
            "libmpi.so.40",
            "libmpi.so",
            "libmpich.so.12",
            "libmpi.so.12",
        ],
    }
}

/// The functions, with either ABI.
trait Functions {
    fn rank(&self) -> Result<usize, String>;
    fn size(&self) -> Result<usize, String>;
    fn version(&self) -> String;
    fn send(&self, to: usize, tag: c_int, bytes: &[u8]) -> Result<usize, String>;
    fn receive(&self, from: usize, tag: c_int, bytes: &mut [u8]) -> Result<usize, String>;
    fn next(&self, tag: c_int) -> Result<Option<(usize, Vec<u8>)>, String>;
    fn test(&self, request: &mut usize) -> Result<bool, String>;
    fn finalize(&self) -> Result<(), String>;
    fn abort(&self);
}

/// A library whose handles are of type `H`.
struct Bound<H> {
    symbols: Symbols<H>,
    predefined: Predefined<H>,
    /// The communicator of Halo's messages.
    communicator: H,
    /// Keeps the library of the functions loaded.
    _library: Library,
}

macro_rules! symbols {
    ($($field:ident $symbol:literal ($($argument:ty),*);)+) => {
        struct Symbols<H> {
            $($field: unsafe extern "C" fn($($argument),*) -> c_int,)+
        }

        impl<H: Handle> Symbols<H> {
            fn load(library: &Library) -> Result<Self, String> {
                let missing = |_| format!("the library of {} is not complete", H::NAME);
                Ok(Self {
                    $(
                        // SAFETY: the types follow the MPI standard, with the handles of this
                        // interface.
                        $field: *unsafe { library.get($symbol) }.map_err(missing)?,
                    )+
                })
            }
        }
    };
}

symbols! {
    init_thread "MPI_Init_thread" (*mut c_int, *mut *mut *mut c_char, c_int, *mut c_int);
    finalize "MPI_Finalize" ();
    abort "MPI_Abort" (H, c_int);
    comm_rank "MPI_Comm_rank" (H, *mut c_int);
    comm_size "MPI_Comm_size" (H, *mut c_int);
    comm_dup "MPI_Comm_dup" (H, *mut H);
    set_errhandler "MPI_Comm_set_errhandler" (H, H);
    error_string "MPI_Error_string" (c_int, *mut c_char, *mut c_int);
    library_version "MPI_Get_library_version" (*mut c_char, *mut c_int);
    isend "MPI_Isend" (*const c_void, c_int, H, c_int, c_int, H, *mut H);
    irecv "MPI_Irecv" (*mut c_void, c_int, H, c_int, c_int, H, *mut H);
    recv "MPI_Recv" (*mut c_void, c_int, H, c_int, c_int, H, *mut c_int);
    iprobe "MPI_Iprobe" (c_int, c_int, H, *mut c_int, *mut c_int);
    get_count "MPI_Get_count" (*const c_int, H, *mut c_int);
    test "MPI_Test" (*mut H, *mut c_int, *mut c_int);
}

impl<H: Handle> Bound<H> {
    fn start(library: Library) -> Result<Self, String> {
        let symbols = Symbols::<H>::load(&library)?;
        let predefined = H::predefined(&library);
        let predefined =
            predefined.map_err(|name| format!("the library of {} has no '{name}'", H::NAME))?;
        let mut bound = Self {
            symbols,
            predefined,
            communicator: predefined.world,
            _library: library,
        };
        let (mut provided, null) = (0, std::ptr::null_mut());
        // SAFETY: the arguments of the command line may be null.
        let code = unsafe {
            (bound.symbols.init_thread)(null, null.cast(), THREAD_FUNNELED, &raw mut provided)
        };
        bound.check(code, "MPI_Init_thread")?;
        if provided < THREAD_FUNNELED {
            return Err(format!("this build of {} allows no threads", H::NAME));
        }
        let (world, errors_return) = (predefined.world, predefined.errors_return);
        let mut own = world;
        // SAFETY: the handles are valid, and the pointer refers to a variable.
        let code = unsafe { (bound.symbols.comm_dup)(world, &raw mut own) };
        bound.check(code, "MPI_Comm_dup")?;
        bound.communicator = own;
        for communicator in [world, own] {
            // SAFETY: the handles are valid.
            let code = unsafe { (bound.symbols.set_errhandler)(communicator, errors_return) };
            bound.check(code, "MPI_Comm_set_errhandler")?;
        }
        Ok(bound)
    }

    fn check(&self, code: c_int, function: &str) -> Result<(), String> {
        if code == 0 {
            return Ok(());
        }
        let mut text = [0 as c_char; 8192];
        let mut length = 0;
        // SAFETY: the text is longer than any message of either library.
        let told = unsafe { (self.symbols.error_string)(code, text.as_mut_ptr(), &raw mut length) };
        Err(format!("{function} failed: {}", text_of(told, &text)))
    }

    /// A number that a function of the communicator writes.
    fn ask(
        &self,
        function: unsafe extern "C" fn(H, *mut c_int) -> c_int,
        name: &str,
    ) -> Result<usize, String> {
        let mut number = 0;
        // SAFETY: the communicator is valid, and the pointer refers to a variable.
        let code = unsafe { function(self.communicator, &raw mut number) };
        self.check(code, name)?;
        usize::try_from(number).map_err(|_| format!("{name} gives {number}"))
    }
}

/// The text that a function has written, if it succeeded.
fn text_of(code: c_int, text: &[c_char]) -> String {
    if code != 0 || !text.contains(&0) {
        return "unknown".to_owned();
    }
    // SAFETY: there is a zero in the text.
    let text = unsafe { CStr::from_ptr(text.as_ptr()) };
    text.to_string_lossy().into_owned()
}

/// Messages are at most [`CHUNK_BYTES`] long.
fn count(bytes: &[u8]) -> Result<c_int, String> {
    c_int::try_from(bytes.len()).map_err(|_| "a message is too long".to_owned())
}

impl<H: Handle> Functions for Bound<H> {
    fn rank(&self) -> Result<usize, String> {
        self.ask(self.symbols.comm_rank, "MPI_Comm_rank")
    }

    fn size(&self) -> Result<usize, String> {
        self.ask(self.symbols.comm_size, "MPI_Comm_size")
    }

    fn version(&self) -> String {
        let mut text = [0 as c_char; 8192];
        let mut length = 0;
        // SAFETY: the buffer has the size that both ABIs require.
        let code = unsafe { (self.symbols.library_version)(text.as_mut_ptr(), &raw mut length) };
        let text = text_of(code, &text);
        text.lines().next().unwrap_or_default().to_owned()
    }

    fn send(&self, to: usize, tag: c_int, bytes: &[u8]) -> Result<usize, String> {
        let mut request = self.communicator;
        // SAFETY: the caller keeps the bytes until the request is done.
        let code = unsafe {
            (self.symbols.isend)(
                bytes.as_ptr().cast(),
                count(bytes)?,
                self.predefined.byte,
                to as c_int,
                tag,
                self.communicator,
                &raw mut request,
            )
        };
        self.check(code, "MPI_Isend")?;
        Ok(request.to_bits())
    }

    fn receive(&self, from: usize, tag: c_int, bytes: &mut [u8]) -> Result<usize, String> {
        let mut request = self.communicator;
        // SAFETY: the caller keeps the bytes until the request is done.
        let code = unsafe {
            (self.symbols.irecv)(
                bytes.as_mut_ptr().cast(),
                count(bytes)?,
                self.predefined.byte,
                from as c_int,
                tag,
                self.communicator,
                &raw mut request,
            )
        };
        self.check(code, "MPI_Irecv")?;
        Ok(request.to_bits())
    }

    fn next(&self, tag: c_int) -> Result<Option<(usize, Vec<u8>)>, String> {
        let (mut is_there, mut status, mut size) = (0, Status::default(), 0);
        // SAFETY: there is room for any status.
        let code = unsafe {
            (self.symbols.iprobe)(
                H::ANY_SOURCE,
                tag,
                self.communicator,
                &raw mut is_there,
                status.as_mut_ptr(),
            )
        };
        self.check(code, "MPI_Iprobe")?;
        if is_there == 0 {
            return Ok(None);
        }
        let source = status[H::STATUS_SOURCE];
        // SAFETY: the status comes from the probe.
        let code = unsafe {
            (self.symbols.get_count)(status.as_ptr(), self.predefined.byte, &raw mut size)
        };
        self.check(code, "MPI_Get_count")?;
        let mut bytes = vec![0; size.max(0) as usize];
        // The probed message is the next one of its source and tag, so this returns. SAFETY: the
        // buffer has the size of the message.
        let code = unsafe {
            (self.symbols.recv)(
                bytes.as_mut_ptr().cast(),
                size,
                self.predefined.byte,
                source,
                tag,
                self.communicator,
                status.as_mut_ptr(),
            )
        };
        self.check(code, "MPI_Recv")?;
        let source = usize::try_from(source).map_err(|_| "a message has no source".to_owned())?;
        Ok(Some((source, bytes)))
    }

    fn test(&self, request: &mut usize) -> Result<bool, String> {
        let (mut handle, mut is_done, mut status) = (H::from_bits(*request), 0, Status::default());
        // SAFETY: the request belongs to this library and is not complete.
        let code =
            unsafe { (self.symbols.test)(&raw mut handle, &raw mut is_done, status.as_mut_ptr()) };
        *request = handle.to_bits();
        self.check(code, "MPI_Test")?;
        Ok(is_done != 0)
    }

    fn finalize(&self) -> Result<(), String> {
        // SAFETY: MPI was started, and is not used any more.
        let code = unsafe { (self.symbols.finalize)() };
        self.check(code, "MPI_Finalize")
    }

    fn abort(&self) {
        // SAFETY: MPI was started.
        unsafe { (self.symbols.abort)(self.predefined.world, 1) };
    }
}
