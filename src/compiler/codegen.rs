//! Code generation: from linalg on buffers to loops, vectors and kernels.
