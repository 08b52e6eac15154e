// A driver for tests of the platform halo_cuda without a GPU: two devices, whose memory is memory of
// the host. Each stream is a thread, so calls without the order that a GPU requires give wrong
// values. Kernels do nothing but take time; freed memory is overwritten. FAKE_FAIL names a function
// and the number of its call that fails: cuLaunchKernel:2.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int Result;
typedef uint64_t Address;
enum { SUCCESS = 0, INVALID = 1, OUT_OF_MEMORY = 2, NOT_READY = 600, UNKNOWN = 999 };

// Errors that the environment wants.
static Result called(const char *name) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static int count;
  const char *wanted = getenv("FAKE_FAIL");
  size_t length = strlen(name);
  if (!wanted || strncmp(wanted, name, length) || wanted[length] != ':') return SUCCESS;
  pthread_mutex_lock(&mutex);
  int number = ++count;
  pthread_mutex_unlock(&mutex);
  return number == atoi(wanted + length + 1) ? UNKNOWN : SUCCESS;
}

// The context of a thread is the number of its device and one.
static __thread uintptr_t current;

typedef struct { uint64_t recorded, completed; uintptr_t device; } Event;
typedef struct Entry {
  enum { COPY, FILL, SLEEP, WAIT, RECORD, CALL, END } kind;
  void *target;
  const void *source;
  size_t size;
  uint64_t value;
  void (*function)(void *);
  struct Entry *next;
} Entry;
typedef struct {
  pthread_t thread;
  Entry *first, *last;
  uint64_t enqueued, done;
  uintptr_t device;
} Stream;

// One lock for everything, and one condition for all changes.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void run(Entry *entry) {
  Event *event = entry->target;
  switch (entry->kind) {
  case COPY: usleep(500); memmove(entry->target, entry->source, entry->size); break;
  case FILL:
    for (size_t i = 0; i < entry->size; i += entry->value >> 32)
      memcpy((char *)entry->target + i, &entry->value, entry->value >> 32);
    break;
  case SLEEP: usleep(1000); break;
  case WAIT:
    pthread_mutex_lock(&lock);
    while (event->completed < entry->value) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    break;
  case RECORD:
    pthread_mutex_lock(&lock);
    if (event->completed < entry->value) event->completed = entry->value;
    pthread_mutex_unlock(&lock);
    break;
  case CALL: entry->function(entry->target); break;
  case END: break;
  }
}

static void *work(void *argument) {
  Stream *stream = argument;
  for (int ended = 0; !ended;) {
    pthread_mutex_lock(&lock);
    while (!stream->first) pthread_cond_wait(&changed, &lock);
    Entry *entry = stream->first;
    if (!(stream->first = entry->next)) stream->last = NULL;
    pthread_mutex_unlock(&lock);
    run(entry);
    ended = entry->kind == END;
    free(entry);
    pthread_mutex_lock(&lock);
    stream->done++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

// Adds an entry, with the lock.
static void push(Stream *stream, Entry entry) {
  Entry *added = malloc(sizeof entry);
  *added = entry;
  added->next = NULL;
  if (stream->last) stream->last->next = added; else stream->first = added;
  stream->last = added;
  stream->enqueued++;
  pthread_cond_broadcast(&changed);
}

// Adds an entry in the current context, which must be the one of the stream.
static Result add(const char *name, Stream *stream, Entry entry) {
  if (called(name) || !current || current != stream->device) return UNKNOWN;
  pthread_mutex_lock(&lock);
  push(stream, entry);
  pthread_mutex_unlock(&lock);
  return SUCCESS;
}

// Memory: each allocation begins with its size and device.
typedef struct { size_t size; uintptr_t device; char padding[240]; } Header;
static Result allocate(Address *address, size_t size) {
  if (size > (size_t)1 << 30) return OUT_OF_MEMORY;
  Header *header = aligned_alloc(256, (sizeof(Header) + size + 255) / 256 * 256);
  *header = (Header){.size = size, .device = current};
  memset(header + 1, 0xab, size);
  *address = (Address)(header + 1);
  return SUCCESS;
}

Result cuInit(unsigned flags) { return called("cuInit"); }
Result cuDriverGetVersion(int *version) { *version = 12080; return SUCCESS; }
Result cuDeviceGetCount(int *count) { *count = 2; return SUCCESS; }
Result cuDeviceGet(int *device, int ordinal) { *device = ordinal; return SUCCESS; }
Result cuDeviceGetName(char *name, int size, int device) {
  snprintf(name, size, "Test GPU %d", device);
  return SUCCESS;
}
Result cuDeviceTotalMem_v2(size_t *bytes, int device) { *bytes = (size_t)1 << 30; return SUCCESS; }
Result cuDeviceGetAttribute(int *value, int attribute, int device) {
  // Compute capability 9.0, 132 multiprocessors, shared memory, memory pools.
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 16 ? 132 : attribute == 97 ? 232448 : 1;
  return SUCCESS;
}
Result cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = (void *)(uintptr_t)(device + 1);
  return SUCCESS;
}
Result cuCtxSetCurrent(void *context) { current = (uintptr_t)context; return SUCCESS; }
Result cuCtxGetCurrent(void **context) { *context = (void *)current; return SUCCESS; }
Result cuCtxSynchronize(void) { return SUCCESS; }
Result cuGetErrorName(Result error, const char **text) { *text = "CUDA_ERROR_OF_TEST"; return SUCCESS; }
Result cuGetErrorString(Result error, const char **text) { *text = "as the test wants"; return SUCCESS; }

Result cuStreamCreate(Stream **created, unsigned flags) {
  Stream *stream = calloc(1, sizeof *stream);
  stream->device = current;
  *created = stream;
  return pthread_create(&stream->thread, NULL, work, stream) ? UNKNOWN : SUCCESS;
}
Result cuStreamSynchronize(Stream *stream) {
  pthread_mutex_lock(&lock);
  for (uint64_t all = stream->enqueued; stream->done < all;) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return called("cuStreamSynchronize");
}
Result cuStreamDestroy_v2(Stream *stream) {
  pthread_mutex_lock(&lock);
  push(stream, (Entry){.kind = END});
  pthread_mutex_unlock(&lock);
  pthread_join(stream->thread, NULL);
  free(stream);
  return SUCCESS;
}
Result cuStreamWaitEvent(Stream *stream, Event *event, unsigned flags) {
  pthread_mutex_lock(&lock);
  push(stream, (Entry){.kind = WAIT, .target = event, .value = event->recorded});
  pthread_mutex_unlock(&lock);
  return SUCCESS;
}
Result cuLaunchHostFunc(Stream *stream, void (*function)(void *), void *data) {
  return add("cuLaunchHostFunc", stream, (Entry){.kind = CALL, .target = data, .function = function});
}

Result cuEventCreate(Event **event, unsigned flags) {
  *event = calloc(1, sizeof **event);
  (*event)->device = current;
  return called("cuEventCreate");
}
Result cuEventRecord(Event *event, Stream *stream) {
  if (event->device != stream->device) return INVALID;
  pthread_mutex_lock(&lock);
  push(stream, (Entry){.kind = RECORD, .target = event, .value = ++event->recorded});
  pthread_mutex_unlock(&lock);
  return SUCCESS;
}
Result cuEventQuery(Event *event) {
  pthread_mutex_lock(&lock);
  Result result = event->completed < event->recorded ? NOT_READY : SUCCESS;
  pthread_mutex_unlock(&lock);
  return result;
}
Result cuEventSynchronize(Event *event) {
  pthread_mutex_lock(&lock);
  while (event->completed < event->recorded) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return SUCCESS;
}
// Entries of streams may refer to it: the few of a test are kept.
Result cuEventDestroy_v2(Event *event) { return SUCCESS; }

Result cuDeviceGetDefaultMemPool(void **pool, int device) { *pool = NULL; return SUCCESS; }
Result cuMemPoolSetAttribute(void *pool, int attribute, void *value) { return SUCCESS; }
Result cuMemAllocAsync(Address *address, size_t size, Stream *stream) {
  Result result = called("cuMemAllocAsync");
  return result ? result : current == stream->device ? allocate(address, size) : INVALID;
}
Result cuMemFreeAsync(Address address, Stream *stream) {
  Header *header = (Header *)address - 1;
  if (header->device != current) return INVALID;
  memset((void *)address, 0xdd, header->size);
  return SUCCESS;
}
Result cuMemHostAlloc(void **address, size_t size, unsigned flags) {
  *address = aligned_alloc(4096, (size + 4095) / 4096 * 4096);
  return called("cuMemHostAlloc");
}
Result cuMemFreeHost(void *address) { free(address); return SUCCESS; }
Result cuMemcpyHtoDAsync_v2(Address target, const void *source, size_t size, Stream *stream) {
  Entry entry = {.kind = COPY, .target = (void *)target, .source = source, .size = size};
  return add("cuMemcpyHtoDAsync", stream, entry);
}
Result cuMemcpyDtoHAsync_v2(void *target, Address source, size_t size, Stream *stream) {
  Entry entry = {.kind = COPY, .target = target, .source = (void *)source, .size = size};
  return add("cuMemcpyDtoHAsync", stream, entry);
}
Result cuMemcpyDtoDAsync_v2(Address target, Address source, size_t size, Stream *stream) {
  Entry entry = {.kind = COPY, .target = (void *)target, .source = (void *)source, .size = size};
  return add("cuMemcpyDtoDAsync", stream, entry);
}
static Result fill(Address target, uint64_t value, uint64_t width, size_t count, Stream *stream) {
  Entry entry = {.kind = FILL, .target = (void *)target, .value = width << 32 | value, .size = width * count};
  return add("cuMemset", stream, entry);
}
Result cuMemsetD8Async(Address target, uint8_t value, size_t count, Stream *stream) {
  return fill(target, value, 1, count, stream);
}
Result cuMemsetD16Async(Address target, uint16_t value, size_t count, Stream *stream) {
  return fill(target, value, 2, count, stream);
}
Result cuMemsetD32Async(Address target, uint32_t value, size_t count, Stream *stream) {
  return fill(target, value, 4, count, stream);
}

// A module is its text, and a function its parameters.
typedef struct { size_t sizes[64]; int count; uintptr_t device; } Function;
Result cuModuleLoadDataEx(char **module, const void *image, unsigned count, int *options, void **values) {
  *module = strdup(image);
  return called("cuModuleLoadDataEx");
}
Result cuModuleUnload(char *module) { free(module); return SUCCESS; }
Result cuModuleGetFunction(Function **found, char *module, const char *name) {
  char head[512];
  snprintf(head, sizeof head, ".entry %s(", name);
  char *text = strstr(module, head);
  if (!text) return INVALID;
  Function *function = calloc(1, sizeof *function);
  function->device = current;
  char *end = strchr(text + strlen(head), ')');
  while ((text = strstr(text, ".param ")) && text < end) {
    text += strlen(".param ");
    int bits = strchr("fub", text[1]) ? atoi(text + 2) : 64;
    function->sizes[function->count++] = bits / 8;
  }
  *found = function;
  return SUCCESS;
}
Result cuFuncGetAttribute(int *value, int attribute, Function *function) { *value = 0; return SUCCESS; }
Result cuFuncSetAttribute(Function *function, int attribute, int value) { return SUCCESS; }
Result cuFuncGetParamInfo(Function *function, size_t index, size_t *offset, size_t *size) {
  if (index >= (size_t)function->count) return INVALID;
  *offset = 8 * index;
  *size = function->sizes[index];
  return SUCCESS;
}
Result cuLaunchKernel(Function *function, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz,
                      unsigned shared, Stream *stream, void **parameters, void **extra) {
  if (function->device != stream->device) return INVALID;
  return add("cuLaunchKernel", stream, (Entry){.kind = SLEEP});
}
