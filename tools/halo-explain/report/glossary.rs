//! The words of the page that a reader of another compiler may not know.

pub const GLOSSARY: [(&str, &str); 12] = [
    (
        "kernel",
        "a function of machine code that was made of one or more ops of the program; main_pack_N brings an operand of a product into the order in which the product reads it",
    ),
    (
        "call site",
        "a place in the compiled program that calls a kernel; equal kernels are compiled once and called at several sites",
    ),
    (
        "call",
        "one execution of a kernel; a site in a loop makes several in a run",
    ),
    (
        "limit",
        "the least time that this machine needs for the operations of a kernel (compute) or for its data (memory), by what was measured of it",
    ),
    (
        "of limit",
        "that time by the measured time: 100% is as fast as the machine allows",
    ),
    ("could save", "the measured time above the limit"),
    (
        "arena",
        "the one block of memory for all intermediate values; those that are not needed at the same time share its bytes",
    ),
    (
        "lower bound of the arena",
        "the most bytes of intermediate values that are needed at the same time: for these kernels in this order no arena can be smaller",
    ),
    (
        "fused",
        "computed in one kernel, so that the value between two ops is not stored",
    ),
    ("packed", "copied into the order in which a kernel reads it"),
    (
        "idle",
        "the part of the time of all threads, while a kernel ran, in which they had no work of it",
    ),
    (
        "flop/B",
        "floating-point operations for each byte that a kernel touches: the arithmetic intensity",
    ),
];
