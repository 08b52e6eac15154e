// RUN: halo-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// It ends a manual computation.
func.func @main() {
  // expected-error @+1 {{'sdy.return' op expects parent op 'sdy.manual_computation'}}
  sdy.return
}
