// The arguments of `lanewise run` that say what each binding has, as values.
//
//   WHERE                  SET:BINDING, SET:BINDING:ELEMENT, or the name the module gives it, NAME or NAME:ELEMENT; of the first dispatch,
//                          or with N/ before it of dispatch N
//   --buffer WHERE=DATA    DATA: FILE, FILE:BYTES (the rest is zeros), @FILE (a name that may have a colon), values (typed_values.h),
//                          or same:WHERE (the buffer of that binding). Then: offset=N, size=N for the range the kernel sees, and
//                          for a texel buffer its format. --memory NAME=DATA: a buffer without a binding, for addr:NAME
//   --image WHERE=DATA:..  DATA: a picture, or a file, values, zeros, poison or fill:BYTE for the raw texels of all levels and layers, or
//                          same:WHERE. Then, in any order: a format (rgba8ui, R8G8B8A8_UINT), an extent (64x64, 16x16x16), levels=N,
//                          layers=N, samples=N, 1d, 2d, 3d, cube, and for the view: view=FORMAT, level=N, view-levels=N, layer=N,
//                          view-layers=N
//   --sampler WHERE=WORDS  as model/contract/sampler.h has them: linear,repeat,mip=linear
//   --out WHERE=FILE:..    FILE: .png .tif .exr (images), .txt .json, anything else for the bytes as they are, - for the terminal,
//                          @NAME for a name with a colon. Then, in any order: the words for an image (above), the number of bytes of a
//                          buffer, the type of the values in a text (u32), and zeros or fill=BYTE for the content before the run (else
//                          poison)
//
// Errors are bad input and name the option and what is allowed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/contract/device.h"
#include "tools/run/typed_values.h"

namespace lanewise {

struct Slot {
  std::string name;  // of the binding; empty: by numbers
  std::uint32_t set = 0, binding = 0, element = 0;
  std::uint32_t dispatch = 0;  // whose binding it is
  std::string text() const;    // "0:1", "0:1:2", "sums"; of the second dispatch "2/0:1"
  friend bool operator==(const Slot&, const Slot&) = default;
};

struct ImageShape {
  std::optional<Format> format, view;
  std::optional<Extent3> extent;
  std::optional<std::uint32_t> levels, layers, dimensions, samples;
  std::optional<std::uint32_t> level, viewLevels, layer, viewLayers;  // of the view
  bool cube = false;
  friend bool operator==(const ImageShape&, const ImageShape&) = default;
};

struct Source {
  enum class Kind : std::uint8_t { kFile, kValues, kFill, kSame };
  Kind kind = Kind::kFile;
  std::string text;  // the file's name or the values
  Slot same;
  std::byte fill{};
};

struct BufferArgument {
  Slot slot;
  Source source;
  std::optional<std::uint64_t> bytes;  // how large it is
  std::uint64_t offset = 0, size = 0;  // the range that the kernel sees; 0: all the rest
  std::optional<Format> format;        // of a texel buffer
};

struct ImageArgument {
  Slot slot;
  Source source;
  ImageShape shape;
};

struct SamplerArgument {
  Slot slot;
  SamplerState state;
};

// In the place of a file's name: the values go to the terminal.
inline constexpr std::string_view kTerminal = "-";

struct OutArgument {
  Slot slot;
  std::string file;  // or kTerminal
  ImageShape shape;
  std::optional<std::uint64_t> bytes;
  std::optional<ValueType> type;
  std::optional<std::byte> start;
};

// `option`: --buffer, --texel-buffer or --memory.
Expected<BufferArgument> parseBufferArgument(std::string_view option, std::string_view text);
Expected<ImageArgument> parseImageArgument(std::string_view text);
Expected<SamplerArgument> parseSamplerArgument(std::string_view text);
Expected<OutArgument> parseOutArgument(std::string_view text);

// "8,8,1", "8x8x1", "8,8", "8".
Expected<Extent3> parseGroups(std::string_view option, std::string_view text);
// "0:1", "0:1:2", "0:1[2]", "name", "name:2", "2/0:1".
Expected<Slot> parseSlot(std::string_view option, std::string_view text);
// A format by either name, in either case, with or without VK_FORMAT_.
std::optional<Format> parseFormat(std::string_view text);

}  // namespace lanewise
