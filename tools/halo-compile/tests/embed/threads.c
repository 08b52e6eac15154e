/* Two concurrent instances of one program, each with threads for its loops. The program is an
   exponential followed by a matrix product, which needs an arena, and calls the application's
   function `app.halve` on the result. */
#include "product.h"

#include <pthread.h>
#include <stdio.h>

#define SIZE 96

typedef struct range {
  const halo_context *context;
  halo_kernel kernel;
  int64_t begin, end;
  const uint8_t *captures;
} range;

static void *run_range(void *argument) {
  const range *part = argument;
  part->kernel(part->context, part->begin, part->end, part->captures);
  return NULL;
}

/* Runs half of the grains on another thread. */
static void parallel_for(const halo_context *context, halo_kernel kernel, int64_t count,
                         int64_t grain, const uint8_t *captures) {
  int64_t half = count / grain / 2 * grain;
  range first = {context, kernel, 0, half, captures};
  range second = {context, kernel, half, count, captures};
  pthread_t thread;
  int started = half > 0 && pthread_create(&thread, NULL, run_range, &first) == 0;
  run_range(&second);
  if (started)
    pthread_join(thread, NULL);
  else if (half > 0)
    run_range(&first);
}

static int32_t custom_call(const halo_context *context, int64_t call, uint8_t *const *buffers) {
  const float *operand = (const float *)(const void *)buffers[0];
  float *result = (float *)(void *)buffers[1];
  if (call != 0 || *(const int *)context->user != 7)
    return 1;
  for (int index = 0; index < SIZE * SIZE; ++index)
    result[index] = operand[index] / 2;
  return 0;
}

typedef struct instance {
  HALO_ALIGNED float x[SIZE][SIZE];
  HALO_ALIGNED float y[SIZE][SIZE];
  HALO_ALIGNED float output[SIZE][SIZE];
  PRODUCT_ARENA(arena);
  float value;
  halo_status status;
} instance;

static void *run(void *argument) {
  static int user = 7;
  instance *self = argument;
  const product_arguments arguments = {self->x[0], self->y[0], self->output[0]};
  halo_context context = halo_serial();
  context.parallel_for = parallel_for;
  context.custom_call = custom_call;
  context.user = &user;
  for (int row = 0; row < SIZE; ++row)
    for (int column = 0; column < SIZE; ++column) {
      self->x[row][column] = 0;
      self->y[row][column] = self->value;
    }
  for (int again = 0; again < 20 && self->status == HALO_OK; ++again)
    self->status = product_run(&arguments, self->arena, sizeof self->arena, &context);
  return NULL;
}

int main(void) {
  static instance instances[2];
  pthread_t threads[2];
  const product_arguments arguments = {instances[0].x[0], instances[0].y[0],
                                       instances[0].output[0]};
  if (product_run(&arguments, instances[0].arena, PRODUCT_ARENA_SIZE, NULL) !=
      HALO_NO_CUSTOM_CALL)
    return 1;
  if (PRODUCT_ARENA_SIZE > 0 &&
      product_run(&arguments, instances[0].arena, PRODUCT_ARENA_SIZE - 1, NULL) == HALO_OK)
    return 2;
  for (int index = 0; index < 2; ++index) {
    instances[index].value = 1.0f + (float)index;
    if (pthread_create(&threads[index], NULL, run, &instances[index]) != 0)
      return 3;
  }
  for (int index = 0; index < 2; ++index) {
    pthread_join(threads[index], NULL);
    if (instances[index].status != HALO_OK) {
      printf("%s\n", halo_status_text(instances[index].status));
      return 4;
    }
    /* Rows of 96 ones times the value, halved. */
    for (int row = 0; row < SIZE; ++row)
      for (int column = 0; column < SIZE; ++column)
        if (instances[index].output[row][column] != 48 * instances[index].value)
          return 5;
  }
  printf("%s\n", product_program.calls[0].target);
  return 0;
}
