/* Constants in a file: valid ones are shared by two instances, and others are rejected with
   separate error codes. The folder has the file and damaged variants of it. */
#include "table.h"

#include <stdio.h>
#include <string.h>

static TABLE_ARENA(first_arena);
static TABLE_ARENA(second_arena);
static HALO_ALIGNED float x[16][64];
static HALO_ALIGNED float first[16][64];
static HALO_ALIGNED float second[16][64];
static HALO_ALIGNED uint8_t memory[TABLE_CONSTANTS_SIZE + 64];

#define EXPECT(status, call)                                                                     \
  do {                                                                                           \
    halo_status given = (call);                                                                  \
    if (given != (status)) {                                                                     \
      printf("line %d: %s\n", __LINE__, halo_status_text(given));                                \
      return 1;                                                                                  \
    }                                                                                            \
  } while (0)

static const char *path(const char *folder, const char *name) {
  static char text[4096];
  snprintf(text, sizeof text, "%s/%s", folder, name);
  return text;
}

static halo_status run_at(const void *data, size_t size) {
  halo_constants constants = {data, size, NULL};
  const table_arguments values = {x[0], first[0], &constants};
  return table_run(&values, first_arena, sizeof first_arena, NULL);
}

/* The values are integers, so that sums are exact. */
static int is_right(float (*result)[64]) {
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 64; ++column) {
      int sum = (row * 64 + column) % 13;
      for (int k = 0; k < 64; ++k)
        sum += (row + k) % 5 * ((3 * k + 5 * column) % 17 - 8);
      if (result[row][column] != (float)sum)
        return 0;
    }
  return 1;
}

int main(int count, char **arguments) {
  const char *folder = count == 2 ? arguments[1] : ".";
  halo_constants constants;
  const table_arguments one = {x[0], first[0], &constants};
  const table_arguments other = {x[0], second[0], &constants};
  const table_arguments none = {x[0], first[0], NULL};
  for (int row = 0; row < 16; ++row)
    for (int k = 0; k < 64; ++k)
      x[row][k] = (float)((row + k) % 5);

  EXPECT(HALO_OK, table_map_constants(path(folder, "table.weights"), &constants));
  if (constants.size != TABLE_CONSTANTS_SIZE)
    return 2;
  EXPECT(HALO_OK, table_run(&one, first_arena, sizeof first_arena, NULL));
  EXPECT(HALO_OK, table_run(&other, second_arena, sizeof second_arena, NULL));
  if (!is_right(first) || !is_right(second))
    return 3;
  memcpy(memory, constants.data, constants.size);
  halo_unmap_constants(&constants);
  EXPECT(HALO_NULL_CONSTANTS, table_run(&one, first_arena, sizeof first_arena, NULL));
  EXPECT(HALO_NULL_CONSTANTS, table_run(&none, first_arena, sizeof first_arena, NULL));
  halo_unmap_constants(&constants);

  EXPECT(HALO_NO_FILE, table_map_constants(path(folder, "none.weights"), &constants));
  EXPECT(HALO_NO_FILE, table_map_constants(folder, &constants));
  EXPECT(HALO_SHORT_CONSTANTS, table_map_constants(path(folder, "empty.weights"), &constants));
  EXPECT(HALO_SHORT_CONSTANTS, table_map_constants(path(folder, "short.weights"), &constants));
  EXPECT(HALO_WRONG_CONSTANTS, table_map_constants(path(folder, "magic.weights"), &constants));
  EXPECT(HALO_WRONG_CONSTANTS, table_map_constants(path(folder, "other.weights"), &constants));
  EXPECT(HALO_DAMAGED_CONSTANTS, table_map_constants(path(folder, "damaged.weights"), &constants));
  if (constants.data != NULL || constants.memory != NULL)
    return 4;
  EXPECT(HALO_OK, table_map_constants_lazily(path(folder, "damaged.weights"), &constants));
  EXPECT(HALO_DAMAGED_CONSTANTS, table_verify_constants(&constants));
  halo_unmap_constants(&constants);
  EXPECT(HALO_WRONG_CONSTANTS,
         table_map_constants_lazily(path(folder, "other.weights"), &constants));

  /* Constants in memory, such as those of a program without files. */
  EXPECT(HALO_OK, run_at(memory, TABLE_CONSTANTS_SIZE));
  EXPECT(HALO_OK, run_at(memory, sizeof memory));
  EXPECT(HALO_SHORT_CONSTANTS, run_at(memory, TABLE_CONSTANTS_SIZE - 1));
  EXPECT(HALO_SHORT_CONSTANTS, run_at(memory, 3));
  EXPECT(HALO_MISALIGNED_CONSTANTS, run_at(memory + 4, TABLE_CONSTANTS_SIZE));
  memory[32] ^= 1;
  EXPECT(HALO_WRONG_CONSTANTS, run_at(memory, TABLE_CONSTANTS_SIZE));
  memory[32] ^= 1;
  {
    halo_constants same = {memory, sizeof memory, NULL};
    const table_arguments overlapping = {x[0], (float *)(void *)(memory + 64), &same};
    EXPECT(HALO_OVERLAP, table_run(&overlapping, first_arena, sizeof first_arena, NULL));
  }
  return 0;
}
