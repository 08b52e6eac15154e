/* Declarations that the headers of all programs share: the first included one defines them. */
#if defined(HALO_OBJECT_CODE) && HALO_OBJECT_CODE != 2
#error "headers of this version of Halo and of another one do not go together"
#endif
#ifndef HALO_OBJECT_CODE
#define HALO_OBJECT_CODE 2

/* The alignment of inputs, outputs and arenas in bytes. */
#define HALO_ALIGNMENT 64
#if defined(_MSC_VER)
#define HALO_ALIGNED __declspec(align(64))
#elif defined(__GNUC__)
#define HALO_ALIGNED __attribute__((aligned(64)))
#else
#define HALO_ALIGNED _Alignas(64)
#endif

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct halo_context halo_context;

/* The body of a loop, for the iterations from `begin` to `end`, exclusively. */
typedef void (*halo_kernel)(const halo_context *context, int64_t begin, int64_t end,
                            const uint8_t *captures);

/* Functions that a program calls while it runs. Several runs may share one. */
struct halo_context {
  /* HALO_OBJECT_CODE */
  uint64_t version;
  /* Calls `kernel` with `context`, `captures` and ranges that cover 0 to `count`, on any
     threads, and returns when all calls have. The length of each range but the last is
     a multiple of `grain`. Kernels may call it again. */
  void (*parallel_for)(const halo_context *context, halo_kernel kernel, int64_t count,
                       int64_t grain, const uint8_t *captures);
  /* Calls the function of the program's call with this number. `buffers` has the operands, then
     the results. Returns 0, or another status if it failed, which ends the run. */
  int32_t (*custom_call)(const halo_context *context, int64_t call, uint8_t *const *buffers);
  /* The application's, for the two functions. */
  void *user;
};

typedef enum halo_status {
  HALO_OK = 0,
  HALO_NULL_BUFFER = 1,     /* an address is null */
  HALO_WRONG_COUNT = 2,     /* there are more or fewer inputs or outputs than the program has */
  HALO_WRONG_SIZE = 3,      /* an input or output has another size in bytes */
  HALO_MISALIGNED = 4,      /* an address is not a multiple of HALO_ALIGNMENT */
  HALO_OVERLAP = 5,         /* an output or the arena overlaps another buffer */
  HALO_ARENA_TOO_SMALL = 6, /* the arena has fewer bytes than the program needs */
  HALO_NO_CUSTOM_CALL = 7,  /* the program calls functions, but the context has none */
  HALO_WRONG_VERSION = 8,   /* the context is of another version */
  HALO_FAILED = 9,          /* a function that the program calls failed */
  /* For constants in a file: */
  HALO_NULL_CONSTANTS = 10,       /* the address is null */
  HALO_MISALIGNED_CONSTANTS = 11, /* their address is not a multiple of HALO_ALIGNMENT */
  HALO_SHORT_CONSTANTS = 12,      /* there are fewer bytes than the program needs */
  HALO_WRONG_CONSTANTS = 13,      /* they belong to another program, or another version of it */
  HALO_DAMAGED_CONSTANTS = 14,    /* they have another hash */
  HALO_NO_FILE = 15,              /* the file cannot be read; errno has the cause */
  /* For code for processors with AMX: */
  HALO_NO_TILES = 16, /* the system does not let the process use them; nothing was run */
  /* For code for processors of ARM64 with SVE or SME: */
  HALO_WRONG_VECTOR_LENGTH = 17, /* its registers have another length; nothing was run */
  /* For programs of dynamic shape: */
  HALO_IMPOSSIBLE_SIZES = 18 /* the program cannot have these sizes; nothing was run */
} halo_status;

/* A buffer to read, of `size` bytes. */
typedef struct halo_input {
  const void *data;
  size_t size;
} halo_input;

/* A buffer to write, of `size` bytes. */
typedef struct halo_output {
  void *data;
  size_t size;
} halo_output;

/* An input or output of a program. */
typedef struct halo_value {
  const char *name;
  const char *type; /* in MLIR's syntax: tensor<64x784xf32> */
  size_t size;      /* in bytes; 0 if it depends on the sizes of a run */
} halo_value;

/* A call of a function of the application. */
typedef struct halo_call {
  const char *target;   /* the name of the function */
  const char *operands; /* types, separated by commas */
  const char *results;
  const char *config; /* the configuration of the call in the program */
} halo_call;

/* An output that may be in the memory of an input. */
typedef struct halo_alias {
  size_t input;
  size_t output;
} halo_alias;

/* A program, as it was compiled. */
typedef struct halo_program {
  const halo_value *inputs;
  size_t input_count;
  const halo_value *outputs;
  size_t output_count;
  const halo_call *calls;
  size_t call_count;
  const halo_alias *aliases;
  size_t alias_count;
  size_t arena_size; /* in bytes */
} halo_program;

/* The most bytes of an arena. */
#define HALO_MOST_BYTES (INT64_MAX / 2)

/* The product of a number of bytes and a size, or the largest number if it is larger. */
static inline size_t halo_times(size_t bytes, int64_t size) {
  return size < 0 || (size != 0 && bytes > SIZE_MAX / (uint64_t)size) ? SIZE_MAX
                                                                      : bytes * (size_t)size;
}

/* The number of the value with a name, or `count` if there is none. */
static inline size_t halo_find(const halo_value *values, size_t count, const char *name) {
  for (size_t index = 0; index < count; ++index) {
    const char *known = values[index].name;
    size_t length = 0;
    while (known[length] != 0 && known[length] == name[length])
      ++length;
    if (known[length] == name[length])
      return index;
  }
  return count;
}

static inline const char *halo_status_text(halo_status status) {
  switch (status) {
  case HALO_OK: return "success";
  case HALO_NULL_BUFFER: return "an address is null";
  case HALO_WRONG_COUNT: return "the number of inputs or outputs is wrong";
  case HALO_WRONG_SIZE: return "an input or output has a wrong size";
  case HALO_MISALIGNED: return "an address is not a multiple of 64";
  case HALO_OVERLAP: return "an output or the arena overlaps another buffer";
  case HALO_ARENA_TOO_SMALL: return "the arena is too small";
  case HALO_NO_CUSTOM_CALL: return "the context has no function for custom calls";
  case HALO_WRONG_VERSION: return "the context is of another version";
  case HALO_FAILED: return "a custom call failed";
  case HALO_NULL_CONSTANTS: return "the constants are null";
  case HALO_MISALIGNED_CONSTANTS: return "the constants are not at a multiple of 64";
  case HALO_SHORT_CONSTANTS: return "the constants are too short";
  case HALO_WRONG_CONSTANTS:
    return "the constants are not those of this version of this program";
  case HALO_DAMAGED_CONSTANTS: return "the constants are damaged: they have another hash";
  case HALO_NO_FILE: return "the file of the constants cannot be read";
  case HALO_NO_TILES: return "the system does not let the process use the tiles of AMX";
  case HALO_WRONG_VECTOR_LENGTH:
    return "the registers of SVE or of streaming mode have another length than the code counts"
           " on";
  case HALO_IMPOSSIBLE_SIZES: return "the program cannot have these sizes";
  }
  return "unknown status";
}

/* The status that the code of a program returned. */
static inline halo_status halo_status_of(int32_t returned) {
  switch (returned) {
  case 0: return HALO_OK;
  case 2: return HALO_NO_TILES;
  case 3: return HALO_WRONG_VECTOR_LENGTH;
  default: return HALO_FAILED;
  }
}

static inline void halo_serial_for(const halo_context *context, halo_kernel kernel,
                                   int64_t count, int64_t grain, const uint8_t *captures) {
  (void)grain;
  if (count > 0)
    kernel(context, 0, count, captures);
}

/* The context of a run on the calling thread, of a program that calls no functions. */
static inline halo_context halo_serial(void) {
  halo_context context = {HALO_OBJECT_CODE, halo_serial_for, NULL, NULL};
  return context;
}

static inline int halo_overlap(const void *one, size_t one_size, const void *other,
                               size_t other_size) {
  uintptr_t first = (uintptr_t)one, second = (uintptr_t)other;
  return one_size != 0 && other_size != 0 &&
         (first < second ? second - first < one_size : first - second < other_size);
}

static inline halo_status halo_check_buffer(const void *data, size_t size, size_t expected) {
  if (size != expected)
    return HALO_WRONG_SIZE;
  if (size != 0 && data == NULL)
    return HALO_NULL_BUFFER;
  return (uintptr_t)data % HALO_ALIGNMENT == 0 ? HALO_OK : HALO_MISALIGNED;
}

static inline int halo_may_share(const halo_program *program, size_t input, size_t output) {
  for (size_t index = 0; index < program->alias_count; ++index)
    if (program->aliases[index].input == input && program->aliases[index].output == output)
      return 1;
  return 0;
}

/* Checks the buffers of a run, and puts their addresses into `buffers`. */
static inline halo_status halo_bind(const halo_program *program, const halo_input *inputs,
                                    size_t input_count, const halo_output *outputs,
                                    size_t output_count, void *arena, size_t arena_size,
                                    const halo_context *context, uint8_t **buffers) {
  halo_status status = HALO_OK;
  if (input_count != program->input_count || output_count != program->output_count)
    return HALO_WRONG_COUNT;
  if ((input_count != 0 && inputs == NULL) || (output_count != 0 && outputs == NULL))
    return HALO_NULL_BUFFER;
  if (context->version != HALO_OBJECT_CODE)
    return HALO_WRONG_VERSION;
  if (context->parallel_for == NULL)
    return HALO_NULL_BUFFER;
  if (program->call_count != 0 && context->custom_call == NULL)
    return HALO_NO_CUSTOM_CALL;
  if (arena_size < program->arena_size)
    return HALO_ARENA_TOO_SMALL;
  status = halo_check_buffer(arena, program->arena_size, program->arena_size);
  if (status != HALO_OK)
    return status;
  for (size_t input = 0; input < input_count; ++input) {
    const halo_input *given = &inputs[input];
    status = halo_check_buffer(given->data, given->size, program->inputs[input].size);
    if (status != HALO_OK)
      return status;
    if (halo_overlap(given->data, given->size, arena, program->arena_size))
      return HALO_OVERLAP;
    buffers[input] = (uint8_t *)given->data;
  }
  for (size_t output = 0; output < output_count; ++output) {
    const halo_output *given = &outputs[output];
    status = halo_check_buffer(given->data, given->size, program->outputs[output].size);
    if (status != HALO_OK)
      return status;
    if (halo_overlap(given->data, given->size, arena, program->arena_size))
      return HALO_OVERLAP;
    for (size_t other = 0; other < output; ++other)
      if (halo_overlap(given->data, given->size, outputs[other].data, outputs[other].size))
        return HALO_OVERLAP;
    for (size_t input = 0; input < input_count; ++input)
      if (halo_overlap(given->data, given->size, inputs[input].data, inputs[input].size) &&
          !(given->data == inputs[input].data && halo_may_share(program, input, output)))
        return HALO_OVERLAP;
    buffers[input_count + output] = (uint8_t *)given->data;
  }
  buffers[input_count + output_count] = (uint8_t *)arena;
  return HALO_OK;
}

/* Halo's functions, such as Fourier transforms and factorizations, for programs that call them,
   from libhalo_runtime.a. */
typedef struct halo_calls halo_calls;

/* The functions of a program, from the bytes of <name>_call_sites. Null if the bytes are from
   another version of Halo. Runs may share it. */
halo_calls *halo_calls_create(const uint8_t *call_sites, size_t size);
void halo_calls_destroy(halo_calls *calls);
/* The custom_call of a context whose user is a halo_calls. */
int32_t halo_calls_run(const halo_context *context, int64_t call, uint8_t *const *buffers);
/* The same, for contexts with another user. */
int32_t halo_calls_invoke(const halo_calls *calls, const halo_context *context, int64_t call,
                          uint8_t *const *buffers);
/* Writes the text of the last failure, cut to `size` bytes, and returns its length. */
size_t halo_calls_error(const halo_calls *calls, char *text, size_t size);

#if defined(__cplusplus)
}
#endif
#endif /* HALO_OBJECT_CODE */
