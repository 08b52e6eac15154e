/* Constants in files next to the code: the first included header defines it. */
#ifndef HALO_CONSTANTS
#define HALO_CONSTANTS 1

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "the numbers in files of constants are little-endian"
#endif

/* Define HALO_NO_FILES on systems without files: constants are in memory then. */
#if !defined(HALO_NO_FILES)
#if defined(__unix__) || defined(__APPLE__)
#define HALO_MAPS_FILES
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#include <stdio.h>
#include <stdlib.h>
#endif
#endif

#if defined(__cplusplus)
extern "C" {
#endif

/* The constants of a program in memory, with the contents of the whole file. Runs only read
   them, and may share them. */
typedef struct halo_constants {
  const void *data; /* a multiple of HALO_ALIGNMENT */
  size_t size;      /* in bytes */
  void *memory;     /* freed by halo_unmap_constants; null if the application owns it */
} halo_constants;

/* The offset of the constants in a file, after the header. */
#define HALO_CONSTANTS_OFFSET 64

/* The header of a file: a magic number, the version, HALO_CONSTANTS_OFFSET, the size of the
   file, a hash of the program's inputs and outputs, and a hash of the constants. */
typedef struct halo_constants_start {
  uint8_t bytes[40];
  uint64_t size; /* of the file */
  uint64_t hash; /* of the constants */
} halo_constants_start;

/* Checks the address, the size, and the header of the file. */
static inline halo_status halo_check_constants(const halo_constants *constants,
                                               const halo_constants_start *expected) {
  const uint8_t *bytes = NULL;
  if (constants == NULL || constants->data == NULL)
    return HALO_NULL_CONSTANTS;
  if ((uintptr_t)constants->data % HALO_ALIGNMENT != 0)
    return HALO_MISALIGNED_CONSTANTS;
  if (constants->size < HALO_CONSTANTS_OFFSET)
    return HALO_SHORT_CONSTANTS;
  bytes = (const uint8_t *)constants->data;
  for (size_t index = 0; index < sizeof expected->bytes; ++index)
    if (bytes[index] != expected->bytes[index])
      return HALO_WRONG_CONSTANTS;
  return constants->size < expected->size ? HALO_SHORT_CONSTANTS : HALO_OK;
}

static inline uint64_t halo_rotate(uint64_t value, int bits) {
  return value << bits | value >> (64 - bits);
}

#define HALO_XXH_1 0x9E3779B185EBCA87u
#define HALO_XXH_2 0xC2B2AE3D27D4EB4Fu

static inline uint64_t halo_xxh_round(uint64_t lane, uint64_t word) {
  return halo_rotate(lane + word * HALO_XXH_2, 31) * HALO_XXH_1;
}

/* Compilers combine it into one load. */
static inline uint64_t halo_word(const uint8_t *bytes) {
  return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
         (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
         (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

/* XXH64, with the seed 0, of bytes whose number is a multiple of 32. */
static inline uint64_t halo_xxh64(const uint8_t *bytes, uint64_t size) {
  uint64_t lanes[4] = {HALO_XXH_1 + HALO_XXH_2, HALO_XXH_2, 0, 0 - HALO_XXH_1};
  uint64_t hash = 0x27D4EB2F165667C5u;
  for (uint64_t start = 0; start < size; start += 32) {
    lanes[0] = halo_xxh_round(lanes[0], halo_word(bytes + start));
    lanes[1] = halo_xxh_round(lanes[1], halo_word(bytes + start + 8));
    lanes[2] = halo_xxh_round(lanes[2], halo_word(bytes + start + 16));
    lanes[3] = halo_xxh_round(lanes[3], halo_word(bytes + start + 24));
  }
  if (size != 0) {
    hash = halo_rotate(lanes[0], 1) + halo_rotate(lanes[1], 7) + halo_rotate(lanes[2], 12) +
           halo_rotate(lanes[3], 18);
    for (int lane = 0; lane < 4; ++lane)
      hash = (hash ^ halo_xxh_round(0, lanes[lane])) * HALO_XXH_1 + 0x85EBCA77C2B2AE63u;
  }
  hash += size;
  hash = (hash ^ hash >> 33) * HALO_XXH_2;
  hash = (hash ^ hash >> 29) * 0x165667B19E3779F9u;
  return hash ^ hash >> 32;
}

/* Reads all constants, and checks that the program was compiled with them. */
static inline halo_status halo_verify_constants(const halo_constants *constants,
                                                const halo_constants_start *expected) {
  halo_status status = halo_check_constants(constants, expected);
  if (status != HALO_OK)
    return status;
  return halo_xxh64((const uint8_t *)constants->data + HALO_CONSTANTS_OFFSET,
                    expected->size - HALO_CONSTANTS_OFFSET) == expected->hash
             ? HALO_OK
             : HALO_DAMAGED_CONSTANTS;
}

/* Checks the constants of a run, and puts their address in front of the arena's. */
static inline halo_status halo_bind_constants(const halo_program *program,
                                              const halo_constants *constants,
                                              const halo_constants_start *expected,
                                              uint8_t **buffers) {
  const size_t count = program->input_count + program->output_count;
  halo_status status = halo_check_constants(constants, expected);
  if (status != HALO_OK)
    return status;
  for (size_t output = 0; output < program->output_count; ++output)
    if (halo_overlap(constants->data, (size_t)expected->size,
                     buffers[program->input_count + output], program->outputs[output].size))
      return HALO_OVERLAP;
  if (halo_overlap(constants->data, (size_t)expected->size, buffers[count], program->arena_size))
    return HALO_OVERLAP;
  buffers[count + 1] = buffers[count];
  buffers[count] = (uint8_t *)constants->data + HALO_CONSTANTS_OFFSET;
  return HALO_OK;
}

#if !defined(HALO_NO_FILES)
/* Unmaps the file of halo_map_constants, when no run uses it any more. */
static inline void halo_unmap_constants(halo_constants *constants) {
#if defined(HALO_MAPS_FILES)
  if (constants->memory != NULL)
    munmap(constants->memory, constants->size);
#else
  free(constants->memory);
#endif
  constants->data = constants->memory = NULL;
  constants->size = 0;
}

/* Maps a file without checking it. errno has the cause of HALO_NO_FILE. The file must not change
   while it is mapped. */
static inline halo_status halo_map_file(const char *path, halo_constants *constants) {
#if defined(HALO_MAPS_FILES)
  struct stat description;
  void *memory = MAP_FAILED;
  int file = open(path, O_RDONLY);
  constants->data = constants->memory = NULL;
  constants->size = 0;
  if (file < 0)
    return HALO_NO_FILE;
  if (fstat(file, &description) == 0) {
    if (S_ISREG(description.st_mode) && description.st_size < HALO_CONSTANTS_OFFSET) {
      close(file);
      return HALO_SHORT_CONSTANTS;
    }
    constants->size = (size_t)description.st_size;
    memory = mmap(NULL, constants->size, PROT_READ, MAP_PRIVATE, file, 0);
  }
  close(file);
  if (memory == MAP_FAILED) {
    constants->size = 0;
    return HALO_NO_FILE;
  }
  constants->data = constants->memory = memory;
  return HALO_OK;
#else
  FILE *file = fopen(path, "rb");
  long size = -1;
  constants->data = constants->memory = NULL;
  constants->size = 0;
  if (file == NULL)
    return HALO_NO_FILE;
  if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 &&
      fseek(file, 0, SEEK_SET) == 0)
    constants->memory = malloc((size_t)size + HALO_ALIGNMENT);
  if (constants->memory != NULL) {
    uint8_t *start = (uint8_t *)constants->memory;
    start += (HALO_ALIGNMENT - (uintptr_t)start % HALO_ALIGNMENT) % HALO_ALIGNMENT;
    constants->data = start;
    constants->size = (size_t)size;
    if (fread(start, 1, constants->size, file) != constants->size)
      halo_unmap_constants(constants);
  }
  fclose(file);
  return constants->memory != NULL ? HALO_OK : HALO_NO_FILE;
#endif
}

/* Maps a file and checks all of it, or only its header and size, if pages are to be read on
   first use. */
static inline halo_status halo_map_constants(const char *path,
                                             const halo_constants_start *expected, int verifies,
                                             halo_constants *constants) {
  halo_status status = halo_map_file(path, constants);
  if (status != HALO_OK)
    return status;
  status = verifies ? halo_verify_constants(constants, expected)
                    : halo_check_constants(constants, expected);
  if (status != HALO_OK)
    halo_unmap_constants(constants);
  return status;
}
#endif

#if defined(__cplusplus)
}
#endif
#endif /* HALO_CONSTANTS */
