func.func @f() -> i32 {
  %0 = arith.constant 7 : i32
  return %0 : i32
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(cse,test-invalid,canonicalize{  max-iterations=10 max-num-rewrites=-1 region-simplify=normal test-convergence=false top-down=true})",
      disable_threading: true,
      verify_each: true
    }
  }
#-}
