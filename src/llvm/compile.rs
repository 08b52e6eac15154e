//! Compiles the partitions of a program to objects, on several threads.
//!
//! Uses `unsafe` to move an LLVM module to another thread together with its context.

use super::{
    module::{translate_unverified, verify},
    optimize::{Effort, optimize},
    partition::Partition,
    target::{LentMachine, MOST_MACHINES, TargetDescription},
};
use halo_backend::compilation_cache::Key;
use halo_runtime::{Error, Result};
use inkwell::{
    context::Context,
    llvm_sys::{core::LLVMDisposeModule, prelude::LLVMModuleRef},
    memory_buffer::MemoryBuffer,
    module::Module,
};
use object::{Object as _, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};
use std::{
    mem::ManuallyDrop,
    num::NonZeroUsize,
    sync::{
        Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    time::{Duration, Instant},
};

/// The number of translated partitions that wait for each other thread. Small programs have fewer
/// partitions, and the smallest is translated before the second is compiled.
const TRANSLATED_AHEAD: usize = 4;

/// The machine code of a partition.
#[derive(Debug)]
pub struct Object {
    /// The name of the partition.
    pub name: String,
    /// An object file.
    pub code: Vec<u8>,
    /// The time of LLVM.
    pub time: Duration,
    /// The key in the cache, if it is cached.
    pub kept: Option<Key>,
}

impl Object {
    /// Bytes of instructions.
    pub fn code_bytes(&self) -> u64 {
        let Ok(file) = object::File::parse(&self.code[..]) else {
            return 0;
        };
        let sections = file.sections();
        let code = sections.filter(|section| section.kind() == SectionKind::Text);
        code.map(|section| section.size()).sum()
    }

    /// The functions with their bytes of instructions.
    pub fn functions(&self) -> Vec<(String, u64)> {
        let Ok(file) = object::File::parse(&self.code[..]) else {
            return Vec::new();
        };
        let functions = file.symbols().filter(|it| it.kind() == SymbolKind::Text);
        let named = functions.filter_map(|it| Some((it.name().ok()?.to_owned(), it.size())));
        named.filter(|(_, bytes)| *bytes > 0).collect()
    }
}

/// The parameters of a compilation.
#[derive(Clone, Copy)]
pub struct Compilation<'a> {
    /// The target processor.
    pub target: &'a TargetDescription,
    /// The optimization effort.
    pub effort: Effort,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// Called before each partition. The compilation ends with its error.
    pub proceed: &'a dyn Fn() -> Result<()>,
    /// Called for each partition, from the thread that compiled it.
    pub finished: &'a (dyn Fn(&Object) + Sync),
}

/// Compiles the partitions of a program, in their order.
///
/// # Errors
/// Returns invalid-input or internal errors of the first part that fails, and the errors of
/// `proceed`.
pub fn compile(partitions: &[Partition<'_>], compilation: &Compilation<'_>) -> Result<Vec<Object>> {
    let Compilation {
        target,
        effort,
        threads,
        proceed,
        finished,
    } = *compilation;
    let results: Vec<Mutex<Option<Result<Object>>>> =
        partitions.iter().map(|_| Mutex::new(None)).collect();
    // Data for the threads: partitions are handles of MLIR, which stay on this one.
    let names: Vec<String> = partitions.iter().map(Partition::name).collect();
    let keep = |index: usize, module: ThreadSafeModule, machine: &LentMachine| {
        let compiled = module.compile(&names[index], machine, (target, effort));
        if let Ok(object) = &compiled {
            finished(object);
        }
        *lock(&results[index]) = Some(compiled);
    };
    let machine = target.machine()?;
    let helpers = threads.get().min(partitions.len()).saturating_sub(1);
    let (sender, receiver) = sync_channel(helpers * TRANSLATED_AHEAD);
    let receiver = &Mutex::new(receiver);
    let keep = &keep;
    std::thread::scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(move || {
                let machine = target.machine();
                if let Ok(machine) = &machine {
                    drain(receiver, &mut |(index, module)| {
                        keep(index, module, machine)
                    });
                }
            });
        }
        // Only this thread reads MLIR. It compiles the partitions that the others do not take.
        let produced = produce(partitions, proceed, (&sender, receiver), &mut |task| {
            let (index, module) = task;
            keep(index, module, &machine);
        });
        drop(sender);
        drain(receiver, &mut |(index, module)| {
            keep(index, module, &machine)
        });
        produced
    })?;
    results
        .into_iter()
        .map(|result| {
            let result = result.into_inner().unwrap_or_else(PoisonError::into_inner);
            result.unwrap_or_else(|| Err(Error::internal("a part was not compiled")))
        })
        .collect()
}

/// Compiles a loop on as many threads as [`compile`] uses. LLVM builds the tables of a processor
/// for the first code of a machine: a fifth of the time of a small kernel.
///
/// # Errors
/// Returns the errors of [`compile`].
pub fn warm_up(target: &TargetDescription, threads: NonZeroUsize) -> Result<()> {
    let machines = (0..threads.get().min(MOST_MACHINES)).map(|_| target.machine());
    let machines = machines.collect::<Result<Vec<_>>>()?;
    std::thread::scope(|scope| {
        let spawn = |machine: LentMachine| scope.spawn(move || compile_loop(target, &machine));
        let threads: Vec<_> = machines.into_iter().map(spawn).collect();
        let mut joined = threads.into_iter().map(|thread| thread.join());
        let panicked = || Err(Error::internal("a thread has panicked"));
        joined.try_for_each(|done| done.unwrap_or_else(|_| panicked()))
    })
}

/// Multiplies numbers by a constant. X86 builds its table of memory folding instructions, half of
/// the work here, when it hoists the constant out of the loop.
const LOOP: &str = "
define void @scale(ptr %numbers, i64 %count) {
entry:
  br label %body
body:
  %index = phi i64 [ 0, %entry ], [ %next, %body ]
  %place = getelementptr float, ptr %numbers, i64 %index
  %number = load float, ptr %place
  %scaled = fmul float %number, 3.0
  store float %scaled, ptr %place
  %next = add i64 %index, 1
  %done = icmp eq i64 %next, %count
  br i1 %done, label %exit, label %body
exit:
  ret void
}";

fn compile_loop(target: &TargetDescription, machine: &LentMachine) -> Result<()> {
    let context = Context::create();
    let text = MemoryBuffer::create_from_memory_range_copy(LOOP.as_bytes(), "loop");
    let module = context.create_module_from_ir(text);
    let module = module.map_err(|error| Error::internal(format!("LLVM: {error}")))?;
    optimize(&module, machine, target, Effort::Full)?;
    machine.object(&module).map(drop)
}

type Task = (usize, ThreadSafeModule);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Translates partitions, and compiles the first waiting ones if many wait. The largest partitions
/// come first, so that threads that take them in order end at about the same time.
fn produce(
    partitions: &[Partition<'_>],
    proceed: &dyn Fn() -> Result<()>,
    (sender, receiver): (&SyncSender<Task>, &Mutex<Receiver<Task>>),
    compile: &mut dyn FnMut(Task),
) -> Result<()> {
    for (index, partition) in partitions.iter().enumerate() {
        proceed()?;
        let task = (index, ThreadSafeModule::translate(partition)?);
        let Some(task) = refused(sender, task) else {
            continue;
        };
        let first = lock(receiver).try_recv();
        let Ok(first) = first else {
            // There is no other thread, or it has just taken all waiting tasks.
            compile(task);
            continue;
        };
        compile(first);
        if let Some(task) = refused(sender, task) {
            compile(task);
        }
    }
    Ok(())
}

/// Sends a task to the other threads. Returns it if too many wait, or no thread accepts them.
fn refused(sender: &SyncSender<Task>, task: Task) -> Option<Task> {
    match sender.try_send(task) {
        Ok(()) => None,
        Err(TrySendError::Full(task) | TrySendError::Disconnected(task)) => Some(task),
    }
}

fn drain(receiver: &Mutex<Receiver<Task>>, compile: &mut dyn FnMut(Task)) {
    loop {
        let next = lock(receiver).recv();
        match next {
            Ok(task) => compile(task),
            Err(_) => return,
        }
    }
}

/// An LLVM module with its context, which are used by one thread at a time. ORC's class has the
/// same name.
struct ThreadSafeModule {
    module: LLVMModuleRef,
    /// Dropped after the module.
    _context: Context,
}

// SAFETY: This value has the only references to the module and the context.
unsafe impl Send for ThreadSafeModule {}

impl ThreadSafeModule {
    fn translate(partition: &Partition<'_>) -> Result<Self> {
        let context = Context::create();
        let module = partition.with_module(|source| translate_unverified(source, &context))?;
        let module = ManuallyDrop::new(module);
        Ok(Self {
            module: module.as_mut_ptr(),
            _context: context,
        })
    }

    fn compile(
        &self,
        name: &str,
        machine: &LentMachine,
        (target, effort): (&TargetDescription, Effort),
    ) -> Result<Object> {
        let start = Instant::now();
        // SAFETY: The module is valid. Only this value disposes of it.
        let module = ManuallyDrop::new(unsafe { Module::new(self.module) });
        verify(&module)?;
        optimize(&module, machine, target, effort)?;
        let code = machine.object(&module)?;
        Ok(Object {
            name: name.to_owned(),
            code,
            time: start.elapsed(),
            kept: None,
        })
    }
}

impl Drop for ThreadSafeModule {
    fn drop(&mut self) {
        // SAFETY: The module is valid, and its context is alive.
        unsafe { LLVMDisposeModule(self.module) }
    }
}
