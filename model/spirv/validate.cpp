#include "model/spirv/validate.h"

#include <fmt/format.h>
#include <spirv-tools/libspirv.hpp>

#include "model/spirv/module.h"
#include "model/spirv/newer.h"

namespace lanewise::spirv {
namespace {

// SPIRV-Tools counts words when it parses binaries and instructions when it validates. Both are reported as `index`.
struct Message {
  std::size_t index = 0;
  std::string text;
};

bool unknownToTools(const std::string& text) {
  for (const char* part : {"Invalid capability operand", "Invalid opcode", "Invalid instruction", "unknown extension"})
    if (text.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

Status validate(const std::string& name, std::span<const std::uint32_t> words) {
  Message first;
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  tools.SetMessageConsumer([&first](spv_message_level_t level, const char*, const spv_position_t& position, const char* message) {
    if (level <= SPV_MSG_ERROR && first.text.empty()) first = {position.index, message};
  });
  spvtools::ValidatorOptions options;
  options.SetScalarBlockLayout(true);
  options.SetUniformBufferStandardLayout(true);
  options.SetWorkgroupScalarBlockLayout(true);
  options.SetAllowLocalSizeId(true);
  if (words.size() < 5 || words[0] != spv::MagicNumber)
    return Error{Outcome::kBadInput, "not a SPIR-V module: the magic number 0x07230203 is missing", name,
                 "give a .spv file as glslang, DXC or glslc writes it"};
  for (std::size_t at = 5; at + 1 < words.size() && (words[at] & 0xffff) == static_cast<std::uint32_t>(spv::Op::OpCapability); at += 2)
    if (const std::string_view refused = refusedCapability(words[at + 1]); !refused.empty())
      return Error{Outcome::kUnsupported, fmt::format("the capability {} is not supported", refused), fmt::format("{}, word {}", name, at),
                   ""};
  const OlderCopy older = withoutNewer(words);
  const auto placeOf = [&](std::size_t word) {
    return fmt::format("{}, word {} ({})", name, word, opName(static_cast<spv::Op>(words[word] & 0xffff)));
  };
  if (!older.wrong.empty()) return Error{Outcome::kBadInput, "not a valid SPIR-V module: " + older.wrong, placeOf(older.wrongAt), ""};
  // Names for ids cost more than the rest, so they are made only for the message.
  options.SetFriendlyNames(false);
  if (tools.Validate(older.words.data(), older.words.size(), options)) return {};
  first = {};
  options.SetFriendlyNames(true);
  tools.Validate(older.words.data(), older.words.size(), options);

  const std::size_t cut = first.text.find('\n');
  std::string text = first.text.substr(0, cut);
  if (text.ends_with(':') && cut != std::string::npos) {  // a list follows
    text = first.text.substr(0, first.text.find('\n', cut + 1));
    text[cut] = ' ';
  }
  if (constexpr std::uint32_t kEnd = 1u << 16 | static_cast<std::uint32_t>(spv::Op::OpFunctionEnd);
      words.back() != kEnd && text.find("forward referenced") != text.npos)
    text = "it ends before its last function does; the file is cut short";
  // HLSL compilers leave an image or a sampler in a variable of the invocation. SPIRV-Tools refuses that since 2024, but the model executes
  // it.
  if (text.find("OpTypeImage-06924") != std::string::npos) {
    options.SetBeforeHlslLegalization(true);
    if (tools.Validate(older.words.data(), older.words.size(), options)) return {};
  }
  const bool parsing = first.index >= older.words.size() || text.find("Invalid") == 0 || text.find("End of input") != std::string::npos;
  std::size_t offset = first.index;  // the parser's is a word of the copy, the same as the module's in nearly every module
  if (!parsing) offset = first.index > 0 && first.index <= older.offsets.size() ? older.offsets[first.index - 1] : words.size();
  std::string where = name;
  if (offset >= 5 && offset < words.size())
    where = placeOf(offset);
  else
    where = fmt::format("{}, word {}", name, offset);
  if (unknownToTools(text))
    return Error{Outcome::kUnsupported, "SPIRV-Tools cannot validate this module: " + text, where, "it needs a newer SPIRV-Tools"};
  return Error{Outcome::kBadInput, "not a valid SPIR-V module: " + text, where, "see spirv-val --target-env vulkan1.3"};
}

}  // namespace lanewise::spirv
