/* One object for batches of any size:

     halo-compile ../../dynamic/scores.mlir --emit=obj -o scores.o --header=scores.h \
         --input-names=rows,weights --output-names=scores
     cc -O2 batches.c scores.o -lm -o batches
     ./batches ../../dynamic 1 3 8

   prints the scores of one, three and eight rows. */
#define _ISOC11_SOURCE
#include "scores.h"

#include <stdio.h>
#include <stdlib.h>

static HALO_ALIGNED float weights[16][8];

static void *allocated(size_t size) {
  void *memory = aligned_alloc(HALO_ALIGNMENT, (size / HALO_ALIGNMENT + 1) * HALO_ALIGNMENT);
  if (memory == NULL) {
    fprintf(stderr, "%zu bytes are too many\n", size);
    exit(1);
  }
  return memory;
}

/* Reads the elements of a .npy file. */
static void read_npy(const char *folder, const char *name, void *data, size_t size) {
  char path[4096];
  unsigned char start[10];
  FILE *file;
  snprintf(path, sizeof path, "%s/%s.npy", folder, name);
  file = fopen(path, "rb");
  if (file == NULL || fread(start, 1, sizeof start, file) != sizeof start ||
      fseek(file, start[8] + 256 * start[9], SEEK_CUR) != 0 ||
      fread(data, 1, size, file) != size || fgetc(file) != EOF) {
    fprintf(stderr, "%s: cannot be read, or has another size\n", path);
    exit(1);
  }
  fclose(file);
}

static void score(const char *folder, int64_t count) {
  scores_sizes sizes = {.rows_0 = count};
  const char *reason = NULL;
  char name[32];
  /* The sizes of the result and of the scratch memory follow from the number of rows. */
  halo_status status = scores_plan(&sizes, &reason);
  if (status != HALO_OK) {
    fprintf(stderr, "%s: %s\n", halo_status_text(status), reason);
    exit(1);
  }
  float(*rows)[16] = allocated((size_t)count * sizeof *rows);
  float(*scores)[8] = allocated((size_t)sizes.scores_0 * sizeof *scores);
  void *arena = allocated((size_t)sizes.arena_size);
  snprintf(name, sizeof name, "rows%d", (int)count);
  read_npy(folder, name, rows, (size_t)count * sizeof *rows);
  const scores_arguments values = {rows[0], weights[0], scores[0]};
  status = scores_run(&values, &sizes, arena, (size_t)sizes.arena_size, NULL);
  if (status != HALO_OK) {
    fprintf(stderr, "%s\n", halo_status_text(status));
    exit(1);
  }
  for (int64_t row = 0; row < sizes.scores_0; ++row)
    for (size_t column = 0; column < 8; ++column)
      printf("%.6f%c", scores[row][column], column == 7 ? '\n' : ' ');
  free(rows);
  free(scores);
  free(arena);
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: %s FOLDER ROWS...\n", arguments[0]);
    return 1;
  }
  read_npy(arguments[1], "weights", weights, sizeof weights);
  for (int number = 2; number < count; ++number)
    score(arguments[1], strtoll(arguments[number], NULL, 10));
  return 0;
}
