/* A sum with SVE registers, if they have the length that the code was compiled for. Otherwise the
   call returns an error code. */
#include "add.h"

#include <stdio.h>

int main(void) {
  static const HALO_ALIGNED float x[] = {1, 2, 3, 4}, y[] = {10, 20, 30, 40};
  static HALO_ALIGNED float sum[4];
  const add_arguments arguments = {x, y, sum};
  const halo_status status = add_run(&arguments, NULL, 0, NULL);
  const int is_refused = status == HALO_WRONG_VECTOR_LENGTH;
  if (status != HALO_OK && !is_refused) {
    printf("%s\n", halo_status_text(status));
    return 1;
  }
  for (int index = 0; index < 4; ++index)
    if (sum[index] != (is_refused ? 0 : x[index] + y[index])) {
      printf("%d: %g\n", index, sum[index]);
      return 2;
    }
  printf("%s\n", is_refused ? "refused" : "added");
  return 0;
}
