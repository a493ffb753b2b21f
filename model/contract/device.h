// The contract between a kernel's plan and whatever runs it: the model, a Vulkan device, or a test double.
//
// A Job is a list of dispatches, and blits between them, over named resources. A Device runs it and returns every resource's final bytes.
// The same Job always gives the same bytes on the model; devices are compared with these.
//
// Layouts. A buffer is bytes. An image is its texels in rows without padding: level 0 first, then level 1, ...; inside a level layer after
// layer, inside a layer sample after sample and slice after slice, row after row, x fastest; little-endian components as its Format says.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/base/outcome.h"
#include "model/contract/finding.h"
#include "model/contract/format.h"
#include "model/contract/profile.h"
#include "model/contract/sampler.h"

namespace lanewise {

struct Extent3 {
  std::uint32_t x = 1, y = 1, z = 1;
  friend bool operator==(const Extent3&, const Extent3&) = default;
};

// A SPIR-V module as given, not validated. Immutable and shared, so that devices can cache what they make from it.
struct ShaderModule {
  std::string name;                  // for messages: a kernel's name or a file's
  std::vector<std::uint32_t> words;  // host byte order
};

// A buffer's device address (VkBufferDeviceAddressInfo), which is known only where the job runs. Its 8 bytes are written before the first
// dispatch, into the buffer or the push constants that have this field.
struct Address {
  std::uint64_t at = 0;      // the position of its first byte
  std::string resource;      // the buffer of the address
  std::uint64_t offset = 0;  // added to it
  friend bool operator==(const Address&, const Address&) = default;
};

struct BufferData {
  std::vector<std::byte> bytes;
  std::vector<Address> addresses = {};
};

// Writes an address to its position. Error: bad input if its 8 bytes do not fit.
Status writeAddress(std::vector<std::byte>& bytes, const Address& where, std::uint64_t address);

struct ImageData {
  Format format = Format::UNDEFINED;
  Extent3 extent;                // of level 0, in texels
  std::uint32_t levels = 1;      // level l has max(1, extent >> l) texels an axis
  std::uint32_t layers = 1;      // 6 for a cube, 6 n for n cubes: +x, -x, +y, -y, +z, -z
  std::uint32_t dimensions = 2;  // 1, 2 or 3: the image type
  std::vector<std::byte> bytes;
  std::uint32_t samples = 1;  // per texel: 1, 2, 4, 8, 16, 32 or 64; more than one only in two dimensions with one level

  // Bytes before level `level`; with level == levels, of the whole image.
  std::size_t levelOffset(std::uint32_t level) const;
  Extent3 levelExtent(std::uint32_t level) const;
  // The texel that has a byte. z counts slices, then samples, then layers, as the bytes do.
  struct Texel {
    std::uint32_t level = 0;
    std::uint64_t x = 0, y = 0, z = 0;
  };
  Texel texelAt(std::uint64_t byte) const;
};

struct Resource {
  std::string name;
  std::variant<BufferData, ImageData> data;
  bool undefined = false;  // the bytes are poison: a kernel must not read them before writing
  bool output = false;     // RunResult has its final bytes

  std::vector<std::byte>& bytes();
  const std::vector<std::byte>& bytes() const;
};

// Where a byte is: "12,7", "12,7,3 level 2" of an image, "16" of a buffer.
std::string placeIn(const Resource& resource, std::uint64_t byte);

// The value of poison on every device: the byte 0xA7 repeated.
inline constexpr std::byte kPoisonByte{0xA7};

// Fills in `bytes` (size from format, extent, levels, layers) with poison, and marks the resource undefined.
Resource undefinedImage(std::string name, Format format, Extent3 extent, std::uint32_t levels = 1);
Resource undefinedBuffer(std::string name, std::size_t bytes);

// One descriptor: the resource, or the part of one, at (set, binding)[element]. The kernel declares the kind. A cube's view starts at a
// layer and has its six faces.
struct Binding {
  std::uint32_t set = 0;
  std::uint32_t binding = 0;
  std::uint32_t element = 0;
  std::string resource;  // empty for a sampler without an image
  // Image views.
  std::uint32_t baseLevel = 0;
  std::uint32_t levelCount = 0;           // 0: all the rest
  Format viewFormat = Format::UNDEFINED;  // UNDEFINED: the image's own. A texel buffer, which is a buffer resource, needs one
  std::uint32_t baseLayer = 0;
  std::uint32_t layerCount = 0;  // 0: one, or for an arrayed view all the rest
  // Buffers and texel buffers, in bytes.
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  // 0: all the rest
  // Samplers and combined image samplers.
  SamplerState sampler = {};
};

struct SpecConstant {
  std::uint32_t id = 0;     // the SpecId
  std::uint64_t value = 0;  // its low bits are the constant's; a boolean is 0 or 1
};

struct Dispatch {
  std::shared_ptr<const ShaderModule> module;
  std::string entryPoint = "main";
  Extent3 groups;                  // workgroups; a zero dispatches nothing
  std::vector<SpecConstant> spec;  // others have the module's default
  std::vector<std::byte> push;     // push constants from offset 0
  std::vector<Address> pushAddresses = {};
  std::vector<Binding> bindings;
  bool barrierBefore = true;  // there is a full memory barrier before this dispatch
};

// vkCmdBlitImage with a linear filter: all of one mip level of an image, in every layer, scaled into another level of it. There are full
// memory barriers before and after it.
struct Blit {
  std::string resource;
  std::uint32_t from = 0, to = 1;  // levels
  std::uint32_t before = 0;        // the dispatch after it; the number of dispatches: it comes after the last
  friend bool operator==(const Blit&, const Blit&) = default;
};

struct Limits {
  std::uint64_t maxSteps = std::uint64_t{1} << 32;   // steps that an invocation may make in a dispatch
  std::uint64_t maxMemory = std::uint64_t{4} << 30;  // bytes that a run may use
  double timeoutSeconds = 30;                        // of one device wait; the model counts steps instead
};

struct Job {
  std::vector<Resource> resources;
  std::vector<Dispatch> dispatches;
  std::vector<Blit> blits = {};    // in their order
  std::uint32_t subgroupSize = 0;  // 0: the device's own
  Limits limits;
};

// The index of the resource of this name; their number if there is none. Names are unique.
std::size_t resourceNamed(std::span<const Resource> resources, std::string_view name);

// Bad input: a blit of an unknown image or level, of multisample or integer images (which are not filtered), or out of order.
Status checkBlits(const Job& job);

// A line of NonSemantic.DebugPrintf.
struct Printed {
  std::uint32_t dispatch = 0;
  Extent3 invocation;  // GlobalInvocationId
  std::string text;
};

// What the axioms of the memory model say of what was found (check/referee.h).
struct Refereed {
  std::uint64_t races = 0, silences = 0;   // pairs of accesses that were judged: reported, and not reported
  std::uint64_t tooLong = 0;               // pairs with too many events between them to be judged
  std::vector<std::string> disagreements;  // our bugs
};

// The result of a run. If `error` is set the resources are not meaningful.
struct RunResult {
  std::optional<Error> error;
  std::vector<Resource> outputs;  // those resources of the Job with output == true, in its order
  double seconds = 0;             // time of only the dispatches and blits: by device timestamps if there are any, else by the host's clock
  std::vector<Printed> printed = {};      // what DebugPrintf printed, in the order of execution; devices give none
  std::uint64_t unprinted = 0;            // lines beyond the limit
  std::vector<RunFinding> findings = {};  // of the observed model; devices have none
  std::uint64_t forgottenUses = 0;        // uses of a place that the race checker forgot: races with these are not reported
  Refereed refereed = {};                 // of the races
  // No race, no atomic and no clock, so nothing that an order of invocations could decide: in every order the bytes are these.
  bool orderFree = false;
};

// Thread safety: run() may be called from several threads at once. A run never changes the Job.
class Device {
 public:
  virtual ~Device() = default;
  virtual const Profile& profile() const = 0;
  virtual RunResult run(const Job& job) = 0;
};

}  // namespace lanewise
