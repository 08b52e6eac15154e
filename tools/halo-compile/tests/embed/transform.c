/* A program that calls functions of libhalo_runtime.a. */
#include "transform.h"

#include <stdio.h>

int main(void) {
  HALO_ALIGNED float x[2][4] = {{1, 2, 3, 4}, {0, 0, 8, 0}};
  HALO_ALIGNED float output[2][3][2];
  static TRANSFORM_ARENA(arena);
  const transform_arguments arguments = {x[0], output[0][0]};
  char message[128];
  halo_context context = halo_serial();
  halo_calls *calls = halo_calls_create(transform_call_sites, sizeof transform_call_sites);
  if (calls == NULL || halo_calls_create(transform_call_sites + 1, 8) != NULL)
    return 1;
  context.custom_call = halo_calls_run;
  if (transform_run(&arguments, arena, sizeof arena, &context) != HALO_FAILED)
    return 2;
  context.user = calls;
  if (transform_run(&arguments, arena, sizeof arena, &context) != HALO_OK) {
    halo_calls_error(calls, message, sizeof message);
    printf("%s\n", message);
    return 3;
  }
  for (int row = 0; row < 2; ++row)
    for (int index = 0; index < 3; ++index)
      printf("%g %g\n", output[row][index][0] + 0.0f, output[row][index][1] + 0.0f);
  if (halo_calls_invoke(calls, &context, 100, NULL) != 1)
    return 4;
  halo_calls_error(calls, message, sizeof message);
  printf("%s\n", message);
  halo_calls_destroy(calls);
  return 0;
}
