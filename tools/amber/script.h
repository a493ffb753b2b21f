// A script in AmberScript, or in the older form of sections ("[compute shader]", "[test]"), as values: what it declares, and its commands
// in their order. Only what belongs to compute is here; parse.h refuses the rest by name.
//
// Source: google/amber, docs/amber_script.md, docs/vk_script.md and docs/memory_layout.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/contract/device.h"
#include "tools/amber/layout.h"

namespace lanewise::amber {

inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // of all buffers of a script

// A place in the script's text, both from 1.
struct Place {
  std::uint32_t line = 1, column = 1;
};

enum class Language : std::uint8_t { kGlsl, kHlsl, kAssembly, kHex, kBinary };

struct Shader {
  std::string name;
  Place at;
  Language language = Language::kGlsl;
  std::string environment{};  // empty: the default
  std::string text{};         // of kBinary the bytes
  std::string source{};       // the file that its lines belong to
  std::uint32_t line = 1;     // of the text's first line there
};

// Bytes in memory: a buffer, an image, or push constants. Which one is said by how it is bound.
struct Buffer {
  std::string name;
  Place at;
  Layout layout;  // of an element, or of a texel
  bool isImage = false;
  bool byFramebuffer = false;  // its extent is the FRAMEBUFFER_SIZE of the pipeline that binds it
  std::uint32_t dimensions = 2, levels = 1, samples = 1;
  Extent3 extent{};
  std::vector<std::byte> bytes{};  // before the first command

  std::uint64_t elements() const { return layout.stride == 0 ? 0 : bytes.size() / layout.stride; }
};

struct Sampler {
  std::string name;
  SamplerState state;
};

enum class BoundAs : std::uint8_t {
  kUniform,
  kStorage,
  kUniformTexelBuffer,
  kStorageTexelBuffer,
  kStorageImage,
  kSampledImage,
  kCombinedImageSampler,
  kSampler
};

// The descriptors of one binding.
struct Bound {
  Place at;
  BoundAs as = BoundAs::kStorage;
  std::uint32_t set = 0, binding = 0, baseLevel = 0;
  std::vector<std::size_t> buffers{};              // of each element; of samplers alone none
  std::vector<std::size_t> samplers{};             // of each element, or one for all
  std::vector<std::uint64_t> offsets{}, ranges{};  // in bytes, of each element; 0: all the rest
};

struct Subgroups {
  bool full = false, varying = false;
  enum class Required : std::uint8_t { kNone, kSize, kLeast, kGreatest } required = Required::kNone;
  std::uint32_t size = 0;
};

struct Pipeline {
  std::string name;
  Place at;
  std::optional<std::size_t> shader{};
  Place attachedAt{};
  std::string entry = "main";
  std::vector<SpecConstant> spec{};
  std::vector<Bound> bound{};
  std::optional<std::size_t> push{};  // a buffer
  Extent3 framebuffer{250, 250, 1};
  Subgroups subgroups{};
  std::vector<std::string> passes{};  // of spirv-opt, as its options name them
};

// Commands. Their buffers and pipelines are numbers in the script's lists.
struct RunCommand {
  Place at;
  std::size_t pipeline = 0;
  Extent3 groups{};
};
struct CopyCommand {
  Place at;
  std::size_t from = 0, to = 0;
};
struct WriteCommand {  // of the older form, which gives data between runs
  std::size_t buffer = 0;
  std::uint64_t offset = 0;
  std::vector<std::byte> bytes;
};

enum class Comparator : std::uint8_t { kEqual, kNotEqual, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };
struct Allowed {
  double value = 0;
  bool percent = false;
};
struct ExpectValues {
  Place at;
  std::size_t buffer = 0;
  Comparator comparator = Comparator::kEqual;
  std::vector<Field> fields{};        // offsets from the buffer's first byte
  std::vector<std::uint64_t> bits{};  // of each field
  std::vector<Allowed> tolerances{};  // none: exact; one: of all; more: of a field's component
};
struct ExpectTexels {
  Place at;
  std::size_t buffer = 0;
  std::uint32_t x = 0, y = 0, width = 1, height = 1;
  std::vector<double> colour{};  // 3 or 4 values from 0 to 255
  std::vector<Allowed> tolerances{};
};
enum class Measure : std::uint8_t { kEqual, kRootMeanSquare, kEarthMovers };
struct ExpectBuffers {
  Place at;
  std::size_t first = 0, second = 0;
  Measure measure = Measure::kEqual;
  double most = 0;
};
// The commands from here to the matching end are executed `count` times.
struct RepeatCommand {
  std::uint32_t count = 1;
  std::size_t end = 0;  // the command after the last
};

using Command = std::variant<RunCommand, CopyCommand, WriteCommand, ExpectValues, ExpectTexels, ExpectBuffers, RepeatCommand>;

// What a device has to have (requirements.h).
struct Requirement {
  enum class Kind : std::uint8_t { kFeature, kProperty, kExtension };
  Kind kind = Kind::kFeature;
  std::string name;
  Place at;
};

struct Script {
  std::string file;
  std::vector<Requirement> requirements{};
  std::vector<Shader> shaders{};
  std::vector<Buffer> buffers{};
  std::vector<Sampler> samplers{};
  std::vector<Pipeline> pipelines{};
  std::vector<std::pair<std::string, std::string>> files{};  // VIRTUAL_FILE: path and text
  std::vector<Command> commands{};
  double timeout = 0;  // seconds; 0: the usual

  // "job.amber:12:3".
  std::string where(Place at) const;
};

}  // namespace lanewise::amber
