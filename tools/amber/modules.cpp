#include "tools/amber/modules.h"

#include <fmt/format.h>
#include <spirv/unified1/spirv.hpp11>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <sstream>

#include "model/spirv/validate.h"
#include "model/spirv/words.h"
#include "tools/run/passes.h"
#include "tools/run/source_text.h"

namespace lanewise::amber {
namespace {

// Words in hexadecimal, "0x07230203" or "07230203", or bytes, "03 02 23 07".
Expected<std::vector<std::uint32_t>> wordsOfHex(const Script& script, const Shader& shader) {
  std::istringstream in(shader.text);
  std::vector<std::uint32_t> words;
  std::vector<std::byte> bytes;
  for (std::string text; in >> text;) {
    std::string_view digits = text;
    if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
    while (digits.ends_with(',')) digits.remove_suffix(1);
    std::uint32_t word = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), word, 16);
    if (code != std::errc() || end != digits.data() + digits.size())
      return Error{Outcome::kBadInput, fmt::format("'{}' in shader '{}' is no hexadecimal word", text.substr(0, 60), shader.name),
                   script.where(shader.at), ""};
    if (digits.size() <= 2 && words.empty())
      bytes.push_back(std::byte(word));
    else
      words.push_back(word);
  }
  if (bytes.size() >= 4 && words.empty()) {
    words.resize(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
  }
  return words;
}

Expected<std::vector<std::uint32_t>> wordsOfBinary(const Script& script, const Shader& shader) {
  if (auto words = spirv::wordsOfFile(shader.text)) return std::move(*words);
  return Error{Outcome::kBadInput, fmt::format("'{}' is no SPIR-V: it has {} bytes", shader.source, shader.text.size()),
               script.where(shader.at), ""};
}

// With as many lines before it as the script has, so that messages and the debugger name places there. In GLSL ES nothing may stand before
// #version.
std::string withLinesBefore(const Shader& shader) {
  const std::string before(shader.line - 1, '\n');
  const std::size_t version = shader.text.find_first_not_of(" \t\r\n");
  if (shader.language != Language::kGlsl || version == std::string::npos || shader.text.compare(version, 8, "#version") != 0)
    return before + shader.text;
  const std::size_t end = std::min(shader.text.find('\n', version), shader.text.size());
  const auto skipped = std::count(shader.text.begin(), shader.text.begin() + static_cast<std::ptrdiff_t>(version), '\n');
  return shader.text.substr(version, end - version) + std::string(static_cast<std::size_t>(skipped), '\n') + before +
         shader.text.substr(end);
}

}  // namespace

Expected<std::vector<std::uint32_t>> Modules::assembled(const Shader& shader, const std::string& text) const {
  const std::string& given = shader.environment.empty() ? options_.targetEnvironment : shader.environment;
  if (!given.empty() || assemblyNamesVersion(shader.text)) return assembleText(shader.source, text, given, shader.text);
  Expected<std::vector<std::uint32_t>> first = assembleText(shader.source, text, "spv1.0", "");
  for (const char* environment : {"spv1.0", "spv1.3", "spv1.6"}) {
    Expected<std::vector<std::uint32_t>> words = assembleText(shader.source, text, environment, "");
    if (words && !spirv::validate(shader.name, *words)) return words;
  }
  Status wrong = first ? spirv::validate(fmt::format("{}, shader {}", script_.file, shader.name), *first) : Status(first.error());
  if (!wrong || wrong->outcome != Outcome::kBadInput) return first;
  wrong->hint =
      "so says SPIR-V 1.0, and 1.3 and 1.6 refuse it too; TARGET_ENV spv1.4, or \"; Version: 1.4\" as its first line, names another";
  return *wrong;
}

Expected<std::vector<std::uint32_t>> Modules::wordsOf(const Shader& shader, const std::string& entry) const {
  if (shader.language == Language::kHex) return wordsOfHex(script_, shader);
  if (shader.language == Language::kBinary) return wordsOfBinary(script_, shader);
  const std::string text = withLinesBefore(shader);
  if (shader.language == Language::kAssembly) return assembled(shader, text);
  SourceOptions options = options_;
  if (!shader.environment.empty()) options.targetEnvironment = shader.environment;
  options.entry = entry;
  return compileText({shader.source, text, shader.language == Language::kHlsl, &script_.files}, options);
}

Expected<std::shared_ptr<const ShaderModule>> Modules::of(const Pipeline& p) {
  const Shader& shader = script_.shaders[*p.shader];
  // HLSL is compiled for its entry point.
  const std::string entry = shader.language == Language::kHlsl ? p.entry : "";
  const std::string key = fmt::format("{}\n{}\n{}", shader.name, entry, fmt::join(p.passes, "\n"));
  if (const auto found = made_.find(key); found != made_.end()) return found->second;
  Expected<std::vector<std::uint32_t>> words = wordsOf(shader, entry);
  if (!words) return words.error();
  auto module = std::make_shared<ShaderModule>();
  module->name = fmt::format("{}, shader {}", script_.file, shader.name);
  module->words = std::move(*words);
  // SPIRV-Tools may not know an instruction that the model or a device knows.
  if (Status wrong = spirv::validate(module->name, module->words); wrong && wrong->outcome == Outcome::kBadInput) return *wrong;
  std::shared_ptr<const ShaderModule> made = std::move(module);
  if (!p.passes.empty()) {
    Expected<std::shared_ptr<const ShaderModule>> optimised = afterPasses(*made, p.passes);
    if (!optimised) return Error{optimised.error().outcome, optimised.error().what, script_.where(p.at), optimised.error().hint};
    made = std::move(*optimised);
  }
  return made_[key] = std::move(made);
}

}  // namespace lanewise::amber
