/// Values of an input or output, at an address that the program can use.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Aligned<T>(pub T);

impl<T> core::ops::Deref for Aligned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> core::ops::DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// A number, or an array of numbers.
///
/// # Safety
/// The value must consist of numbers only, for which all bits may be zero.
pub unsafe trait Element: Copy {
    /// The type of its numbers.
    type Number: Copy;
}

macro_rules! numbers {
    ($($type:ty)*) => { $(unsafe impl Element for $type { type Number = Self; })* };
}

numbers!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

unsafe impl<T: Element, const N: usize> Element for [T; N] {
    type Number = T::Number;
}

#[allow(dead_code)]
impl<T: Element> Aligned<T> {
    const COUNT: usize = size_of::<T>() / size_of::<T::Number>();

    /// Zeros, on the heap.
    pub fn zeroed() -> Box<Self> {
        let layout = std::alloc::Layout::new::<Self>();
        if layout.size() == 0 {
            // SAFETY: The value has no bytes.
            return Box::new(unsafe { core::mem::zeroed() });
        }
        // SAFETY: The size is not zero; zeros are a valid value; the box owns the memory.
        unsafe {
            let memory = std::alloc::alloc_zeroed(layout);
            if memory.is_null() {
                std::alloc::handle_alloc_error(layout);
            }
            Box::from_raw(memory.cast())
        }
    }

    /// A copy of numbers, row by row, on the heap; `None` if their count is wrong.
    pub fn copy_of(numbers: &[T::Number]) -> Option<Box<Self>> {
        if numbers.len() != Self::COUNT {
            return None;
        }
        let mut copy = Self::zeroed();
        copy.numbers_mut().copy_from_slice(numbers);
        Some(copy)
    }

    /// The numbers, row by row.
    pub fn numbers(&self) -> &[T::Number] {
        // SAFETY: The value consists of `COUNT` numbers.
        unsafe { core::slice::from_raw_parts((&raw const self.0).cast(), Self::COUNT) }
    }

    /// The numbers, row by row.
    pub fn numbers_mut(&mut self) -> &mut [T::Number] {
        // SAFETY: The value consists of `COUNT` numbers.
        unsafe { core::slice::from_raw_parts_mut((&raw mut self.0).cast(), Self::COUNT) }
    }
}

/// Runs a loop: calls the last argument for ranges that cover 0 to the first, on any threads,
/// and returns when all calls have. The length of each range but the last is a multiple of the
/// second argument.
pub type ParallelFor<'a> = &'a (dyn Fn(i64, i64, &(dyn Fn(i64, i64) + Sync)) + Sync);

/// The function of a program's calls: the number of a call of [`CALLS`], and the addresses of
/// its operands and then its results. Returns true on success.
pub type CustomCall<'a> = &'a (dyn Fn(usize, *const *mut u8) -> bool + Sync);

/// Functions that a program calls while it runs. By default, loops run on the calling thread.
#[derive(Clone, Copy, Default)]
pub struct Runtime<'a> {
    /// How loops are shared among threads.
    pub parallel_for: Option<ParallelFor<'a>>,
    /// The functions of the application.
    pub custom_call: Option<CustomCall<'a>>,
}

/// The reason for which a run failed.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The program calls functions, and the [`Runtime`] has none.
    NoCustomCall,
    /// A function that the program calls failed.
    Failed,
    /// The system does not let the process use the tiles of AMX. Nothing was run.
    NoTiles,
    /// The registers of SVE or of streaming mode have another length than the code requires, or
    /// do not exist. Nothing was run.
    WrongVectorLength,
}

impl core::fmt::Display for RunError {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str(match self {
            Self::NoCustomCall => "the runtime has no function for custom calls",
            Self::Failed => "a custom call failed",
            Self::NoTiles => "the system does not let the process use the tiles of AMX",
            Self::WrongVectorLength => {
                "the registers of SVE or of streaming mode have another length than the code \
                 counts on"
            }
        })
    }
}

impl std::error::Error for RunError {}

/// An input or output of the program.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its name, as in [`Arguments`].
    pub name: &'static str,
    /// Its type in MLIR's syntax: `tensor<64x784xf32>`.
    pub type_: &'static str,
    /// Its size in bytes.
    pub size: usize,
}

/// A call of a function of the application.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The name of the function.
    pub target: &'static str,
    /// Types, separated by commas.
    pub operands: &'static str,
    /// Types, separated by commas.
    pub results: &'static str,
    /// The configuration of the call in the program.
    pub config: &'static str,
}

/// The interface between the program and its caller, as in C.
mod interface {
    use super::Runtime;
    use core::ffi::c_void;

    pub type Kernel = unsafe extern "C" fn(*const Context, i64, i64, *const u8);

    #[repr(C)]
    pub struct Context {
        version: u64,
        parallel_for: unsafe extern "C" fn(*const Context, Kernel, i64, i64, *const u8),
        custom_call: unsafe extern "C" fn(*const Context, i64, *const *mut u8) -> i32,
        user: *const c_void,
    }

    impl Context {
        /// For a call that ends before the runtime does.
        pub fn new(runtime: &Runtime<'_>) -> Self {
            Self {
                version: 2,
                parallel_for,
                custom_call,
                user: (&raw const *runtime).cast(),
            }
        }

        /// # Safety
        /// The context must be in use by a program that was called with it.
        unsafe fn runtime<'a>(context: *const Self) -> &'a Runtime<'a> {
            // SAFETY: The runtime lives until the program returns.
            unsafe { &*(*context).user.cast::<Runtime<'a>>() }
        }
    }

    struct Loop(*const Context, Kernel, *const u8);

    // SAFETY: The program requested that the loop be shared among threads.
    unsafe impl Sync for Loop {}

    impl Loop {
        fn run(&self, begin: i64, end: i64) {
            // SAFETY: The kernel takes these arguments, and the loop is part of a run.
            unsafe { (self.1)(self.0, begin, end, self.2) }
        }
    }

    unsafe extern "C" fn parallel_for(
        context: *const Context,
        kernel: Kernel,
        count: i64,
        grain: i64,
        captures: *const u8,
    ) {
        // SAFETY: The program passes on the context that it was called with.
        let runtime = unsafe { Context::runtime(context) };
        let body = Loop(context, kernel, captures);
        match runtime.parallel_for {
            Some(run) => run(count, grain, &|begin, end| body.run(begin, end)),
            None if count > 0 => body.run(0, count),
            None => {}
        }
    }

    unsafe extern "C" fn custom_call(
        context: *const Context,
        call: i64,
        buffers: *const *mut u8,
    ) -> i32 {
        // SAFETY: The program passes on the context that it was called with.
        let runtime = unsafe { Context::runtime(context) };
        let index = usize::try_from(call).unwrap_or(usize::MAX);
        let succeeded = runtime.custom_call.is_some_and(|run| run(index, buffers));
        i32::from(!succeeded)
    }
}
