; From f16: its exponent is moved into the place of that of f32, and scaled by 2^112, the difference
; of their biases. The product is exact, also of subnormal numbers.
define float @__extendhfsf2(half %value) nounwind {
  %bits16 = bitcast half %value to i16
  %bits = zext i16 %bits16 to i32
  %magnitude = and i32 %bits, 32767
  %moved = shl i32 %magnitude, 13
  %small = bitcast i32 %moved to float
  %scaled = fmul float %small, 0x46F0000000000000
  %finite = bitcast float %scaled to i32
  %is_finite = icmp ult i32 %magnitude, 31744
  %special = or i32 %moved, 2139095040
  %unsigned = select i1 %is_finite, i32 %finite, i32 %special
  %sign16 = and i32 %bits, 32768
  %sign = shl i32 %sign16, 16
  %result = or i32 %unsigned, %sign
  %float = bitcast i32 %result to float
  ret float %float
}

; To f16, to nearest, ties to even. Normal numbers are rounded as integers; where the result is
; subnormal, the sum with 0.5 is, whose last place is that of f16's smallest number.
define half @__truncsfhf2(float %value) nounwind {
  %bits = bitcast float %value to i32
  %magnitude = and i32 %bits, 2147483647
  %absolute = bitcast i32 %magnitude to float
  %rebiased = sub i32 %magnitude, 939524096
  %shifted = lshr i32 %rebiased, 13
  %odd = and i32 %shifted, 1
  %half_less = add i32 %rebiased, 4095
  %nearest = add i32 %half_less, %odd
  %normal = lshr i32 %nearest, 13
  %sum = fadd float %absolute, 5.000000e-01
  %sum_bits = bitcast float %sum to i32
  %subnormal = sub i32 %sum_bits, 1056964608
  %is_normal = icmp uge i32 %magnitude, 947912704
  %finite = select i1 %is_normal, i32 %normal, i32 %subnormal
  %is_large = icmp uge i32 %magnitude, 1199566848
  %number = select i1 %is_large, i32 31744, i32 %finite
  %payload = lshr i32 %magnitude, 13
  %kept = and i32 %payload, 1023
  %quiet = or i32 %kept, 32256
  %is_nan = icmp ugt i32 %magnitude, 2139095040
  %unsigned = select i1 %is_nan, i32 %quiet, i32 %number
  %upper = lshr i32 %bits, 16
  %sign = and i32 %upper, 32768
  %result = or i32 %unsigned, %sign
  %result16 = trunc i32 %result to i16
  %half = bitcast i16 %result16 to half
  ret half %half
}

; To bf16: the upper half of f32, to nearest, ties to even.
define bfloat @__truncsfbf2(float %value) nounwind {
  %bits = bitcast float %value to i32
  %upper = lshr i32 %bits, 16
  %odd = and i32 %upper, 1
  %half_less = add i32 %bits, 32767
  %nearest = add i32 %half_less, %odd
  %number = lshr i32 %nearest, 16
  %quiet = or i32 %upper, 64
  %is_nan = fcmp uno float %value, %value
  %result = select i1 %is_nan, i32 %quiet, i32 %number
  %result16 = trunc i32 %result to i16
  %bfloat = bitcast i16 %result16 to bfloat
  ret bfloat %bfloat
}

; Rounded to odd, so that a second rounding to fewer digits is the only one (Boldo and Melquiond,
; "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd").
define float @__halo_truncdfsf_odd(double %value) nounwind {
  %near = fptrunc double %value to float
  %back = fpext float %near to double
  %is_exact = fcmp ueq double %back, %value
  %near_bits = bitcast float %near to i32
  %odd = and i32 %near_bits, 1
  %is_odd = icmp ne i32 %odd, 0
  %is_kept = or i1 %is_exact, %is_odd
  %back_bits = bitcast double %back to i64
  %value_bits = bitcast double %value to i64
  %back_magnitude = and i64 %back_bits, 9223372036854775807
  %value_magnitude = and i64 %value_bits, 9223372036854775807
  %is_above = icmp ugt i64 %back_magnitude, %value_magnitude
  %step = select i1 %is_above, i32 -1, i32 1
  %moved = add i32 %near_bits, %step
  %chosen = select i1 %is_kept, i32 %near_bits, i32 %moved
  %float = bitcast i32 %chosen to float
  ret float %float
}

define half @__truncdfhf2(double %value) nounwind {
  %float = call float @__halo_truncdfsf_odd(double %value)
  %half = call half @__truncsfhf2(float %float)
  ret half %half
}

define bfloat @__truncdfbf2(double %value) nounwind {
  %float = call float @__halo_truncdfsf_odd(double %value)
  %bfloat = call bfloat @__truncsfbf2(float %float)
  ret bfloat %bfloat
}
