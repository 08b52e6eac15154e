module attributes {transform.with_named_sequence} {
  // By a line: the last op that comes from it.
  transform.named_sequence @rows(%root: !transform.any_op)
      attributes {halo.applies_to = "apply_schedule.mlir:32"} {
    transform.include @four_rows failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }

  // By a function.
  transform.named_sequence @all(%function: !transform.any_op {transform.readonly})
      attributes {halo.applies_to = "@columns"} {
    %op = transform.structured.match ops{["linalg.generic"]} in %function
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 25]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  // A sequence without the attribute is for others.
  transform.named_sequence @four_rows(%root: !transform.any_op {transform.consumed}) {
    %tiled, %loop = transform.structured.fuse %root tile_sizes [4, 0]
        {apply_cleanup, use_forall}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
