/* A factorization, which requires libhalo_runtime.a with the feature linear-algebra. */
#include "factorization.h"

#include <stdio.h>

int main(void) {
  HALO_ALIGNED double x[2][2] = {{4, 2}, {2, 10}};
  HALO_ALIGNED double output[2][2];
  static FACTORIZATION_ARENA(arena);
  const factorization_arguments arguments = {x[0], output[0]};
  char message[256];
  halo_calls *calls = halo_calls_create(factorization_call_sites, sizeof factorization_call_sites);
  halo_context context = halo_serial();
  context.custom_call = halo_calls_run;
  context.user = calls;
  if (factorization_run(&arguments, arena, sizeof arena, &context) == HALO_OK)
    printf("%g %g %g %g\n", output[0][0], output[0][1], output[1][0], output[1][1]);
  else if (halo_calls_error(calls, message, sizeof message) > 0)
    printf("%s\n", message);
  halo_calls_destroy(calls);
  return 0;
}
