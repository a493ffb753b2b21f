// See wire.h. One `fields` function a type serves both directions (archive.h).
#include "gpu/wire.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <limits>

#include "model/base/archive.h"
#include "model/contract/choices.h"

namespace lanewise {
namespace wire {

// Writers visit const values, readers mutable ones.
template <class Archive, class T>
using Field = std::conditional_t<Archive::kReading, T, const T>;

constexpr std::uint64_t kNoBudget = std::numeric_limits<std::uint64_t>::max();

// Only for enumerations on which the reader's code depends: an unknown number is an error.
template <class Archive, class E>
void choice(Archive& a, E& value, std::initializer_list<int> known) {
  std::int32_t number = std::int32_t(value);
  a(number);
  if constexpr (Archive::kReading) {
    if (std::find(known.begin(), known.end(), number) == known.end()) return a.fail();
    value = E(number);
  }
}

template <class A>
void fields(A& a, Field<A, Error>& v) {
  choice(a, v.outcome, {0, 1, 2, 3, 4, 5, 6, 70, 130});
  a(v.what), a(v.where), a(v.hint);
}

template <class A>
void fields(A& a, Field<A, Extent3>& v) {
  a(v.x), a(v.y), a(v.z);
}

template <class A>
void fields(A& a, Field<A, Address>& v) {
  a(v.at), a(v.resource), a(v.offset);
}

template <class A>
void fields(A& a, Field<A, BufferData>& v) {
  a(v.bytes), a(v.addresses);
}

template <class A>
void fields(A& a, Field<A, ImageData>& v) {
  a(v.format), fields(a, v.extent), a(v.levels), a(v.layers), a(v.dimensions), a(v.bytes), a(v.samples);
}

template <class A>
void fields(A& a, Field<A, Resource>& v) {
  a(v.name), a(v.undefined), a(v.output);
  bool isImage = std::holds_alternative<ImageData>(v.data);
  a(isImage);
  if constexpr (A::kReading) {
    if (isImage) v.data = ImageData{};
  }
  if (isImage) {
    fields(a, *std::get_if<ImageData>(&v.data));
  } else {
    fields(a, *std::get_if<BufferData>(&v.data));
  }
}

template <class A>
void fields(A& a, Field<A, SamplerState>& v) {
  choice(a, v.mag, {0, 1}), choice(a, v.min, {0, 1}), choice(a, v.mip, {0, 1});
  for (auto* mode : {&v.u, &v.v, &v.w}) choice(a, *mode, {0, 1, 2, 3, 4});
  for (auto& component : v.border) a(component);
  a(v.integerBorder), a(v.compare), choice(a, v.compareOp, {0, 1, 2, 3, 4, 5, 6, 7}), a(v.unnormalized);
  a(v.lodBias), a(v.minLod), a(v.maxLod), choice(a, v.reduction, {0, 1, 2});
}

template <class A>
void fields(A& a, Field<A, Binding>& v) {
  a(v.set), a(v.binding), a(v.element), a(v.resource), a(v.baseLevel), a(v.levelCount), a(v.viewFormat);
  a(v.baseLayer), a(v.layerCount), a(v.offset), a(v.size), fields(a, v.sampler);
}

template <class A>
void fields(A& a, Field<A, SpecConstant>& v) {
  a(v.id), a(v.value);
}

template <class A>
void fields(A& a, Field<A, Limits>& v) {
  a(v.maxSteps), a(v.maxMemory), a(v.timeoutSeconds);
}

template <class A>
void fields(A& a, Field<A, FloatControls>& v) {
  a(v.signedZeroInfNanPreserve), a(v.denormPreserve), a(v.denormFlushToZero), a(v.roundingModeRTE), a(v.roundingModeRTZ);
}

template <class A>
void fields(A& a, Field<A, std::string>& v) {
  a(v);
}

// The choices, each as the number of its value.
template <class A>
void choicesOf(A& a, Field<A, Profile>& v) {
  for (const Choice& c : choices()) {
    std::uint32_t value = c.get(v);
    a(value);
    if constexpr (A::kReading) {
      if (value >= c.values.size()) return a.fail();
      c.set(v, value);
    }
  }
}

template <class A>
void fields(A& a, Field<A, Profile>& v) {
  a(v.name), a(v.description), a(v.apiVersion);
  a(v.subgroupSize), a(v.minSubgroupSize), a(v.maxSubgroupSize), a(v.maxWorkgroupInvocations);
  for (auto& size : v.maxWorkgroupSize) a(size);
  for (auto& count : v.maxWorkgroupCount) a(count);
  a(v.maxSharedMemory), a(v.maxPushConstants);
  a(v.subTexelBits);
  fields(a, v.float16), fields(a, v.float32), fields(a, v.float64);
  choice(a, v.denormIndependence, {0, 1, 2}), choice(a, v.roundingIndependence, {0, 1, 2}), choicesOf(a, v);
  a(v.capabilities);
}

template <class A>
void fields(A& a, Field<A, ListedDevice>& v) {
  a(v.index), a(v.deviceName), a(v.driverId), fields(a, v.profile);
}

template <class A>
void fields(A& a, Field<A, ShaderModule>& v) {
  a(v.name), a(v.words);
}

// The dispatch without its module, which is a hash beside it.
template <class A>
void fields(A& a, Field<A, Dispatch>& v) {
  a(v.entryPoint), fields(a, v.groups), a(v.spec), a(v.push), a(v.pushAddresses), a(v.bindings), a(v.barrierBefore);
}

template <class A>
void fields(A& a, Field<A, Blit>& v) {
  a(v.resource), a(v.from), a(v.to), a(v.before);
}

template <class A>
void fields(A& a, Field<A, WorkerResult>& v) {
  a(v.usable), a(v.result.error), a(v.result.outputs), a(v.result.seconds);
}

Error garbled(const char* what) {
  return {Outcome::kDeviceTrouble, std::string("a message from or to the device's worker process is garbled: ") + what, "", ""};
}

// One value is the whole message.
template <class T>
Expected<T> decodeWhole(std::span<const std::byte> bytes, std::uint64_t budget, const char* what) {
  Reader reader(bytes, budget);
  T value;
  fields(reader, value);
  if (!reader.complete()) return garbled(what);
  return value;
}

// An Expected<T>: a flag, then the value or the error.
template <class T, class Encode>
Bytes encodeExpected(const Expected<T>& value, Encode encode) {
  Writer writer;
  writer(value.ok());
  if (value) {
    encode(writer, *value);
  } else {
    fields(writer, value.error());
  }
  return std::move(writer.bytes);
}

template <class T, class Decode>
Expected<T> decodeExpected(std::span<const std::byte> bytes, const char* what, Decode decode) {
  Reader reader(bytes, kNoBudget);
  bool ok = false;
  reader(ok);
  T value;
  Error error;
  if (ok) {
    decode(reader, value);
  } else {
    fields(reader, error);
  }
  if (!reader.complete()) return garbled(what);
  if (ok) return value;
  return error;
}

}  // namespace wire

using namespace wire;

ModuleHash hashModule(const ShaderModule& module) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(module.words.data(), module.words.size() * sizeof(std::uint32_t)));
  ModuleHash hash;
  std::copy(std::begin(canonical.digest), std::end(canonical.digest), hash.begin());
  return hash;
}

std::string pipelineKey(const Dispatch& dispatch, std::uint32_t subgroupSize) {
  const ModuleHash hash = hashModule(*dispatch.module);
  std::string key(hash.begin(), hash.end());
  key += fmt::format("/{}/{}", dispatch.entryPoint, subgroupSize);
  for (const SpecConstant& s : dispatch.spec) key += fmt::format("/{}={}", s.id, s.value);
  for (const Binding& b : dispatch.bindings)
    if (b.element > 0) key += fmt::format("/{}.{}[{}]", b.set, b.binding, b.element);  // how long runtime arrays are
  return key;
}

Bytes encodeModule(const ShaderModule& module) {
  Writer writer;
  fields(writer, module);
  return std::move(writer.bytes);
}

Expected<std::shared_ptr<const ShaderModule>> decodeModule(std::span<const std::byte> bytes) {
  Expected<ShaderModule> module = decodeWhole<ShaderModule>(bytes, kNoBudget, "module");
  if (!module) return module.error();
  return std::make_shared<const ShaderModule>(std::move(*module));
}

Bytes encodeJob(const Job& job) {
  Writer writer;
  writer(job.resources);
  writer.size(job.dispatches.size());
  for (const Dispatch& d : job.dispatches) {
    for (const std::uint8_t byte : hashModule(*d.module)) writer(byte);
    fields(writer, d);
  }
  writer(job.blits);
  writer(job.subgroupSize);
  fields(writer, job.limits);
  return std::move(writer.bytes);
}

Expected<Job> decodeJob(std::span<const std::byte> bytes, const ModuleTable& modules, std::uint64_t maxBytes) {
  Reader reader(bytes, maxBytes);
  Job job;
  reader(job.resources);
  const std::size_t dispatches = reader.size(sizeof(ModuleHash));
  for (std::size_t i = 0; i < dispatches && !reader.failed(); ++i) {
    ModuleHash hash;
    for (std::uint8_t& byte : hash) reader(byte);
    Dispatch& d = job.dispatches.emplace_back();
    fields(reader, d);
    const auto found = modules.find(hash);
    if (found == modules.end()) return garbled("job (a module that was never sent)");
    d.module = found->second;
  }
  reader(job.blits);
  reader(job.subgroupSize);
  fields(reader, job.limits);
  if (!reader.complete()) return garbled("job");
  return job;
}

Bytes encodeResult(const WorkerResult& result) {
  Writer writer;
  fields(writer, result);
  return std::move(writer.bytes);
}

Expected<WorkerResult> decodeResult(std::span<const std::byte> bytes, std::uint64_t maxBytes) {
  return decodeWhole<WorkerResult>(bytes, maxBytes, "result");
}

Bytes encodeProfile(const Expected<Profile>& profile) {
  return encodeExpected(profile, [](Writer& w, const Profile& p) { fields(w, p); });
}

Expected<Profile> decodeProfile(std::span<const std::byte> bytes) {
  return decodeExpected<Profile>(bytes, "profile", [](Reader& r, Profile& p) { fields(r, p); });
}

Bytes encodeDevices(const Expected<std::vector<ListedDevice>>& devices) {
  return encodeExpected(devices, [](Writer& w, const std::vector<ListedDevice>& d) { w(d); });
}

Expected<std::vector<ListedDevice>> decodeDevices(std::span<const std::byte> bytes) {
  return decodeExpected<std::vector<ListedDevice>>(bytes, "devices", [](Reader& r, std::vector<ListedDevice>& d) { r(d); });
}

Bytes encodeText(const std::string& text) {
  Writer writer;
  writer(text);
  return std::move(writer.bytes);
}

Expected<std::string> decodeText(std::span<const std::byte> bytes) {
  return decodeWhole<std::string>(bytes, kNoBudget, "text");
}

}  // namespace lanewise
