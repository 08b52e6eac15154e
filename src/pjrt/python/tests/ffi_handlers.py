"""Handlers in C++ that the tests of jax.ffi register."""

SOURCE = r"""
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string_view>
#include <thread>

#include "xla/ffi/api/ffi.h"

namespace ffi = xla::ffi;

using Floats = ffi::Buffer<ffi::F32>;

static ffi::Error Scale(float factor, Floats x, ffi::ResultBuffer<ffi::F32> y) {
  for (size_t i = 0; i < x.element_count(); ++i) {
    y->typed_data()[i] = factor * x.typed_data()[i];
  }
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(
    scale, Scale,
    ffi::Ffi::Bind().Attr<float>("factor").Arg<Floats>().Ret<Floats>());

// Sums rows, and tells how many there are.
static ffi::Error Rows(Floats x, ffi::ResultBuffer<ffi::F32> sums,
                       ffi::ResultBufferR0<ffi::S32> count) {
  auto dims = x.dimensions();
  if (dims.size() < 1) {
    return ffi::Error(ffi::ErrorCode::kOutOfRange, "rows of a scalar");
  }
  int64_t size = dims.back();
  int64_t rows = x.element_count() / size;
  for (int64_t i = 0; i < rows; ++i) {
    const float* row = x.typed_data() + i * size;
    sums->typed_data()[i] = std::accumulate(row, row + size, 0.0f);
  }
  *count->typed_data() = rows;
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(
    rows, Rows,
    ffi::Ffi::Bind().Arg<Floats>().Ret<Floats>().Ret<ffi::BufferR0<ffi::S32>>());

static ffi::Error Attributes(int64_t number, double real, bool flag,
                             std::string_view text, ffi::Span<const int32_t> array,
                             ffi::Span<const float> empty, ffi::Dictionary inner,
                             ffi::ResultBufferR0<ffi::F32> y) {
  auto depth = inner.get<int64_t>("depth");
  auto name = inner.get<std::string_view>("name");
  if (depth.has_error() || name.has_error() || *name != "inner" || empty.size() != 0) {
    return ffi::Error::InvalidArgument("attributes are not as expected");
  }
  *y->typed_data() = number + real + (flag ? 100 : 0) + 1000 * text.size() +
                     std::accumulate(array.begin(), array.end(), 0) + *depth;
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(attributes, Attributes,
                              ffi::Ffi::Bind()
                                  .Attr<int64_t>("number")
                                  .Attr<double>("real")
                                  .Attr<bool>("flag")
                                  .Attr<std::string_view>("text")
                                  .Attr<ffi::Span<const int32_t>>("array")
                                  .Attr<ffi::Span<const float>>("empty")
                                  .Attr<ffi::Dictionary>("inner")
                                  .Ret<ffi::BufferR0<ffi::F32>>());

static ffi::Error Fail(Floats, ffi::ResultBuffer<ffi::F32>) {
  return ffi::Error(ffi::ErrorCode::kDataLoss, "no such luck");
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(fail, Fail, ffi::Ffi::Bind().Arg<Floats>().Ret<Floats>());

// Leaves its result as it is: where the operand is.
static ffi::Error InPlace(Floats x, ffi::ResultBuffer<ffi::F32> y) {
  if (x.typed_data() != y->typed_data()) {
    return ffi::Error(ffi::ErrorCode::kFailedPrecondition, "the result is elsewhere");
  }
  if (x.element_count() > 0) y->typed_data()[0] += 100;
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(in_place, InPlace,
                              ffi::Ffi::Bind().Arg<Floats>().Ret<Floats>());

// The results are where the operands are, in another order.
static ffi::Error Swap(Floats x, ffi::Buffer<ffi::S32> n, ffi::ResultBuffer<ffi::S32> m,
                       ffi::ResultBuffer<ffi::F32> y) {
  if (x.typed_data() != y->typed_data() || n.typed_data() != m->typed_data()) {
    return ffi::Error(ffi::ErrorCode::kFailedPrecondition, "the results are elsewhere");
  }
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(swap_places, Swap,
                              ffi::Ffi::Bind()
                                  .Arg<Floats>()
                                  .Arg<ffi::Buffer<ffi::S32>>()
                                  .Ret<ffi::Buffer<ffi::S32>>()
                                  .Ret<Floats>());

// A state of each instance, which counts its calls.
static std::atomic<int64_t> counters{0};

struct Counter {
  static ffi::TypeId id;
  explicit Counter(int64_t start) : next(start) { ++counters; }
  ~Counter() { --counters; }
  std::atomic<int64_t> next;
};

ffi::TypeId Counter::id = {};
static ffi::TypeInfo counter_info = ffi::MakeTypeInfo<Counter>();

extern "C" ffi::TypeId* counter_type() { return &Counter::id; }
extern "C" ffi::TypeInfo* counter_type_info() { return &counter_info; }
extern "C" int64_t living_counters() { return counters; }

static ffi::ErrorOr<std::unique_ptr<Counter>> MakeCounter(int64_t start) {
  if (start < 0) {
    return ffi::Unexpected(
        ffi::Error(ffi::ErrorCode::kOutOfRange, "counters start at zero"));
  }
  return std::make_unique<Counter>(start);
}

static ffi::Error Count(Counter* counter, ffi::ResultBufferR0<ffi::S32> y) {
  *y->typed_data() = counter->next++;
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(count_instantiate, MakeCounter,
                              ffi::Ffi::BindInstantiate().Attr<int64_t>("start"));
XLA_FFI_DEFINE_HANDLER_SYMBOL(
    count_execute, Count,
    ffi::Ffi::Bind().Ctx<ffi::State<Counter>>().Ret<ffi::BufferR0<ffi::S32>>());

static std::atomic<int64_t> effects{0};

extern "C" int64_t seen_effects() { return effects; }

static ffi::Error Effect(Floats) {
  ++effects;
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(effect, Effect, ffi::Ffi::Bind().Arg<Floats>());

// Goes on when it has returned.
static ffi::Future Later(Floats x, ffi::ResultBuffer<ffi::F32> y) {
  ffi::Promise promise;
  ffi::Future future(promise);
  std::thread([x, y, promise = std::move(promise)]() mutable {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (x.typed_data()[0] < 0) {
      promise.SetError(ffi::Error(ffi::ErrorCode::kAborted, "nothing to do later"));
      return;
    }
    for (size_t i = 0; i < x.element_count(); ++i) {
      y->typed_data()[i] = -x.typed_data()[i];
    }
    promise.SetAvailable();
  }).detach();
  return future;
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(later, Later, ffi::Ffi::Bind().Arg<Floats>().Ret<Floats>());

// Sums on other threads, by way of memory for the time of the call.
static ffi::Error Parallel(ffi::ThreadPool pool, ffi::ScratchAllocator scratch, Floats x,
                           ffi::ResultBufferR0<ffi::F32> y) {
  constexpr int kTasks = 4;
  auto memory = scratch.Allocate(kTasks * sizeof(float), 128);
  if (!memory.has_value() || reinterpret_cast<uintptr_t>(*memory) % 128 != 0 ||
      pool.num_threads() < 1) {
    return ffi::Error::Internal("no memory or no threads");
  }
  float* parts = static_cast<float*>(*memory);
  std::atomic<int> left{kTasks};
  for (int task = 0; task < kTasks; ++task) {
    pool.Schedule([&, task] {
      parts[task] = 0;
      for (size_t i = task; i < x.element_count(); i += kTasks) {
        parts[task] += x.typed_data()[i];
      }
      --left;
    });
  }
  while (left > 0) std::this_thread::yield();
  *y->typed_data() = std::accumulate(parts, parts + kTasks, 0.0f);
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(parallel, Parallel,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::ThreadPool>()
                                  .Ctx<ffi::ScratchAllocator>()
                                  .Arg<Floats>()
                                  .Ret<ffi::BufferR0<ffi::F32>>());

static ffi::Error Where(ffi::RunId run, int32_t device, ffi::ResultBufferR0<ffi::S32> id,
                        ffi::ResultBufferR0<ffi::S32> ordinal) {
  *id->typed_data() = run.run_id;
  *ordinal->typed_data() = device;
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(where, Where,
                              ffi::Ffi::Bind()
                                  .Ctx<ffi::RunId>()
                                  .Ctx<ffi::DeviceOrdinal>()
                                  .Ret<ffi::BufferR0<ffi::S32>>()
                                  .Ret<ffi::BufferR0<ffi::S32>>());

static ffi::Error Stream(void*, ffi::ResultBufferR0<ffi::F32>) {
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(
    stream, Stream,
    ffi::Ffi::Bind().Ctx<ffi::PlatformStream<void*>>().Ret<ffi::BufferR0<ffi::F32>>());

#if XLA_FFI_API_MINOR >= 5
static ffi::Error Options(ffi::Dictionary options, ffi::ResultBufferR0<ffi::S32> y) {
  *y->typed_data() = options.size();
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(
    options, Options,
    ffi::Ffi::Bind().Ctx<ffi::CustomOptions>().Ret<ffi::BufferR0<ffi::S32>>());

// An extension that nobody attaches.
struct Absent {
  struct Type {};
  using CExtension = XLA_FFI_Extension;
  static constexpr int64_t kExtensionType = 4242;
  static constexpr int32_t kMajorVersion = 1;
  static constexpr int32_t kMinorVersion = 0;
  static constexpr char kName[] = "test.Absent";
  static Type Create(const XLA_FFI_Api*, const CExtension*) { return Type(); }
};

static ffi::Error Extended(Absent::Type, ffi::ResultBufferR0<ffi::S32>) {
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(
    extended, Extended,
    ffi::Ffi::Bind().Ctx<ffi::Extension<Absent>>().Ret<ffi::BufferR0<ffi::S32>>());
#endif

// Of a version of the interface that Halo does not have.
extern "C" XLA_FFI_Error* foreign(XLA_FFI_CallFrame* frame) {
  if (frame->extension_start != nullptr) {
    auto* extension = reinterpret_cast<XLA_FFI_Metadata_Extension*>(frame->extension_start);
    extension->metadata->api_version.major_version = 1;
    extension->metadata->api_version.minor_version = 0;
  }
  return nullptr;
}
"""
