/* A product of 8-bit integers with the tiles of AMX, if Linux lets this process use them.
   Otherwise the call returns an error code, also on processors without tiles. */
#define _GNU_SOURCE
#include "product.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SIZE = 128, ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };

static HALO_ALIGNED int8_t x[SIZE][SIZE], y[SIZE][SIZE];
static HALO_ALIGNED int32_t z[SIZE][SIZE];
static PRODUCT_ARENA(arena);

int main(void) {
  const product_arguments arguments = {&x[0][0], &y[0][0], &z[0][0]};
  const int is_refused = syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) != 0;
  halo_status status;
  for (int row = 0; row < SIZE; ++row)
    for (int column = 0; column < SIZE; ++column) {
      x[row][column] = (int8_t)(7 * row - 3 * column);
      y[row][column] = (int8_t)(5 * column - row * column);
    }
  for (int time = 0; time < 2; ++time) {
    status = product_run(&arguments, arena, sizeof arena, NULL);
    if (status != (is_refused ? HALO_NO_TILES : HALO_OK)) {
      printf("%s\n", halo_status_text(status));
      return 1;
    }
  }
  for (int row = 0; row < SIZE; ++row)
    for (int column = 0; column < SIZE; ++column) {
      int32_t sum = 0;
      for (int k = 0; k < SIZE; ++k)
        sum += x[row][k] * y[k][column];
      if (z[row][column] != (is_refused ? 0 : sum)) {
        printf("%d %d: %d, not %d\n", row, column, z[row][column], sum);
        return 2;
      }
    }
  printf("%s\n", is_refused ? "refused" : "multiplied");
  return 0;
}
