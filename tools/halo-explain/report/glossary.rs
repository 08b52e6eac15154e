//! The words of the page that a reader may not know, and the forms in which its texts have them.

pub struct Word {
    pub word: &'static str,
    /// What is marked where it stands in a text: the word, its plural, other forms.
    pub forms: &'static [&'static str],
    pub meaning: &'static str,
}

impl Word {
    /// Its name in addresses.
    pub fn id(&self) -> String {
        let name = self.word.to_lowercase();
        let letters = name.split(|letter: char| !letter.is_ascii_alphanumeric());
        let parts: Vec<&str> = letters.filter(|part| !part.is_empty()).collect();
        parts.join("-")
    }
}

const fn word(word: &'static str, forms: &'static [&'static str], meaning: &'static str) -> Word {
    Word {
        word,
        forms,
        meaning,
    }
}

pub const GLOSSARY: [Word; 70] = [
    word(
        "arena",
        &["arena"],
        "the one block of memory for all intermediate values; those that are not needed at the same time share its bytes",
    ),
    word(
        "argument, result",
        &["argument", "arguments", "result", "results"],
        "what the program is given, and what it gives back; argument 0 is the first one. They are outside of the arena",
    ),
    word(
        "assembly",
        &["assembly", "machine code"],
        "the instructions of the processor that a kernel became",
    ),
    word(
        "backend",
        &["backend", "backends"],
        "the part of the compiler that makes code for one kind of device, such as cpu or cuda",
    ),
    word(
        "buffer",
        &["buffer", "buffers"],
        "a piece of memory that holds a tensor while a kernel reads or writes it; those of intermediate values are parts of the arena",
    ),
    word(
        "cache",
        &["cache", "caches", "cold caches"],
        "a small, fast memory of the processor that keeps what was read last; it is cold as long as it does not hold what is read",
    ),
    word(
        "call",
        &["call", "calls"],
        "one execution of a kernel; a call site in a loop makes several in a run",
    ),
    word(
        "call site",
        &["call site", "call sites"],
        "a place in the compiled program that calls a kernel; equal kernels are compiled once and called at several sites",
    ),
    word(
        "caller",
        &["callers", "caller"],
        "the code that calls kernels one after the other, between them loops and addresses; it is compiled to machine code as they are",
    ),
    word(
        "code generator",
        &["code generator"],
        "the part of LLVM that makes instructions of LLVM IR: it chooses them, gives them registers, and orders them",
    ),
    word(
        "compute",
        &["compute"],
        "arithmetic: a kernel is limited by compute if its operations take longer than its data, both as fast as the machine can",
    ),
    word(
        "contraction",
        &["contraction", "contractions"],
        "a sum of products over a dimension: dot_general, convolutions and what they become",
    ),
    word(
        "could save",
        &["could save"],
        "the time of the fastest run above the limit, as a part of the time of that run",
    ),
    word(
        "decision",
        &["decision", "decisions", "refusal", "refusals"],
        "what a pass did or refused to do, and why; a refusal is final, or another pass overcomes it",
    ),
    word(
        "elementary function",
        &["elementary function", "elementary functions", "elementary"],
        "an exponential, logarithm, root, tanh and the like; each is made of many operations, which flops do not count. Where one is weighed against other work, it counts as 20 operations, about those of an exponential of f32",
    ),
    word(
        "elementwise",
        &["elementwise"],
        "an op that computes each element of its result from the elements at the same place of its operands, such as add",
    ),
    word(
        "entry",
        &["entry"],
        "the function of the program that is called from outside, main as a rule",
    ),
    word(
        "fills a buffer",
        &["fills a buffer", "fills"],
        "writes one value to all of a buffer, such as the zeros that sums begin with",
    ),
    word(
        "flop",
        &["flop", "flops", "FLOP", "MFLOP", "GFLOP/s"],
        "a floating-point operation; a multiplication and an addition are two. MFLOP are millions of them, GFLOP/s thousands of millions each second",
    ),
    word(
        "flop/B",
        &["flop/B", "op/B"],
        "operations for each byte that a kernel touches: the arithmetic intensity. Many mean that arithmetic limits it, few that data do",
    ),
    word(
        "follow",
        &["follow"],
        "a link that leads an op of the program through all passes: what each of them made of it, and in which kernel it ended",
    ),
    word(
        "fused",
        &["fused", "joined", "fuse"],
        "computed in one kernel, so that the value between two ops is not stored in memory",
    ),
    word(
        "GOP/s",
        &["GOP/s", "MOP"],
        "thousands of millions of operations on integers each second; MOP are millions of them",
    ),
    word(
        "group",
        &["group", "groups"],
        "ops that one kernel computes together, row by row or tile by tile, each reading what another one has just made",
    ),
    word(
        "halo-run --profile=summary",
        &["--profile=summary"],
        "the tool that runs a program and prints a table of the times of its kernels, which has the same figures as this report",
    ),
    word(
        "idle",
        &["idle"],
        "the part of the time of all threads, while a kernel ran, in which they had no task of it, or none yet",
    ),
    word(
        "IR",
        &["IR"],
        "intermediate representation: the program as the compiler has it between two passes, as text of MLIR",
    ),
    word(
        "iteration",
        &["iteration", "iterations"],
        "one execution of the body of a loop",
    ),
    word(
        "kernel",
        &["kernel", "kernels"],
        "a function of machine code that was made of one or more ops of the program. main_kernel_N computes, main_pack_N brings an operand of a product into the order in which the product reads it",
    ),
    word(
        "L1, L2, L3",
        &["L1", "L2", "L3"],
        "the caches of a processor, from the nearest and fastest to the furthest and largest; after the last one comes memory",
    ),
    word(
        "limit",
        &["limit"],
        "the least time that this machine needs for the operations of a kernel (compute), for its data, from the caches (L1, L2, L3) or the memory where they could be at best, or for the call itself (start), by what was measured of the machine; and which of these it is",
    ),
    word(
        "live",
        &["live", "lives"],
        "a buffer lives from the call before which it gets its place in memory to the one that last reads it; all calls of a loop count as one",
    ),
    word(
        "LLVM",
        &["LLVM", "LLVM IR"],
        "the compiler that makes machine code of kernels; LLVM IR is the form in which it gets them, and its passes improve that",
    ),
    word(
        "lower bound",
        &["lower bound"],
        "the most bytes of intermediate values that are live at the same time: for these kernels in this order no arena can be smaller",
    ),
    word(
        "lowering",
        &["lowering", "lowered"],
        "replacing ops by ones that are nearer to the machine, such as a reduction by loops",
    ),
    word(
        "MB, kB, GB/s",
        &["MB", "kB", "GB", "GB/s"],
        "a million bytes, a thousand bytes, and a thousand million bytes each second",
    ),
    word(
        "mean, min, median, max",
        &["mean", "median"],
        "of the times that were measured: their average, the least, the one in the middle, and the most",
    ),
    word(
        "moves elements",
        &["moves elements", "movement of data"],
        "copies elements to other places without arithmetic: transposes, slices, gathers, pads",
    ),
    word(
        "not accounted for",
        &["not accounted for"],
        "the part of a time that no other part explains: it was not measured what it is. It is a range where it was not measured how much of the other parts goes on at the same time",
    ),
    word(
        "of limit",
        &["of limit"],
        "the limit by the time of the fastest run: 100% is as fast as this machine allows",
    ),
    word(
        "op",
        &["op", "ops"],
        "an operation of the program, such as stablehlo.add. A kernel is made of some of them",
    ),
    word(
        "operand",
        &["operand", "operands"],
        "a value that an op reads",
    ),
    word(
        "packed",
        &["packed", "packs an operand", "packs", "pack"],
        "copied into the order in which a kernel reads it",
    ),
    word(
        "padded, rearranged",
        &["padded", "rearranged", "pads"],
        "copied with zeros around it, or in another order of elements, so that the kernel that reads it needs no tests at edges",
    ),
    word(
        "pass",
        &["pass", "passes"],
        "a step of the compiler, which reads the whole program and writes a changed one; the tab IR shows the program after each",
    ),
    word(
        "peak",
        &["peak"],
        "the moment of a run at which intermediate values need the most memory",
    ),
    word(
        "phase",
        &["phase", "phases"],
        "a part of the compiler with several passes: hlo simplifies the ops of the program, linalg makes structured ops of them, fusion joins these, bufferized gives them buffers, kernels makes loops and kernels, llvm makes code for LLVM, which makes machine code",
    ),
    word(
        "place",
        &["place"],
        "where an op is in the program's file: file:line:column",
    ),
    word(
        "processor name",
        &[
            "emeraldrapids",
            "sapphirerapids",
            "graniterapids",
            "skylake-avx512",
            "icelake-server",
            "haswell",
            "znver3",
            "znver4",
            "znver5",
            "neoverse-v1",
            "neoverse-v2",
            "apple-m1",
        ],
        "LLVM's name of the kind of processor that machine code is made for: emeraldrapids are Intel's Xeons of 2023, znver4 AMD's Zen 4, neoverse-v2 ARM's",
    ),
    word(
        "product",
        &["product", "products"],
        "a product of matrices, which dot_general and convolutions are",
    ),
    word(
        "reduction",
        &["reduction", "reductions"],
        "an op that makes one element of many, such as a sum",
    ),
    word(
        "remark",
        &["remark", "remarks"],
        "what a pass says of a decision, such as why it did not fuse two ops",
    ),
    word(
        "roofline",
        &["roofline"],
        "a chart of the speed of kernels over their operations for each byte, below the limits of the machine, which look like a roof",
    ),
    word(
        "run",
        &["run", "runs"],
        "one execution of the whole program; several are measured",
    ),
    word(
        "start of the call",
        &["start of the call", "start of its call", "start of calls"],
        "what a call takes before and after the work of its kernel, measured by one that does next to nothing",
    ),
    word(
        "streamed",
        &["streamed"],
        "read once from its begin to its end, without being kept in a cache",
    ),
    word(
        "structured op",
        &["structured op", "structured ops"],
        "an op of MLIR's dialect linalg: loops over all elements, written as one op that says how each is computed",
    ),
    word(
        "task, thread",
        &["task", "tasks", "thread", "threads"],
        "a thread runs code at the same time as others, one on each core as a rule. A call of a kernel divides its iterations into tasks, at most one for each thread, which run at the same time",
    ),
    word(
        "tensor, memref",
        &["tensor", "tensors", "memref"],
        "an array of numbers of one type, as a value; memref is the type of one that is in memory. tensor<8x16xf32> has 8 rows of 16 numbers of 32 bits",
    ),
    word(
        "tile",
        &["tile", "tiles"],
        "a small block of a matrix that stays in registers or caches while it is computed; at edges of tiles there are fewer rows or columns than a block has",
    ),
    word(
        "touched",
        &["touched", "touches"],
        "read or written by a call, each byte counted once",
    ),
    word(
        "trail",
        &["trail"],
        "the lines that an op of the program became, pass by pass",
    ),
    word(
        "user, reader",
        &["the user", "users", "the reader"],
        "an op that reads the result of another one",
    ),
    word(
        "value",
        &["value", "values"],
        "what an op computes. Several values may be in one buffer, one after the other: each lives from the call that writes it to the last one that reads it",
    ),
    word(
        "vector",
        &["vector", "vectors"],
        "several numbers in one register (xmm, ymm and zmm of x86 have 128, 256 and 512 bits), on which one instruction computes at once",
    ),
    word(
        "verifier",
        &["verifier"],
        "the check that a program is valid, after passes: types, operands, and the rules of each op",
    ),
    word(
        "vfmadd231ps",
        &["vfmadd231ps", "vfmadd231pd", "fmla"],
        "an instruction that multiplies two vectors and adds a third one: two operations for each element, ps on numbers of 32 bits and pd of 64. It is the fastest way to compute, so that limits of arithmetic are measured with it",
    ),
    word(
        "view",
        &["view"],
        "another name for elements that a buffer has already, in another shape or order: it needs no code",
    ),
    word(
        "vpdpbusd, vdpbf16ps",
        &["vpdpbusd", "vdpbf16ps"],
        "instructions that add products of neighbors, of four bytes or of two bf16, to an element of 32 bits",
    ),
    word(
        "waiting",
        &["waiting"],
        "the part of the time of all threads, while a kernel ran, in which they had done their tasks of it, and others had not",
    ),
];

#[cfg(test)]
mod tests {
    use super::super::{account, names};
    use super::*;
    use halo_runtime::compilation_record::CallPurpose;
    use std::collections::BTreeSet;

    #[test]
    fn words_are_sorted_and_each_form_is_of_one_word() {
        let names: Vec<String> = GLOSSARY.iter().map(|it| it.word.to_lowercase()).collect();
        assert!(names.is_sorted(), "{names:?}");
        let ids: BTreeSet<String> = GLOSSARY.iter().map(Word::id).collect();
        assert_eq!(ids.len(), GLOSSARY.len());
        let mut forms = BTreeSet::new();
        for form in GLOSSARY.iter().flat_map(|it| it.forms) {
            assert!(forms.insert(form), "{form}");
        }
        // What newcomers asked for.
        for form in [
            "phase",
            "pass",
            "tile",
            "structured op",
            "follow",
            "arena",
            "limit",
            "callers",
            "packs",
            "fills",
            "moves elements",
            "padded",
            "group",
        ] {
            assert!(forms.contains(&form), "{form}");
        }
        for purpose in [CallPurpose::Pack, CallPurpose::Move, CallPurpose::Fill] {
            assert!(forms.contains(&names::work(purpose)), "{purpose:?}");
        }
    }

    #[test]
    fn elementary_functions_count_as_what_reports_count_them() {
        let word = GLOSSARY.iter().find(|it| it.word == "elementary function");
        let number = format!("counts as {} operations", account::OF_FUNCTION);
        assert!(word.unwrap().meaning.contains(&number), "{number}");
    }
}
