/* Each invalid call returns a separate error code, and the valid one runs. The program adds two
   vectors of four floats, and provides its own arena. */
#include "add.h"

#include <stdio.h>

static HALO_ALIGNED uint8_t memory[4096];

static halo_status run(size_t x, size_t x_size, size_t y, size_t sum, uint8_t *arena,
                       size_t arena_size, const halo_context *context) {
  const halo_input inputs[] = {{memory + x, x_size}, {memory + y, ADD_Y_SIZE}};
  const halo_output outputs[] = {{memory + sum, ADD_SUM_SIZE}};
  return add_run_buffers(inputs, 2, outputs, 1, arena, arena_size, context);
}

#define EXPECT(status, call)                                                                     \
  do {                                                                                           \
    halo_status given = (call);                                                                  \
    if (given != (status)) {                                                                     \
      printf("line %d: %s\n", __LINE__, halo_status_text(given));                                \
      return 1;                                                                                  \
    }                                                                                            \
  } while (0)

int main(void) {
  uint8_t *arena = memory + 1024;
  const size_t size = ADD_ARENA_SIZE;
  const halo_input inputs[] = {{memory, 16}, {memory + 64, 16}};
  const halo_output nothing[] = {{NULL, ADD_SUM_SIZE}};
  halo_context wrong = halo_serial();
  float *x = (float *)(void *)memory, *y = (float *)(void *)(memory + 64);
  float *sum = (float *)(void *)(memory + 128);
  for (int index = 0; index < 4; ++index) {
    x[index] = (float)index;
    y[index] = 10.0f;
  }
  EXPECT(HALO_OK, run(0, 16, 64, 128, arena, size, NULL));
  for (int index = 0; index < 4; ++index)
    if (sum[index] != 10.0f + (float)index)
      return 2;
  EXPECT(HALO_OK, run(0, 16, 0, 128, arena, size, NULL));
  EXPECT(HALO_WRONG_SIZE, run(0, 12, 64, 128, arena, size, NULL));
  EXPECT(HALO_MISALIGNED, run(4, 16, 64, 128, arena, size, NULL));
  EXPECT(HALO_MISALIGNED, run(0, 16, 64, 130, arena, size, NULL));
  EXPECT(HALO_OVERLAP, run(0, 16, 64, 0, arena, size, NULL));
  EXPECT(HALO_NULL_BUFFER, add_run_buffers(inputs, 2, nothing, 1, arena, size, NULL));
  EXPECT(HALO_NULL_BUFFER, add_run_buffers(NULL, 2, nothing, 1, arena, size, NULL));
  EXPECT(HALO_WRONG_COUNT, add_run_buffers(inputs, 1, nothing, 1, arena, size, NULL));
  wrong.version = HALO_OBJECT_CODE + 1;
  EXPECT(HALO_WRONG_VERSION, run(0, 16, 64, 128, arena, size, &wrong));
  if (halo_find(add_program.inputs, add_program.input_count, "y") != ADD_INPUT_Y ||
      halo_find(add_program.inputs, add_program.input_count, "sum") != 2)
    return 3;
  return 0;
}
