/* The program of ../../mlp with its weights in it, which are in a file beside the object, in an
   application of C without Halo:

     (cd ../../mlp && python export.py --weights)
     halo-compile ../../mlp/weights.mlir --emit=obj --constants=external --name=mlp \
         --input-names=images --output-names=probabilities -o mlp.o --header=mlp.h
     cc -O2 weights.c mlp.o -lm -o weights
     ./weights mlp.weights ../../mlp/images.npy

   prints the probabilities of ten classes for each image. */
#include "mlp.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static MLP_ARENA(arena);
static HALO_ALIGNED float images[4][784];
static HALO_ALIGNED float probabilities[4][10];

static int read_npy(const char *path, void *data, size_t size) {
  unsigned char start[10];
  FILE *file = fopen(path, "rb");
  int is_read = file != NULL && fread(start, 1, sizeof start, file) == sizeof start &&
                fseek(file, start[8] + 256 * start[9], SEEK_CUR) == 0 &&
                fread(data, 1, size, file) == size && fgetc(file) == EOF;
  if (file != NULL)
    fclose(file);
  return is_read;
}

int main(int count, char **arguments) {
  halo_constants constants;
  mlp_arguments values = {images[0], probabilities[0], &constants};
  halo_status status = HALO_OK;
  if (count != 3) {
    fprintf(stderr, "usage: %s WEIGHTS IMAGES\n", arguments[0]);
    return 1;
  }
  if (!read_npy(arguments[2], images, sizeof images)) {
    fprintf(stderr, "%s: cannot be read, or has another size\n", arguments[2]);
    return 1;
  }
  /* Once: runs on any threads share the constants. */
  status = mlp_map_constants(arguments[1], &constants);
  if (status != HALO_OK) {
    fprintf(stderr, "%s: %s%s%s\n", arguments[1], halo_status_text(status),
            status == HALO_NO_FILE ? ": " : "", status == HALO_NO_FILE ? strerror(errno) : "");
    return 1;
  }
  status = mlp_run(&values, arena, sizeof arena, NULL);
  halo_unmap_constants(&constants);
  if (status != HALO_OK) {
    fprintf(stderr, "%s\n", halo_status_text(status));
    return 1;
  }
  for (size_t image = 0; image < 4; ++image)
    for (size_t class = 0; class < 10; ++class)
      printf("%.6f%c", probabilities[image][class], class == 9 ? '\n' : ' ');
  return 0;
}
