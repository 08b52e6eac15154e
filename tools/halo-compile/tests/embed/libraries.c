/* Two programs of dynamic shape in one application: `twice` of any number of rows, whose result
   `flipped` transposes and negates, of at most 16. */
#include "flipped.h"
#include "twice.h"

#include <stdio.h>
#include <string.h>

int main(void) {
  static HALO_ALIGNED float x[12], y[12], z[12];
  static FLIPPED_ARENA(memory);
  twice_sizes first = {.x_0 = 3};
  flipped_sizes second = {.x_0 = 3}, large = {.x_0 = 17};
  const twice_arguments of_first = {x, y};
  const flipped_arguments of_second = {y, z};
  const char *reason = NULL;
  for (int index = 0; index < 12; ++index)
    x[index] = (float)index;
  if (twice_plan(&first, &reason) != HALO_OK || flipped_plan(&second, &reason) != HALO_OK)
    return 1;
  if (first.arena_size != 0 || second.arena_size != FLIPPED_ARENA_SIZE)
    return 2;
  if (twice_run(&of_first, &first, memory, sizeof memory, NULL) != HALO_OK ||
      flipped_run(&of_second, &second, memory, sizeof memory, NULL) != HALO_OK)
    return 3;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column)
      if (z[column * 3 + row] != -2 * x[row * 4 + column])
        return 4;
  if (flipped_plan(&large, &reason) != HALO_IMPOSSIBLE_SIZES || strstr(reason, "bound, 16") == NULL)
    return 5;
  return 0;
}
