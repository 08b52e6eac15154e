module attributes {transform.with_named_sequence} {
  transform.named_sequence @group_0(%root: !transform.any_op)
      attributes {halo.applies_to = "softmax.mlir:10:13"} {
    %tiled_0, %loop_0 = transform.structured.fuse %root tile_sizes [1, 0]
        {apply_cleanup, use_forall}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
