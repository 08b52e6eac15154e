/* Made by Halo. Compile it as C11, which says that products and sums are rounded one by one:
   cc -std=c11 -O3, or with -ffp-contract=off. With -fopenmp-simd, sums are vectorized. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__FAST_MATH__)
#error "the results of this program need arithmetic by the standard: no -ffast-math"
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#endif

/* What the program calls while it runs; its header says more. */
typedef struct halo_context halo_context;
typedef void (*halo_kernel)(const halo_context *context, int64_t begin, int64_t end,
                            const uint8_t *captures);
struct halo_context {
  uint64_t version;
  void (*parallel_for)(const halo_context *context, halo_kernel kernel, int64_t count,
                       int64_t grain, const uint8_t *captures);
  int32_t (*custom_call)(const halo_context *context, int64_t call, uint8_t *const *buffers);
  void *user;
};

static inline void halo_parallel_for(const halo_context *context, halo_kernel kernel,
                                     int64_t count, int64_t grain, const void *captures) {
  context->parallel_for(context, kernel, count, grain, (const uint8_t *)captures);
}

static inline int32_t halo_custom_call(const halo_context *context, int64_t call,
                                       uint8_t *const *buffers) {
  return context->custom_call(context, call, buffers);
}

/* The bits of numbers. */
static inline uint32_t halo_f32_as_u32(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline float halo_u32_as_f32(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint64_t halo_f64_as_u64(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline double halo_u64_as_f64(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Numbers of 16 bits, which are kept as their bits. */
static inline float halo_f16_to_f32(uint16_t half) {
  const uint32_t sign = (uint32_t)(half & 0x8000u) << 16, rest = (uint32_t)(half & 0x7fffu) << 13;
  /* The exponent's bias is another one; a product makes normal numbers of subnormal ones. */
  const float finite = halo_u32_as_f32(rest) * 0x1p112f;
  const uint32_t bits = rest >= 0x0f800000u ? rest | 0x7f800000u : halo_f32_as_u32(finite);
  return halo_u32_as_f32(sign | bits);
}

/* Rounds to the nearest, and of two to the even one. */
static inline uint16_t halo_f64_to_f16(double value) {
  const uint64_t bits = halo_f64_as_u64(value), rest = bits & 0x7fffffffffffffffull;
  const uint16_t sign = (uint16_t)(bits >> 48 & 0x8000u);
  const int64_t exponent = (int64_t)(rest >> 52) - 1008; /* that of f16 */
  const uint64_t digits = (rest & 0xfffffffffffffull) | 0x10000000000000ull;
  /* Subnormal numbers lose more digits, and none keeps more than it has. */
  const int64_t lost = exponent > 0 ? 42 : 43 - exponent > 63 ? 63 : 43 - exponent;
  const uint64_t half = 1ull << (lost - 1), kept = digits >> lost;
  const uint64_t cut = digits & ((1ull << lost) - 1);
  const uint64_t up = cut > half || (cut == half && (kept & 1) != 0) ? 1 : 0;
  const uint64_t number = kept + up + (exponent > 0 ? (uint64_t)(exponent - 1) << 10 : 0);
  if (rest > 0x7ff0000000000000ull)
    return (uint16_t)(sign | 0x7e00u);
  return (uint16_t)(sign | (number > 0x7c00u ? 0x7c00u : number));
}

static inline uint16_t halo_f32_to_f16(float value) {
  return halo_f64_to_f16((double)value);
}

/* The greater and the lesser number: NaN if one is NaN, and zeros by their signs. */
static inline float halo_maximumf(float a, float b) {
  return a != a || b != b ? a + b : a == b ? (signbit(a) ? b : a) : a > b ? a : b;
}

static inline double halo_maximum(double a, double b) {
  return a != a || b != b ? a + b : a == b ? (signbit(a) ? b : a) : a > b ? a : b;
}

static inline float halo_minimumf(float a, float b) {
  return a != a || b != b ? a + b : a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}

static inline double halo_minimum(double a, double b) {
  return a != a || b != b ? a + b : a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}

/* Integers of numbers that have one, and zero of others. */
static inline int32_t halo_f64_to_i32(double value) {
  return value > -0x1.000002p31 && value < 0x1p31 ? (int32_t)value : 0;
}

static inline int64_t halo_f64_to_i64(double value) {
  return value >= -0x1p63 && value < 0x1p63 ? (int64_t)value : 0;
}

static inline uint32_t halo_f64_to_u32(double value) {
  return value > -1 && value < 0x1p32 ? (uint32_t)value : 0;
}

static inline uint64_t halo_f64_to_u64(double value) {
  return value > -1 && value < 0x1p64 ? (uint64_t)value : 0;
}

static inline int32_t halo_f32_to_i32(float value) {
  return value >= -0x1p31f && value < 0x1p31f ? (int32_t)value : 0;
}

static inline int64_t halo_f32_to_i64(float value) {
  return value >= -0x1p63f && value < 0x1p63f ? (int64_t)value : 0;
}

static inline uint32_t halo_f32_to_u32(float value) {
  return value > -1 && value < 0x1p32f ? (uint32_t)value : 0;
}

static inline uint64_t halo_f32_to_u64(float value) {
  return value > -1 && value < 0x1p64f ? (uint64_t)value : 0;
}

/* Quotients that are rounded up or down. */
static inline int32_t halo_ceildiv_i32(int32_t a, int32_t b) {
  return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

static inline int64_t halo_ceildiv_i64(int64_t a, int64_t b) {
  return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

static inline uint32_t halo_ceildiv_u32(uint32_t a, uint32_t b) {
  return a / b + (a % b != 0);
}

static inline uint64_t halo_ceildiv_u64(uint64_t a, uint64_t b) {
  return a / b + (a % b != 0);
}

static inline int32_t halo_floordiv_i32(int32_t a, int32_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static inline int64_t halo_floordiv_i64(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* The upper half of a product. */
static inline uint64_t halo_high_product_u64(uint64_t a, uint64_t b) {
  const uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
  const uint64_t low = al * bl, one = ah * bl + (low >> 32), other = al * bh + (uint32_t)one;
  return ah * bh + (one >> 32) + (other >> 32);
}

static inline int64_t halo_high_product_i64(int64_t a, int64_t b) {
  const uint64_t high = halo_high_product_u64((uint64_t)a, (uint64_t)b);
  return (int64_t)(high - (a < 0 ? (uint64_t)b : 0) - (b < 0 ? (uint64_t)a : 0));
}

/* Counts of bits. */
static inline uint64_t halo_ones_u64(uint64_t bits) {
  bits -= bits >> 1 & 0x5555555555555555ull;
  bits = (bits & 0x3333333333333333ull) + (bits >> 2 & 0x3333333333333333ull);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0full;
  return bits * 0x0101010101010101ull >> 56;
}

static inline uint32_t halo_ones_u32(uint32_t bits) {
  return (uint32_t)halo_ones_u64(bits);
}

static inline uint64_t halo_leading_zeros_u64(uint64_t bits) {
  for (uint32_t shift = 1; shift < 64; shift *= 2)
    bits |= bits >> shift;
  return 64 - halo_ones_u64(bits);
}

static inline uint32_t halo_leading_zeros_u32(uint32_t bits) {
  return (uint32_t)halo_leading_zeros_u64(bits) - 32;
}

static inline uint64_t halo_trailing_zeros_u64(uint64_t bits) {
  return halo_ones_u64(~bits & (bits - 1));
}

static inline uint32_t halo_trailing_zeros_u32(uint32_t bits) {
  return (uint32_t)halo_trailing_zeros_u64(bits | 0x100000000ull);
}
