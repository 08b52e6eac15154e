/* A program of JAX in an application of C, without Halo:

     halo-compile ../../mlp/mlp.mlir --emit=obj -o mlp.o --header=mlp.h \
         --input-names=images,hidden_weights,hidden_bias,output_weights,output_bias \
         --output-names=probabilities
     cc -O2 main.c mlp.o -lm -o classify
     ./classify ../../mlp

   prints the probabilities of ten classes for each image. */
#include "mlp.h"

#include <stdio.h>
#include <stdlib.h>

/* Nothing is allocated while the program runs, and nothing by it. */
static MLP_ARENA(arena);
static HALO_ALIGNED float images[4][784];
static HALO_ALIGNED float hidden_weights[784][128];
static HALO_ALIGNED float hidden_bias[128];
static HALO_ALIGNED float output_weights[128][10];
static HALO_ALIGNED float output_bias[10];
static HALO_ALIGNED float probabilities[4][10];

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

int main(int count, char **arguments) {
  /* An array has the size that the program wants, or this is not compiled. */
  const mlp_arguments values = {images[0],         hidden_weights[0], hidden_bias,
                                output_weights[0], output_bias,       probabilities[0]};
  halo_status status;
  if (count != 2) {
    fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
    return 1;
  }
  read_npy(arguments[1], "images", images, sizeof images);
  read_npy(arguments[1], "hidden_weights", hidden_weights, sizeof hidden_weights);
  read_npy(arguments[1], "hidden_bias", hidden_bias, sizeof hidden_bias);
  read_npy(arguments[1], "output_weights", output_weights, sizeof output_weights);
  read_npy(arguments[1], "output_bias", output_bias, sizeof output_bias);
  status = mlp_run(&values, arena, sizeof arena, NULL);
  if (status != HALO_OK) {
    fprintf(stderr, "%s\n", halo_status_text(status));
    return 1;
  }
  for (size_t image = 0; image < 4; ++image)
    for (size_t class = 0; class < 10; ++class)
      printf("%.6f%c", probabilities[image][class], class == 9 ? '\n' : ' ');
  return 0;
}

_Static_assert(sizeof images == MLP_IMAGES_SIZE, "images");
_Static_assert(sizeof hidden_weights == MLP_HIDDEN_WEIGHTS_SIZE, "hidden_weights");
_Static_assert(sizeof hidden_bias == MLP_HIDDEN_BIAS_SIZE, "hidden_bias");
_Static_assert(sizeof output_weights == MLP_OUTPUT_WEIGHTS_SIZE, "output_weights");
_Static_assert(sizeof output_bias == MLP_OUTPUT_BIAS_SIZE, "output_bias");
_Static_assert(sizeof probabilities == MLP_PROBABILITIES_SIZE, "probabilities");
