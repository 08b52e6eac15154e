// The LAPACK calls of JAX. Factors are those of scipy.linalg.lapack; where signs are open, products
// are compared.

// As HLO text has every call of several results.
func.func @calls_may_take_and_give_tuples() {
  %a = stablehlo.constant {input} dense<[[4.0, 7.0], [2.0, 5.0]]> : tensor<2x2xf64>
  %0 = stablehlo.tuple %a : tuple<tensor<2x2xf64>>
  %1 = stablehlo.custom_call @lapack_dpotrf_ffi(%0) {
      mhlo.backend_config = {uplo = 76 : ui8},
      has_side_effect = true}
    : (tuple<tensor<2x2xf64>>) -> tuple<tensor<2x2xf64>, tensor<i32>>
  %2 = stablehlo.get_tuple_element %1[0]
    : (tuple<tensor<2x2xf64>, tensor<i32>>) -> tensor<2x2xf64>
  %3 = stablehlo.get_tuple_element %1[1]
    : (tuple<tensor<2x2xf64>, tensor<i32>>) -> tensor<i32>
  check.expect_almost_eq_const %2, dense<[[2.0, 7.0], [1.0, 2.0]]>
    : tensor<2x2xf64>, tolerance = 1.0e-6
  check.expect_eq_const %3, dense<0> : tensor<i32>
  return
}

func.func @potrf_leaves_the_other_triangle_and_tells_the_minor() {
  %a = stablehlo.constant {input} dense<[[[4.0, 7.0], [2.0, 5.0]], [[1.0, 2.0], [2.0, 1.0]]]>
    : tensor<2x2x2xf64>
  %0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a) {
      mhlo.backend_config = {uplo = 76 : ui8},
      operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>],
      result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]}
    : (tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xi32>)
  %1 = stablehlo.slice %0#0 [0:1, 0:2, 0:2]
    : (tensor<2x2x2xf64>) -> tensor<1x2x2xf64>
  %2 = stablehlo.concatenate %1, %1, dim = 0
    : (tensor<1x2x2xf64>, tensor<1x2x2xf64>) -> tensor<2x2x2xf64>
  check.expect_almost_eq_const %2, dense<[[[2.0, 7.0], [1.0, 2.0]], [[2.0, 7.0], [1.0, 2.0]]]>
    : tensor<2x2x2xf64>, tolerance = 1.0e-6
  check.expect_eq_const %0#1, dense<[0, 2]> : tensor<2xi32>
  return
}

// scipy.linalg.blas.dtrsm of [[2, 9], [1, 4]] and [[2, 4, 6], [5, 10, 23]], and of the
// transpose from the right. The layouts of LAPACK are not made, since the handler takes any.
func.func @trsm_with_a_lower_triangle() {
  %a = stablehlo.constant {input} dense<[[2.0, 9.0], [1.0, 4.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant {input} dense<[[2.0, 4.0, 6.0], [5.0, 10.0, 23.0]]> : tensor<2x3xf64>
  %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b) {
      mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8,
                             trans_x = 78 : ui8, uplo = 76 : ui8},
      operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>],
      result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
    : (tensor<2x2xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_almost_eq_const %0, dense<[[1.0, 2.0, 3.0], [1.0, 2.0, 5.0]]>
    : tensor<2x3xf64>, tolerance = 1.0e-6
  return
}

func.func @trsm_with_the_transpose_of_an_upper_triangle() {
  %a = stablehlo.constant {input} dense<[[2.0, 9.0], [1.0, 4.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant {input} dense<[[2.0, 4.0, 6.0], [13.0, 26.0, 47.0]]> : tensor<2x3xf64>
  %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b) {
      mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8,
                             trans_x = 84 : ui8, uplo = 85 : ui8},
      operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>],
      result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
    : (tensor<2x2xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_almost_eq_const %0, dense<[[1.0, 2.0, 3.0], [1.0, 2.0, 5.0]]>
    : tensor<2x3xf64>, tolerance = 1.0e-6
  return
}

func.func @trsm_with_a_lower_triangle_from_the_right() {
  %a = stablehlo.constant {input} dense<[[2.0, 9.0], [1.0, 4.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant {input} dense<[[2.0, 5.0], [4.0, 10.0], [6.0, 23.0]]> : tensor<3x2xf64>
  %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b) {
      mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8,
                             trans_x = 84 : ui8, uplo = 76 : ui8},
      operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>],
      result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
    : (tensor<2x2xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %0, dense<[[1.0, 1.0], [2.0, 2.0], [3.0, 5.0]]>
    : tensor<3x2xf64>, tolerance = 1.0e-6
  return
}

// x op(a) = b with the upper triangle, transposed: numpy.linalg.solve. x [[2, 0], [1, 4]] = [4, 8].
func.func @trsm_with_an_upper_triangle_from_the_right() {
  %a = stablehlo.constant {input} dense<[[2.0, 1.0], [9.0, 4.0]]> : tensor<2x2xf64>
  %b = stablehlo.constant {input} dense<[[4.0, 8.0]]> : tensor<1x2xf64>
  %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b) {mhlo.backend_config =
      {diag = 78 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 85 : ui8},
      operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>],
      result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
    : (tensor<2x2xf64>, tensor<1x2xf64>) -> tensor<1x2xf64>
  check.expect_almost_eq_const %0, dense<[[1.0, 2.0]]> : tensor<1x2xf64>, tolerance = 1.0e-6
  return
}

func.func @getrf_counts_pivots_from_one() {
  %a = stablehlo.constant {input} dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf64>
  %0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%a) {mhlo.backend_config = {},
      operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
      result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>,
                        dense<> : tensor<0xindex>]}
    : (tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<2xi32>, tensor<i32>)
  check.expect_almost_eq_const %0#0, dense<[[5.0, 6.0], [0.2, 0.8], [0.6, 0.5]]>
    : tensor<3x2xf64>, tolerance = 1.0e-6
  check.expect_eq_const %0#1, dense<[3, 3]> : tensor<2xi32>
  check.expect_eq_const %0#2, dense<0> : tensor<i32>
  return
}

// A singular matrix keeps a pivot of 0, whose number LAPACK reports.
// Attributes of JAX for another dialect are ignored.
func.func @getrf_of_a_singular_matrix() {
  %a = stablehlo.constant {input} dense<[[1.0, 2.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {},
      sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], []) {i=2, j=2}>}
    : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<i32>)
  check.expect_almost_eq_const %0#0, dense<[[1.0, 2.0], [1.0, 0.0]]>
    : tensor<2x2xf32>, tolerance = 1.0e-6
  check.expect_eq_const %0#2, dense<2> : tensor<i32>
  return
}

func.func @geqrf_has_the_form_of_lapack_and_ungqr_reads_it() {
  %a = stablehlo.constant {input} dense<[[(1.0, 1.0), (2.0, 0.0)], [(0.0, 1.0), (1.0, 0.0)]]>
    : tensor<2x2xcomplex<f64>>
  %0:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%a) {mhlo.backend_config = {},
      operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
      result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]}
    : (tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>>, tensor<2xcomplex<f64>>)
  %1 = stablehlo.custom_call @lapack_zungqr_ffi(%0#0, %0#1) {mhlo.backend_config = {},
      operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>],
      result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
    : (tensor<2x2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  %mask = stablehlo.constant dense<[[true, true], [false, true]]> : tensor<2x2xi1>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<2x2xcomplex<f64>>
  %r = stablehlo.select %mask, %0#0, %zero : tensor<2x2xi1>, tensor<2x2xcomplex<f64>>
  %2 = stablehlo.dot_general %1, %r, contracting_dims = [1] x [0]
    : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %0#0, dense<[[(-1.73205081, 0.0), (-1.15470054, 1.73205081)],
      [(0.11814603, 0.32278096), (-0.81649658, 0.0)]]>
    : tensor<2x2xcomplex<f64>>, tolerance = 7.0e-7
  check.expect_almost_eq_const %0#1, dense<[(1.57735027, 0.57735027), (1.08354186, -0.99650427)]>
    : tensor<2xcomplex<f64>>, tolerance = 7.0e-7
  check.expect_almost_eq_const %2, dense<[[(1.0, 1.0), (2.0, 0.0)], [(0.0, 1.0), (1.0, 0.0)]]>
    : tensor<2x2xcomplex<f64>>, tolerance = 7.0e-7
  return
}

// v diag(w) v^T is the matrix, of which the lower triangle is read.
func.func @syevd_ascends() {
  %a = stablehlo.constant {input} dense<[[2.0, 9.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {
      mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8},
      operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
      result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>,
                        dense<> : tensor<0xindex>]}
    : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>)
  %1 = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.multiply %0#0, %1 : tensor<2x2xf32>
  %3 = stablehlo.dot_general %2, %0#0, contracting_dims = [1] x [1]
    : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %0#1, dense<[1.0, 3.0]> : tensor<2xf32>, tolerance = 1.0e-6
  check.expect_almost_eq_const %3, dense<[[2.0, 1.0], [1.0, 2.0]]>
    : tensor<2x2xf32>, tolerance = 1.0e-6
  return
}

// u diag(s) v^H is the matrix, and all of u is orthogonal.
func.func @gesdd_descends() {
  %a = stablehlo.constant {input} dense<[[3.0, 0.0], [4.0, 5.0], [0.0, 0.0]]> : tensor<3x2xf64>
  %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%a) {
      mhlo.backend_config = {mode = 65 : ui8},
      operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
      result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>,
                        dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>,
                        dense<> : tensor<0xindex>]}
    : (tensor<3x2xf64>)
      -> (tensor<3x2xf64>, tensor<2xf64>, tensor<3x3xf64>, tensor<2x2xf64>, tensor<i32>)
  %u = stablehlo.slice %0#2 [0:3, 0:2] : (tensor<3x3xf64>) -> tensor<3x2xf64>
  %1 = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<2xf64>) -> tensor<3x2xf64>
  %2 = stablehlo.multiply %u, %1 : tensor<3x2xf64>
  %3 = stablehlo.dot_general %2, %0#3, contracting_dims = [1] x [0]
    : (tensor<3x2xf64>, tensor<2x2xf64>) -> tensor<3x2xf64>
  %4 = stablehlo.dot_general %0#2, %0#2, contracting_dims = [0] x [0]
    : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  check.expect_almost_eq_const %0#1, dense<[6.7082039324993685, 2.23606797749979]>
    : tensor<2xf64>, tolerance = 1.0e-6
  check.expect_almost_eq_const %3, dense<[[3.0, 0.0], [4.0, 5.0], [0.0, 0.0]]>
    : tensor<3x2xf64>, tolerance = 1.0e-6
  check.expect_almost_eq_const %4, dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]>
    : tensor<3x3xf64>, tolerance = 1.0e-6
  return
}

// The eigenvalues of a turn are a pair of conjugates; a v is v diag(w).
func.func @geev_gives_pairs() {
  %a = stablehlo.constant {input} dense<[[0.0, -2.0], [2.0, 0.0]]> : tensor<2x2xf64>
  %0:5 = stablehlo.custom_call @lapack_dgeev_ffi(%a) {
      mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8},
      operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
      result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>,
                        dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>,
                        dense<> : tensor<0xindex>]}
    : (tensor<2x2xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2x2xcomplex<f64>>,
                            tensor<2x2xcomplex<f64>>, tensor<i32>)
  %1 = stablehlo.complex %0#0, %0#1 : tensor<2xcomplex<f64>>
  %2 = stablehlo.broadcast_in_dim %1, dims = [1]
    : (tensor<2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  %3 = stablehlo.multiply %0#3, %2 : tensor<2x2xcomplex<f64>>
  %4 = stablehlo.convert %a : (tensor<2x2xf64>) -> tensor<2x2xcomplex<f64>>
  %5 = stablehlo.dot_general %4, %0#3, contracting_dims = [1] x [0]
    : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  %6 = stablehlo.subtract %5, %3 : tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %0#0, dense<[0.0, 0.0]> : tensor<2xf64>, tolerance = 1.0e-6
  check.expect_almost_eq_const %0#1, dense<[2.0, -2.0]> : tensor<2xf64>, tolerance = 1.0e-6
  check.expect_almost_eq_const %6, dense<[[(0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0)]]>
    : tensor<2x2xcomplex<f64>>, tolerance = 7.0e-7
  return
}
