/* Runs a program for a process that may be of another architecture. Both communicate by streams
   of bytes, with numbers of 64 bits in little-endian order (object_code/runner.rs). */
#include <stddef.h>
#include <stdint.h>

#include "interface.h"

#include <stdio.h>
#include <stdlib.h>

int32_t program_entry(const halo_context *context, uint8_t *const *buffers);

enum { DONE = 0, CALL = 1 };

static void stop(const char *message) {
  fprintf(stderr, "runner: %s\n", message);
  exit(1);
}

static void receive(void *data, uint64_t size) {
  if (size != 0 && fread(data, 1, (size_t)size, stdin) != (size_t)size)
    stop("the input ended");
}

static void give(const void *data, uint64_t size) {
  if (size != 0 && fwrite(data, 1, (size_t)size, stdout) != (size_t)size)
    stop("the output is closed");
}

static uint64_t receive_number(void) {
  uint8_t bytes[8];
  uint64_t number = 0;
  receive(bytes, sizeof bytes);
  for (int index = 7; index >= 0; --index)
    number = number << 8 | bytes[index];
  return number;
}

static void give_number(uint64_t number) {
  uint8_t bytes[8];
  for (int index = 0; index < 8; ++index)
    bytes[index] = (uint8_t)(number >> (8 * index));
  give(bytes, sizeof bytes);
}

/* Sizes in bytes. */
typedef struct list {
  uint64_t count;
  uint64_t *sizes;
} list;

static void *allocate(uint64_t size) {
  void *memory = aligned_alloc(HALO_ALIGNMENT, ((size_t)size / HALO_ALIGNMENT + 1) * HALO_ALIGNMENT);
  if (memory == NULL)
    stop("out of memory");
  return memory;
}

static list receive_list(void) {
  list sizes;
  sizes.count = receive_number();
  sizes.sizes = allocate(sizes.count * sizeof(uint64_t));
  for (uint64_t index = 0; index < sizes.count; ++index)
    sizes.sizes[index] = receive_number();
  return sizes;
}

typedef struct call {
  list operands;
  list results;
} call;

static int32_t custom_call(const halo_context *context, int64_t number, uint8_t *const *buffers) {
  const call *called = (const call *)context->user + number;
  uint64_t status;
  give_number(CALL);
  give_number((uint64_t)number);
  for (uint64_t index = 0; index < called->operands.count; ++index)
    give(buffers[index], called->operands.sizes[index]);
  fflush(stdout);
  status = receive_number();
  for (uint64_t index = 0; index < called->results.count; ++index)
    receive(buffers[called->operands.count + index], called->results.sizes[index]);
  return status != 0;
}

int main(void) {
  list inputs = receive_list(), outputs = receive_list();
  uint64_t arena = receive_number(), calls = receive_number();
  uint8_t **buffers = allocate((inputs.count + outputs.count + 1) * sizeof *buffers);
  call *called = allocate(calls * sizeof *called);
  halo_context context = halo_serial();
  context.custom_call = custom_call;
  context.user = called;
  for (uint64_t index = 0; index < calls; ++index) {
    called[index].operands = receive_list();
    called[index].results = receive_list();
  }
  for (uint64_t index = 0; index < inputs.count; ++index)
    buffers[index] = allocate(inputs.sizes[index]);
  for (uint64_t index = 0; index < outputs.count; ++index)
    buffers[inputs.count + index] = allocate(outputs.sizes[index]);
  buffers[inputs.count + outputs.count] = allocate(arena);
  while (receive_number() != 0) {
    int32_t status;
    for (uint64_t index = 0; index < inputs.count; ++index)
      receive(buffers[index], inputs.sizes[index]);
    status = program_entry(&context, buffers);
    give_number(DONE);
    give_number((uint32_t)status);
    for (uint64_t index = 0; index < outputs.count; ++index)
      give(buffers[inputs.count + index], outputs.sizes[index]);
    fflush(stdout);
  }
  return 0;
}
