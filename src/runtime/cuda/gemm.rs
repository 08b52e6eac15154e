//! Matrix products by cuBLASLt.
//!
//! The library takes column-major matrices. A row-major matrix is its transpose in column-major
//! order, so for `c = a * b` it computes `c^T = b^T * a^T`: lhs and rhs are swapped, and no data is
//! moved.
//!
//! The library's heuristic search for the best algorithm is slow, so its result is cached per type
//! of product.
//!
//! Calls the library; see the [parent module](super).

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::cublaslt::{result, sys};
use cudarc::driver::sys::CUstream;
use halo_core::{ElementType, panics};

use super::driver::{Context, failed};
use super::memory::MemoryPool;
use crate::plan::{Gemm, GemmMatrix, GemmPrecision};
use crate::{DeviceMemory, Error, Result};

/// The size of the library's workspace in bytes, as NVIDIA recommends for
/// Hopper.
const WORKSPACE_SIZE: usize = 32 << 20;

/// The transposition of an operand, in cuBLAS's numbering.
const NOT_TRANSPOSED: i32 = 0;
const TRANSPOSED: i32 = 1;

fn refused(what: &str, error: result::CublasError) -> Error {
    Error::execution(format!("cuBLASLt {what}: {error}"))
}

/// The library's workspace of one stream.
pub(super) struct Workspace {
    memory: DeviceMemory,
    address: u64,
}

impl Workspace {
    /// # Errors
    /// Returns an execution error if memory is exhausted.
    pub fn new(pool: &Arc<MemoryPool>) -> Result<Self> {
        let allocation = pool.allocate(WORKSPACE_SIZE)?;
        Ok(Self {
            address: allocation.address(),
            memory: DeviceMemory::new(allocation),
        })
    }

    pub fn memory(&self) -> &DeviceMemory {
        &self.memory
    }
}

/// The library, loaded for a device.
pub(super) struct Library {
    context: Arc<Context>,
    handle: sys::cublasLtHandle_t,
    prepared: Mutex<HashMap<Kind, Arc<Prepared>>>,
}

// SAFETY: the library's functions may be called from any thread with its
// handle.
unsafe impl Send for Library {}
// SAFETY: as above; mutable state is protected by a lock.
unsafe impl Sync for Library {}

/// Products that are computed alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Kind {
    batch: u64,
    sizes: [u64; 3],
    operands: [Operand; 3],
    precision: GemmPrecision,
    /// The alignment of the addresses, up to 256.
    alignments: [u32; 3],
}

/// A matrix in the column-major view of the library: the transpose of the actual matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Operand {
    element_type: ElementType,
    rows: u64,
    columns: u64,
    leading_dimension: i64,
    batch_stride: i64,
    transposition: i32,
}

impl Operand {
    /// The operand for a matrix of the given rows and columns.
    fn new(matrix: &GemmMatrix, rows: u64, columns: u64) -> Self {
        // A row has `columns` elements, and is a column for the library.
        let (rows, columns) = if matrix.transposed {
            (rows, columns)
        } else {
            (columns, rows)
        };
        Self {
            element_type: matrix.element_type,
            rows,
            columns,
            leading_dimension: matrix.leading_dimension as i64,
            batch_stride: matrix.batch_stride as i64,
            transposition: if matrix.transposed {
                TRANSPOSED
            } else {
                NOT_TRANSPOSED
            },
        }
    }
}

impl Kind {
    /// The type of a product whose matrices are at these addresses, with the factors in the
    /// library's order.
    fn new(gemm: &Gemm, [a, b, c]: [u64; 3]) -> Self {
        let alignment = |address: u64| 1 << address.trailing_zeros().min(8);
        Self {
            batch: gemm.batch,
            sizes: [gemm.m, gemm.n, gemm.k],
            operands: [
                Operand::new(&gemm.b, gemm.k, gemm.n),
                Operand::new(&gemm.a, gemm.m, gemm.k),
                Operand::new(&gemm.c, gemm.m, gemm.n),
            ],
            precision: gemm.precision,
            alignments: [alignment(b), alignment(a), alignment(c)],
        }
    }
}

fn data_type(element_type: ElementType) -> Result<sys::cudaDataType> {
    Ok(match element_type {
        ElementType::F16 => sys::cudaDataType::CUDA_R_16F,
        ElementType::BF16 => sys::cudaDataType::CUDA_R_16BF,
        ElementType::F32 => sys::cudaDataType::CUDA_R_32F,
        ElementType::F64 => sys::cudaDataType::CUDA_R_64F,
        ElementType::Complex64 => sys::cudaDataType::CUDA_C_32F,
        ElementType::Complex128 => sys::cudaDataType::CUDA_C_64F,
        other => return Err(Error::invalid(format!("a matrix product of {other}"))),
    })
}

/// The type of sums, the type of scaling factors, and the scaling factor: one.
fn arithmetic(
    element_type: ElementType,
    precision: GemmPrecision,
) -> (sys::cublasComputeType_t, sys::cudaDataType, [u8; 16]) {
    use sys::cublasComputeType_t as Compute;
    let mut one = [0; 16];
    let (compute, scale) = match element_type {
        ElementType::F64 => (Compute::CUBLAS_COMPUTE_64F, sys::cudaDataType::CUDA_R_64F),
        ElementType::Complex128 => (Compute::CUBLAS_COMPUTE_64F, sys::cudaDataType::CUDA_C_64F),
        ElementType::Complex64 => (Compute::CUBLAS_COMPUTE_32F, sys::cudaDataType::CUDA_C_32F),
        _ => {
            let compute = match precision {
                GemmPrecision::Full => Compute::CUBLAS_COMPUTE_32F,
                GemmPrecision::Tf32 => Compute::CUBLAS_COMPUTE_32F_FAST_TF32,
                GemmPrecision::Bf16 => Compute::CUBLAS_COMPUTE_32F_FAST_16BF,
            };
            (compute, sys::cudaDataType::CUDA_R_32F)
        }
    };
    match element_type {
        ElementType::F64 | ElementType::Complex128 => {
            one[..8].copy_from_slice(&1_f64.to_ne_bytes());
        }
        _ => one[..4].copy_from_slice(&1_f32.to_ne_bytes()),
    }
    (compute, scale, one)
}

/// A scaling factor that the library reads from memory; of type `f64` or narrower, or a pair of
/// them.
#[repr(C, align(16))]
struct Scale([u8; 16]);

/// The algorithm for products of a type.
pub(super) struct Prepared {
    description: Description,
    layouts: [Layout; 3],
    algorithm: sys::cublasLtMatmulAlgo_t,
    one: [u8; 16],
}

/// The operands and the parameters of a product.
struct Description(sys::cublasLtMatmulDesc_t);

// SAFETY: the library only reads it after its creation.
unsafe impl Send for Description {}
// SAFETY: as above.
unsafe impl Sync for Description {}

impl Drop for Description {
    fn drop(&mut self) {
        // SAFETY: this is the only owner of the handle.
        let _ = unsafe { result::destroy_matmul_desc(self.0) };
    }
}

impl Description {
    fn new(kind: &Kind) -> Result<(Self, [u8; 16]), result::CublasError> {
        use sys::cublasLtMatmulDescAttributes_t as Attribute;
        let [left, right, _] = &kind.operands;
        let (compute, scale, one) = arithmetic(left.element_type, kind.precision);
        let description = Self(result::create_matmul_desc(compute, scale)?);
        let transpositions = [
            (Attribute::CUBLASLT_MATMUL_DESC_TRANSA, &left.transposition),
            (Attribute::CUBLASLT_MATMUL_DESC_TRANSB, &right.transposition),
        ];
        for (attribute, value) in transpositions {
            // SAFETY: the attributes are numbers of 32 bits.
            unsafe {
                result::set_matmul_desc_attribute(
                    description.0,
                    attribute,
                    std::ptr::from_ref(value).cast::<c_void>(),
                    size_of::<i32>(),
                )
            }?;
        }
        Ok((description, one))
    }
}

/// The memory layout of a matrix.
struct Layout(sys::cublasLtMatrixLayout_t);

// SAFETY: the library only reads it after its creation.
unsafe impl Send for Layout {}
// SAFETY: as above.
unsafe impl Sync for Layout {}

impl Drop for Layout {
    fn drop(&mut self) {
        // SAFETY: this is the only owner of the handle.
        let _ = unsafe { result::destroy_matrix_layout(self.0) };
    }
}

impl Layout {
    fn new(operand: &Operand, batch: u64) -> Result<Self> {
        use sys::cublasLtMatrixLayoutAttribute_t as Attribute;
        let data_type = data_type(operand.element_type)?;
        let Operand {
            rows,
            columns,
            leading_dimension,
            batch_stride,
            ..
        } = operand;
        let make = || {
            let layout =
                result::create_matrix_layout(data_type, *rows, *columns, *leading_dimension)?;
            let layout = Self(layout);
            if batch > 1 {
                let count = i32::try_from(batch).unwrap_or(i32::MAX);
                // SAFETY: the attributes are numbers of 32 and of 64 bits.
                unsafe {
                    result::set_matrix_layout_attribute(
                        layout.0,
                        Attribute::CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
                        (&raw const count).cast::<c_void>(),
                        size_of::<i32>(),
                    )?;
                    result::set_matrix_layout_attribute(
                        layout.0,
                        Attribute::CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                        std::ptr::from_ref(batch_stride).cast::<c_void>(),
                        size_of::<i64>(),
                    )?;
                }
            }
            Ok(layout)
        };
        make().map_err(|error| refused("takes no such matrix", error))
    }
}

/// The algorithms that the library may choose from.
struct Preference(sys::cublasLtMatmulPreference_t);

impl Drop for Preference {
    fn drop(&mut self) {
        // SAFETY: this is the only owner of the handle.
        let _ = unsafe { result::destroy_matmul_pref(self.0) };
    }
}

impl Preference {
    fn new(kind: &Kind) -> Result<Self, result::CublasError> {
        use sys::cublasLtMatmulPreferenceAttributes_t as Attribute;
        let preference = Self(result::create_matmul_pref()?);
        let [left, right, of_result] = &kind.alignments;
        let alignments = [
            (Attribute::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, left),
            (Attribute::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, right),
            (
                Attribute::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
                of_result,
            ),
            (
                Attribute::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES,
                of_result,
            ),
        ];
        let size = WORKSPACE_SIZE;
        // SAFETY: the attributes are a number of 64 bits, and of 32.
        unsafe {
            result::set_matmul_pref_attribute(
                preference.0,
                Attribute::CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                (&raw const size).cast::<c_void>(),
                size_of::<usize>(),
            )?;
            for (attribute, value) in alignments {
                result::set_matmul_pref_attribute(
                    preference.0,
                    attribute,
                    std::ptr::from_ref(value).cast::<c_void>(),
                    size_of::<u32>(),
                )?;
            }
        }
        Ok(preference)
    }
}

impl Library {
    /// Loads the library for a device.
    ///
    /// # Errors
    /// Returns an execution error if it does not exist.
    pub fn load(context: &Arc<Context>) -> Result<Self> {
        // SAFETY: loading the library runs its initialization, which is
        // intended.
        if !unsafe { sys::is_culib_present() } {
            return Err(Error::execution(
                "the program multiplies matrices by cuBLASLt, and there is no library \
                 libcublasLt.so.12 that can be loaded",
            ));
        }
        context.enter().map_err(|error| failed("cuBLASLt does not start", error))?;
        // The bindings panic if the library lacks a function.
        let handle = panics::catch(result::create_handle);
        let handle = handle.map_err(|_| Error::execution("the cuBLASLt that is there is too old"));
        let handle = handle?.map_err(|error| refused("does not start", error))?;
        Ok(Self {
            context: Arc::clone(context),
            handle,
            prepared: Mutex::default(),
        })
    }

    /// The algorithm for a product whose matrices are at these addresses.
    ///
    /// # Errors
    /// Returns an execution error if the library does not support the product.
    pub fn prepare(&self, gemm: &Gemm, addresses: [u64; 3]) -> Result<Arc<Prepared>> {
        let kind = Kind::new(gemm, addresses);
        let prepared = self.prepared.lock();
        let mut prepared = prepared.unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = prepared.get(&kind) {
            return Ok(Arc::clone(found));
        }
        let made = Arc::new(self.choose(&kind)?);
        prepared.insert(kind, Arc::clone(&made));
        Ok(made)
    }

    fn choose(&self, kind: &Kind) -> Result<Prepared> {
        self.context.enter().map_err(|error| failed("a matrix product", error))?;
        let layout = |operand: &Operand| Layout::new(operand, kind.batch);
        let [left, right, of_result] = &kind.operands;
        let layouts = [layout(left)?, layout(right)?, layout(of_result)?];
        let choose = || {
            let (description, one) = Description::new(kind)?;
            let preference = Preference::new(kind)?;
            let [left, right, of_result] = &layouts;
            // SAFETY: the handles live, and the layouts are of the operands.
            let found = unsafe {
                result::get_matmul_algo_heuristic(
                    self.handle,
                    description.0,
                    left.0,
                    right.0,
                    of_result.0,
                    of_result.0,
                    preference.0,
                )
            }?;
            Ok((description, found.algo, one))
        };
        let (description, algorithm, one) = choose().map_err(|error| {
            let [m, n, k] = kind.sizes;
            let of = left.element_type;
            refused(
                &format!("computes no product {m}x{k} by {k}x{n} of {of}"),
                error,
            )
        })?;
        Ok(Prepared {
            description,
            layouts,
            algorithm,
            one,
        })
    }

    /// Enqueues a product of matrices at these addresses.
    ///
    /// # Errors
    /// Returns an execution error if the library fails.
    ///
    /// # Safety
    /// The context must be current, and the stream must belong to it; the matrices at the addresses
    /// must match the prepared product until it is done; no other stream may use the workspace
    /// meanwhile.
    pub unsafe fn multiply(
        &self,
        prepared: &Prepared,
        [a, b, c]: [u64; 3],
        workspace: &Workspace,
        stream: CUstream,
    ) -> Result<()> {
        let (one, zero) = (Scale(prepared.one), Scale([0; 16]));
        let pointer = |address: u64| address as *mut c_void;
        let [left, right, of_result] = &prepared.layouts;
        // SAFETY: the caller vouches for the matrices; the factors are in the
        // library's order, and the numbers are of the type that the product is
        // scaled by.
        let outcome = unsafe {
            result::matmul(
                self.handle,
                prepared.description.0,
                (&raw const one).cast::<c_void>(),
                (&raw const zero).cast::<c_void>(),
                pointer(b),
                left.0,
                pointer(a),
                right.0,
                pointer(c),
                of_result.0,
                pointer(c),
                of_result.0,
                &raw const prepared.algorithm,
                pointer(workspace.address),
                WORKSPACE_SIZE,
                stream.cast(),
            )
        };
        outcome.map_err(|error| refused("does not multiply", error))
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        if self.context.enter().is_ok() {
            // SAFETY: streams keep the owner of the library.
            let _ = unsafe { result::destroy_handle(self.handle) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::plan::{BufferReference, Slice};
    use super::*;

    fn matrix(leading_dimension: u64, transposed: bool) -> GemmMatrix {
        GemmMatrix {
            slice: Slice {
                buffer: BufferReference::Arena,
                offset: 0,
                size: 0,
            },
            element_type: ElementType::F32,
            leading_dimension,
            batch_stride: 7,
            transposed,
        }
    }

    /// Multiplies in the library's convention: column-major, `op(a) * op(b)`.
    fn library(kind: &Kind, left: &[f32], right: &[f32], result: &mut [f32]) {
        let [a, b, c] = &kind.operands;
        let element = |operand: &Operand, values: &[f32], row: u64, column: u64| {
            let (row, column) = match operand.transposition {
                TRANSPOSED => (column, row),
                _ => (row, column),
            };
            assert!(row < operand.rows && column < operand.columns);
            values[(row + column * operand.leading_dimension as u64) as usize]
        };
        let inner = match a.transposition {
            TRANSPOSED => a.rows,
            _ => a.columns,
        };
        for row in 0..c.rows {
            for column in 0..c.columns {
                let products =
                    (0..inner).map(|i| element(a, left, row, i) * element(b, right, i, column));
                let offset = (row + column * c.leading_dimension as u64) as usize;
                result[offset] = products.sum();
            }
        }
    }

    /// `[1 2 3; 4 5 6] * [1 0; 2 1; 0 3]`, which is `[5 11; 14 23]`, in all ways
    /// to write the factors down.
    #[test]
    fn lhs_and_rhs_are_swapped() {
        let rows: [&[f32]; 2] = [
            &[1.0, 2.0, 3.0, 9.0, 4.0, 5.0, 6.0, 9.0],
            &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0],
        ];
        let columns: [&[f32]; 2] = [
            &[1.0, 0.0, 2.0, 1.0, 0.0, 3.0],
            &[1.0, 2.0, 0.0, 0.0, 1.0, 3.0],
        ];
        for (a_transposed, b_transposed) in
            [(false, false), (false, true), (true, false), (true, true)]
        {
            let gemm = Gemm {
                batch: 1,
                m: 2,
                n: 2,
                k: 3,
                a: matrix(if a_transposed { 2 } else { 4 }, a_transposed),
                b: matrix(if b_transposed { 3 } else { 2 }, b_transposed),
                c: matrix(3, false),
                precision: GemmPrecision::Full,
            };
            let kind = Kind::new(&gemm, [0x100, 0x204, 0x308]);
            assert_eq!(kind.alignments, [4, 256, 8]);
            let (left, right) = (
                columns[usize::from(b_transposed)],
                rows[usize::from(a_transposed)],
            );
            let mut result = [-1.0; 6];
            library(&kind, left, right, &mut result);
            assert_eq!(result, [5.0, 11.0, -1.0, 14.0, 23.0, -1.0]);
        }
    }

    #[test]
    fn sums_are_as_wide_as_is_said() {
        use sys::cublasComputeType_t as Compute;
        let of = |element_type, precision| arithmetic(element_type, precision).0;
        let full = GemmPrecision::Full;
        assert_eq!(of(ElementType::F16, full), Compute::CUBLAS_COMPUTE_32F);
        assert_eq!(of(ElementType::F64, full), Compute::CUBLAS_COMPUTE_64F);
        assert_eq!(
            of(ElementType::F32, GemmPrecision::Tf32),
            Compute::CUBLAS_COMPUTE_32F_FAST_TF32
        );
        let (_, scale, one) = arithmetic(ElementType::Complex64, full);
        assert_eq!(scale, sys::cudaDataType::CUDA_C_32F);
        assert_eq!(one[..8], [0, 0, 0x80, 0x3f, 0, 0, 0, 0]);
        assert!(data_type(ElementType::I8).is_err());
    }
}
