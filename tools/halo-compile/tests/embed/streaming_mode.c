/* A product with the tiles of SME, if the streaming vector length is the one that the code was
   compiled for. Otherwise the call returns an error code, also on processors without SME. A caller
   may have live data in ZA, which the first callee that uses ZA must save (Procedure Call Standard
   for the Arm 64-bit Architecture, "ZA lazy saving scheme"). */
#include "product.h"

#include <stdio.h>
#include <string.h>

enum { SIZE = 96, LENGTH = 64 };

static HALO_ALIGNED float x[SIZE][SIZE], y[SIZE][SIZE];
static HALO_ALIGNED float z[SIZE][SIZE];
static PRODUCT_ARENA(arena);

/* The rows of ZA, the buffer to which they are saved, and the TPIDR2 block with its address. */
static unsigned char rows[LENGTH][LENGTH], saved[LENGTH][LENGTH];
static struct {
  void *buffer;
  unsigned short slices;
  unsigned char reserved[6];
} block = {saved, LENGTH, {0}};

static void fill_za(void) {
  __asm__ volatile(".arch armv9-a+sme\n\tsmstart za" ::: "memory");
  for (int row = 0; row < LENGTH; ++row)
    __asm__ volatile("mov w12, %w0\n\tldr za[w12, #0], [%1]" ::"r"(row), "r"(rows[row])
                     : "x12", "memory");
  __asm__ volatile("msr s3_3_c13_c0_5, %0" ::"r"(&block) : "memory");
}

/* TPIDR2_EL0 and SVCR. */
static unsigned long block_of_thread(void) {
  unsigned long address;
  __asm__ volatile("mrs %0, s3_3_c13_c0_5" : "=r"(address));
  return address;
}

static unsigned long modes(void) {
  unsigned long modes;
  __asm__ volatile("mrs %0, s3_3_c4_c2_2" : "=r"(modes));
  return modes;
}

int main(void) {
  const product_arguments arguments = {&x[0][0], &y[0][0], &z[0][0]};
  int is_refused;
  for (int row = 0; row < SIZE; ++row)
    for (int column = 0; column < SIZE; ++column) {
      x[row][column] = (float)((7 * row - 3 * column) % 11);
      y[row][column] = (float)((5 * column - row * column) % 13);
    }
  for (int row = 0; row < LENGTH; ++row)
    for (int byte = 0; byte < LENGTH; ++byte)
      rows[row][byte] = (unsigned char)(5 * row + byte);
  for (int time = 0; time < 2; ++time) {
    halo_status status;
    if (time == 1)
      fill_za();
    status = product_run(&arguments, arena, sizeof arena, NULL);
    is_refused = status == HALO_WRONG_VECTOR_LENGTH;
    if (status != HALO_OK && !is_refused) {
      printf("%s\n", halo_status_text(status));
      return 1;
    }
    if (is_refused)
      break;
    if (block_of_thread() != 0 || modes() != 0) {
      printf("%d: block %lx, modes %lx\n", time, block_of_thread(), modes());
      return 2;
    }
  }
  if (!is_refused && memcmp(rows, saved, sizeof rows) != 0) {
    printf("ZA was not saved\n");
    return 3;
  }
  for (int row = 0; row < SIZE; ++row)
    for (int column = 0; column < SIZE; ++column) {
      float sum = 0;
      for (int k = 0; k < SIZE; ++k)
        sum += x[row][k] * y[k][column];
      if (z[row][column] != (is_refused ? 0 : sum)) {
        printf("%d %d: %g, not %g\n", row, column, z[row][column], sum);
        return 4;
      }
    }
  printf("%s\n", is_refused ? "refused" : "multiplied");
  return 0;
}
