//! Warpgroups that run separately: barriers in shared memory, copies by tensor maps, and products
//! of warpgroups.
//!
//! Each warpgroup of a block is a coroutine: a thread of the host that runs only while it has the
//! turn. It passes the turn on when it waits for a barrier, when it arrives at one, and at the end.
//! Asynchronous ops of the device happen as late as the PTX ISA allows, and until then its
//! results are NaN, so that a missing wait changes the result of the kernel:
//!
//! - A copy fills its target with NaN when it is issued, and with the elements when a warpgroup
//!   waits for its barrier.
//! - A product reads shared memory, and writes its accumulator, when a warpgroup waits for its
//!   group; until then the accumulator is NaN.
//!
//! A deadlock is an error that names the barrier. After an error nothing waits anymore, so that the
//! kernel ends.
//!
//! Uses `unsafe` to access the memory of kernels.

use crate::emulate_kernels::warpgroups as names;
use halo_runtime::plan::{Swizzle, TensorMap};
pub use names::WARPGROUP;
use std::{
    cell::{Cell, RefCell},
    collections::{HashMap, VecDeque},
    ffi::CStr,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// The bytes that descriptors of matrices address.
const ADDRESSES: usize = 1 << 18;
/// The offset of the shared memory of a kernel: the device guarantees no more than this alignment.
const START: usize = 128;
/// Rows and depth of a product.
const ROWS: usize = 64;
const DEPTH: usize = 16;

/// A tensor map, and the address of its tensor.
pub struct EmulatedMap {
    pub map: TensorMap,
    pub address: usize,
}

/// The state of a block.
struct Block {
    state: Mutex<State>,
    turn_passed: Condvar,
}

struct State {
    turn: usize,
    groups: Vec<Group>,
    barriers: HashMap<i64, Barrier>,
    /// Twice the addresses of descriptors, in which a kernel's memory begins at a multiple.
    memory: Vec<u64>,
    error: Option<String>,
}

/// A warpgroup.
#[derive(Default)]
struct Group {
    status: Status,
    /// The products that no group contains yet, and the groups of products.
    open: Vec<Product>,
    committed: VecDeque<Vec<Product>>,
    /// The values of accumulators of pending products, and the number of these.
    accumulators: HashMap<i64, (Vec<f32>, usize)>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Status {
    #[default]
    Ready,
    /// Waits for the phase of a parity of a barrier.
    Waits(i64, i64),
    /// Is at the barrier of the block.
    Meets,
    Done,
}

/// A barrier in shared memory: its phase is complete after `count` arrivals, and the copies of the
/// expected bytes.
struct Barrier {
    count: i64,
    pending: i64,
    parity: i64,
    expected: i64,
    copies: Vec<Copy>,
}

struct Copy {
    map: *const EmulatedMap,
    target: i64,
    indices: [i64; 3],
}

// SAFETY: The maps live as long as the launch, and are only read.
unsafe impl Send for State {}

/// A product, with the fields of the instruction.
#[derive(Clone, Copy)]
struct Product {
    descriptors: [u64; 2],
    /// The address of the first thread's accumulator, and the bytes between accumulators of threads.
    accumulator: i64,
    stride: i64,
    columns: usize,
    is_bf16: bool,
    /// True for lhs, and for rhs, with rows along k.
    along_k: [bool; 2],
}

thread_local! {
    static CURRENT: RefCell<Option<(Arc<Block>, usize)>> = const { RefCell::new(None) };
    static HAS_GROUPS: Cell<bool> = const { Cell::new(false) };
}

/// The functions that kernels call.
pub fn functions() -> [(&'static CStr, usize); 11] {
    [
        (names::GROUP, group as *const () as usize),
        (names::SHARED, shared as *const () as usize),
        (names::MEET, meet as *const () as usize),
        (names::INIT, init as *const () as usize),
        (names::EXPECT, expect as *const () as usize),
        (names::ARRIVE, arrive as *const () as usize),
        (names::WAIT, wait as *const () as usize),
        (names::COPY, copy as *const () as usize),
        (names::PRODUCT, product as *const () as usize),
        (names::COMMIT, commit as *const () as usize),
        (names::WAIT_PRODUCTS, wait_products as *const () as usize),
    ]
}

/// Returns true if a kernel, which is run for no block, runs once for each warpgroup.
pub fn has_groups(run: impl FnOnce()) -> bool {
    HAS_GROUPS.set(false);
    run();
    HAS_GROUPS.get()
}

/// Runs a block once for each of its warpgroups, and returns the first error.
pub fn run_groups(count: usize, run: &(dyn Fn() + Sync)) -> Option<String> {
    let groups = (0..count).map(|_| Group::default()).collect();
    let block = Arc::new(Block {
        state: Mutex::new(State {
            turn: 0,
            groups,
            barriers: HashMap::new(),
            memory: vec![u64::MAX; 2 * ADDRESSES / 8],
            error: None,
        }),
        turn_passed: Condvar::new(),
    });
    thread::scope(|scope| {
        for number in 0..count {
            let block = Arc::clone(&block);
            scope.spawn(move || {
                CURRENT.set(Some((Arc::clone(&block), number)));
                drop(block.take_turn(block.lock(), number));
                run();
                let mut state = block.lock();
                state.groups[number].status = Status::Done;
                state.release_meeting();
                state.choose_next(number);
                block.turn_passed.notify_all();
                CURRENT.set(None);
            });
        }
    });
    let mut state = block.lock();
    state.error.take()
}

impl Block {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_turn<'a>(
        &'a self,
        state: MutexGuard<'a, State>,
        number: usize,
    ) -> MutexGuard<'a, State> {
        let wait = self.turn_passed.wait_while(state, |state| state.turn != number);
        wait.unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets other warpgroups run, until this one can continue.
    fn pass_turn<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        number: usize,
    ) -> MutexGuard<'a, State> {
        state.choose_next(number);
        self.turn_passed.notify_all();
        let mut state = self.take_turn(state, number);
        state.groups[number].status = Status::Ready;
        state
    }
}

impl State {
    fn fail(&mut self, message: String) {
        self.error.get_or_insert(message);
    }

    /// Chooses the next warpgroup that can run; the given one last.
    fn choose_next(&mut self, number: usize) {
        let count = self.groups.len();
        for attempt in 0..2 {
            let next = (1..=count).map(|step| (number + step) % count);
            if let Some(next) = next.into_iter().find(|next| self.can_run(*next)) {
                self.turn = next;
                return;
            }
            let is_done = self.groups.iter().all(|group| group.status == Status::Done);
            if is_done || attempt > 0 {
                return;
            }
            let message = self.deadlock();
            self.fail(message);
        }
    }

    fn can_run(&self, number: usize) -> bool {
        match self.groups[number].status {
            Status::Ready => true,
            Status::Done => false,
            Status::Meets => self.error.is_some(),
            Status::Waits(address, parity) => {
                let barrier = self.barriers.get(&address);
                self.error.is_some()
                    || barrier.is_some_and(|it| it.parity != parity || it.is_complete())
            }
        }
    }

    fn release_meeting(&mut self) {
        let waits = |group: &Group| !matches!(group.status, Status::Meets | Status::Done);
        if !self.groups.iter().any(waits) {
            for group in self.groups.iter_mut().filter(|group| group.status == Status::Meets) {
                group.status = Status::Ready;
            }
        }
    }

    fn deadlock(&self) -> String {
        let mut waits = Vec::new();
        for (number, group) in self.groups.iter().enumerate() {
            match group.status {
                Status::Waits(address, parity) => {
                    let offset = self.offset(address);
                    let (pending, bytes) = self.barriers.get(&address).map_or((0, 0), |barrier| {
                        (barrier.pending, barrier.expected - barrier.bytes())
                    });
                    waits.push(format!(
                        "warpgroup {number} waits for phase {parity} of the barrier at byte \
                         {offset} of shared memory, which lacks {pending} arrivals and {bytes} \
                         bytes"
                    ));
                }
                Status::Meets => waits.push(format!("warpgroup {number} is at 'gpu.barrier'")),
                Status::Ready | Status::Done => {}
            }
        }
        format!("deadlock: {}", waits.join("; "))
    }

    /// The address of the kernel's shared memory.
    fn start(&self) -> usize {
        (self.memory.as_ptr() as usize).next_multiple_of(ADDRESSES) + START
    }

    fn offset(&self, address: i64) -> i64 {
        address - self.start() as i64
    }

    /// The element at an address, of which the lower bits are used.
    fn element(&self, address: usize) -> u16 {
        let first = self.start() - START;
        let index = (first - self.memory.as_ptr() as usize) / 2 + address % ADDRESSES / 2;
        let word = self.memory[index / 4];
        (word >> (index % 4 * 16)) as u16
    }

    fn set_element(&mut self, address: usize, element: u16) {
        let first = self.start() - START;
        let index = (first - self.memory.as_ptr() as usize) / 2 + address % ADDRESSES / 2;
        let shift = index % 4 * 16;
        let word = &mut self.memory[index / 4];
        *word = *word & !(0xffff << shift) | u64::from(element) << shift;
    }

    /// Writes the box of a copy: its elements, or NaN before it is complete.
    fn write_box(&mut self, copy: &Copy, is_complete: bool) {
        // SAFETY: The map lives as long as the launch.
        let EmulatedMap { map, address } = unsafe { &*copy.map };
        let boxes: Vec<i64> = map.dimensions.iter().map(|it| it.box_size.into()).collect();
        let chunks = match map.swizzle {
            Swizzle::None => 1,
            Swizzle::Bytes128 => 8,
        };
        for row in 0..boxes[1..].iter().product() {
            let (mut rest, mut source, mut is_inside) = (row, *address, true);
            for (axis, dimension) in map.dimensions.iter().enumerate().skip(1) {
                let index = copy.indices[axis] + rest % boxes[axis];
                rest /= boxes[axis];
                is_inside &= index >= 0 && index < dimension.size as i64;
                source = source.wrapping_add((index * dimension.stride as i64) as usize);
            }
            for column in 0..boxes[0] {
                let target = (copy.target + 2 * (row * boxes[0] + column)) as usize;
                let index = copy.indices[0] + column;
                let exists = is_inside && index >= 0 && index < map.dimensions[0].size as i64;
                let element = match (is_complete, exists) {
                    (false, _) => u16::MAX,
                    // SAFETY: The element is in the slice of the tensor, whose elements have 2
                    // bytes.
                    (true, true) => unsafe {
                        (source as *const u16).wrapping_add(index as usize).read_unaligned()
                    },
                    (true, false) => 0,
                };
                self.set_element(target ^ swizzle(target, chunks), element);
            }
        }
    }

    /// Computes a product of a warpgroup.
    fn multiply(&mut self, number: usize, product: &Product) {
        let columns = product.columns;
        let sizes = [ROWS, columns];
        let factors = [0, 1].map(|operand| {
            let size = sizes[operand];
            let mut values = vec![0.0_f32; size * DEPTH];
            let descriptor = Descriptor::of(product.descriptors[operand]);
            for (index, value) in values.iter_mut().enumerate() {
                let position = (index / DEPTH, index % DEPTH);
                let address = descriptor.address(position, product.along_k[operand]);
                let bits = self.element(address);
                *value = if product.is_bf16 {
                    f32::from_bits(u32::from(bits) << 16)
                } else {
                    f16_value(bits)
                };
            }
            values
        });
        let group = &mut self.groups[number];
        let Some((sums, pending)) = group.accumulators.get_mut(&product.accumulator) else {
            return;
        };
        for (row, lhs) in factors[0].chunks(DEPTH).enumerate() {
            for (column, rhs) in factors[1].chunks(DEPTH).enumerate() {
                let sum = &mut sums[row * columns + column];
                let mut total = f64::from(*sum);
                for k in 0..DEPTH {
                    total += f64::from(lhs[k]) * f64::from(rhs[k]);
                }
                *sum = total as f32;
            }
        }
        *pending -= 1;
        if *pending == 0 {
            for (index, sum) in sums.iter().enumerate() {
                let address = product.address(index / columns, index % columns);
                // SAFETY: The address is of an accumulator of a thread.
                unsafe { *(address as *mut f32) = *sum };
            }
            group.accumulators.remove(&product.accumulator);
        }
    }
}

impl Barrier {
    fn bytes(&self) -> i64 {
        // SAFETY: The maps live as long as the launch.
        let sizes = self.copies.iter().map(|copy| unsafe { &(*copy.map).map });
        let sizes = sizes.map(|map| {
            let sizes = map.dimensions.iter().map(|dimension| i64::from(dimension.box_size));
            2 * sizes.product::<i64>()
        });
        sizes.sum()
    }

    fn is_complete(&self) -> bool {
        self.pending == 0 && self.expected == self.bytes()
    }

    /// Begins the next phase, and returns the copies of this one.
    fn complete(&mut self) -> Vec<Copy> {
        self.pending = self.count;
        self.expected = 0;
        self.parity ^= 1;
        std::mem::take(&mut self.copies)
    }
}

impl Product {
    /// The address of an element of the accumulator, which some thread has.
    fn address(&self, row: usize, column: usize) -> usize {
        let lane = row % 8 * 4 + column % 8 / 2;
        let thread = row / 16 * 32 + lane;
        let register = column / 8 * 4 + row % 16 / 8 * 2 + column % 2;
        self.accumulator as usize + thread * self.stride as usize + 4 * register
    }
}

/// A matrix descriptor (PTX ISA, "Matrix Descriptor Format").
struct Descriptor {
    start: usize,
    leading: usize,
    stride: usize,
    /// Chunks of 16 bytes in a row of the swizzle: 8, 4, 2; 1 without swizzle.
    chunks: usize,
}

impl Descriptor {
    fn of(bits: u64) -> Self {
        let field = |first: u32| (bits >> first & 0x3fff) as usize * 16;
        Self {
            start: field(0),
            leading: field(16),
            stride: field(32),
            chunks: [1, 8, 4, 2][(bits >> 62) as usize],
        }
    }

    /// The address of an element, by its index along m or n, and its index along k.
    fn address(&self, (outer, k): (usize, usize), along_k: bool) -> usize {
        let row = 16 * self.chunks;
        let offset = if along_k && self.chunks == 1 {
            outer / 8 * self.stride + outer % 8 * row + k / 8 * self.leading + k % 8 * 2
        } else if along_k {
            outer / 8 * self.stride + outer % 8 * row + k * 2
        } else {
            let elements = row / 2;
            let of_outer = outer / elements * self.leading + outer % elements * 2;
            of_outer + k / 8 * self.stride + k % 8 * row
        };
        let address = self.start + offset;
        address ^ swizzle(address, self.chunks)
    }
}

/// The bits that swizzling of rows of `chunks` changes in an address.
fn swizzle(address: usize, chunks: usize) -> usize {
    (address >> 7 & (chunks - 1)) << 4
}

/// The value of a number of type f16.
fn f16_value(bits: u16) -> f32 {
    let (sign, exponent, fraction) = (bits >> 15, bits >> 10 & 0x1f, f32::from(bits & 0x3ff));
    let size = match exponent {
        0 => fraction * 2.0_f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2.0_f32.powi(i32::from(exponent) - 15),
    };
    if sign == 0 { size } else { -size }
}

/// Calls a function with the block and the number of the warpgroup that runs on this thread.
fn with_current<T: Default>(run: impl FnOnce(&Block, usize) -> T) -> T {
    let current = CURRENT.with_borrow(Clone::clone);
    current.map_or_else(T::default, |(block, number)| run(&block, number))
}

extern "C" fn group() -> i64 {
    HAS_GROUPS.set(true);
    with_current(|_, number| number as i64)
}

extern "C" fn shared(_size: i64) -> i64 {
    with_current(|block, _| block.lock().start() as i64)
}

extern "C" fn meet() {
    with_current(|block, number| {
        let mut state = block.lock();
        state.groups[number].status = Status::Meets;
        state.release_meeting();
        drop(block.pass_turn(state, number));
    });
}

extern "C" fn init(address: i64, count: i64) {
    with_current(|block, _| {
        let barrier = Barrier {
            count,
            pending: count,
            parity: 0,
            expected: 0,
            copies: Vec::new(),
        };
        block.lock().barriers.insert(address, barrier);
    });
}

/// Arrives at a barrier whose phase also waits for copies of so many bytes.
extern "C" fn expect(address: i64, bytes: i64) {
    with_current(|block, _| {
        let mut state = block.lock();
        match state.barriers.get_mut(&address) {
            Some(barrier) => {
                barrier.pending -= 1;
                barrier.expected += bytes;
            }
            None => state.missing(address),
        }
    });
}

extern "C" fn arrive(address: i64) {
    with_current(|block, number| {
        let mut state = block.lock();
        match state.barriers.get_mut(&address) {
            Some(barrier) => {
                barrier.pending -= 1;
                if barrier.is_complete() && barrier.copies.is_empty() {
                    barrier.complete();
                }
            }
            None => state.missing(address),
        }
        drop(block.pass_turn(state, number));
    });
}

extern "C" fn wait(address: i64, parity: i64) {
    with_current(|block, number| {
        let mut state = block.lock();
        loop {
            if state.error.is_some() {
                return;
            }
            let Some(barrier) = state.barriers.get_mut(&address) else {
                return state.missing(address);
            };
            if barrier.is_complete() {
                for copy in barrier.complete() {
                    state.write_box(&copy, true);
                }
                continue;
            }
            if barrier.parity != parity {
                return;
            }
            state.groups[number].status = Status::Waits(address, parity);
            state = block.pass_turn(state, number);
        }
    });
}

impl State {
    fn missing(&mut self, address: i64) {
        let offset = self.offset(address);
        self.fail(format!(
            "the barrier at byte {offset} of shared memory is not initialized"
        ));
    }
}

extern "C" fn copy(map: *const EmulatedMap, target: i64, address: i64, x: i64, y: i64, z: i64) {
    with_current(|block, _| {
        let mut state = block.lock();
        let indices = [x, y, z];
        let copy = Copy {
            map,
            target,
            indices,
        };
        if target % 128 != 0 {
            return state.fail(format!(
                "the target of a copy is at byte {} of shared memory, not at a multiple of 128",
                target as usize % ADDRESSES
            ));
        }
        state.write_box(&copy, false);
        match state.barriers.get_mut(&address) {
            Some(barrier) => barrier.copies.push(copy),
            None => state.missing(address),
        }
    });
}

extern "C" fn product(lhs: i64, rhs: i64, accumulator: i64, stride: i64, columns: i64, flags: i64) {
    with_current(|block, number| {
        let has = |flag| flags & flag != 0;
        let product = Product {
            descriptors: [lhs as u64, rhs as u64],
            accumulator,
            stride,
            columns: columns as usize,
            is_bf16: has(names::BF16),
            along_k: [has(names::LHS_ALONG_K), has(names::RHS_ALONG_K)],
        };
        let mut state = block.lock();
        let group = &mut state.groups[number];
        let entry = group.accumulators.entry(accumulator);
        let (_, pending) = entry.or_insert_with(|| {
            let elements = (0..ROWS * product.columns).map(|index| {
                let address = product.address(index / product.columns, index % product.columns);
                let element = address as *mut f32;
                // SAFETY: The address is of an accumulator of a thread.
                unsafe { element.replace(f32::NAN) }
            });
            (elements.collect(), 0)
        });
        *pending += 1;
        group.open.push(product);
    });
}

extern "C" fn commit() {
    with_current(|block, number| {
        let mut state = block.lock();
        let group = &mut state.groups[number];
        let products = std::mem::take(&mut group.open);
        group.committed.push_back(products);
    });
}

/// Waits until at most so many groups of products are pending.
extern "C" fn wait_products(pending: i64) {
    with_current(|block, number| {
        let mut state = block.lock();
        while state.groups[number].committed.len() as i64 > pending {
            let products = state.groups[number].committed.pop_front();
            for product in products.unwrap_or_default() {
                state.multiply(number, &product);
            }
        }
    });
}
