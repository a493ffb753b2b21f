#include "tools/run/module_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <spirv-tools/libspirv.hpp>
#include <sstream>

#include "model/base/file.h"
#include "model/spirv/language.h"
#include "model/spirv/words.h"
#include "tools/run/source_text.h"

namespace lanewise {
namespace {

struct TargetName {
  const char* name;
  spv_target_env tools;
};
constexpr TargetName kEnvironments[] = {
    {"vulkan1.0", SPV_ENV_VULKAN_1_0}, {"vulkan1.1", SPV_ENV_VULKAN_1_1}, {"vulkan1.1spv1.4", SPV_ENV_VULKAN_1_1_SPIRV_1_4},
    {"vulkan1.2", SPV_ENV_VULKAN_1_2}, {"vulkan1.3", SPV_ENV_VULKAN_1_3}, {"spv1.0", SPV_ENV_UNIVERSAL_1_0},
    {"spv1.1", SPV_ENV_UNIVERSAL_1_1}, {"spv1.2", SPV_ENV_UNIVERSAL_1_2}, {"spv1.3", SPV_ENV_UNIVERSAL_1_3},
    {"spv1.4", SPV_ENV_UNIVERSAL_1_4}, {"spv1.5", SPV_ENV_UNIVERSAL_1_5}, {"spv1.6", SPV_ENV_UNIVERSAL_1_6}};

Expected<std::vector<std::uint32_t>> binary(const std::string& file, const std::string& bytes) {
  if (auto words = spirv::wordsOfFile(bytes)) return std::move(*words);
  return Error{Outcome::kBadInput, fmt::format("not SPIR-V: {} bytes, which is not a whole number of words", bytes.size()), file, ""};
}

// That of the version in the comment that spirv-dis writes at the head, "; Version: 1.4".
std::optional<spv_target_env> environmentOfHeader(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos) continue;
    if (line[begin] != ';') break;
    const std::size_t at = line.find("Version: ");
    for (const TargetName& e : kEnvironments)
      if (at != std::string::npos && line.substr(at + 9, 3) == e.name + 3 && std::string_view(e.name).starts_with("spv")) return e.tools;
  }
  return {};
}

enum class Language : std::uint8_t { kSpirv, kAssembly, kSource };

// The first of the given options that the language has no use for; empty if there is none.
const char* uselessOption(Language language, const SourceOptions& o) {
  if (language == Language::kSource) return "";
  if (!o.includeFolders.empty()) return "--include";
  if (!o.defines.empty()) return "--define";
  if (o.optimise) return "--optimise";
  return language == Language::kSpirv && !o.targetEnvironment.empty() ? "--target-env" : "";
}

std::optional<Language> languageOf(const std::string& file, const std::string& bytes) {
  if (spirv::isBinary(bytes) || file.ends_with(".spv")) return Language::kSpirv;
  if (file.ends_with(".spvasm") || file.ends_with(".asm") || bytes.starts_with("; SPIR-V")) return Language::kAssembly;
  if (file.ends_with(".comp") || file.ends_with(".glsl") || file.ends_with(".hlsl")) return Language::kSource;
  return {};
}

// The linked assembler takes a language that it does not know as a number behind '!'.
std::string withKnownLanguages(std::string text) {
  constexpr std::string_view kSource = "OpSource";
  for (std::size_t at = 0; (at = text.find_first_of("\";O", at)) != std::string::npos;) {
    if (text[at] == ';') {
      at = text.find('\n', at);
    } else if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) at += text[at] == '\\' ? 1u : 0u;
      at = std::min(at + 1, text.size());
    } else if (text.compare(at, kSource.size(), kSource) == 0) {
      const std::size_t first = std::min(text.find_first_not_of(" \t", at + kSource.size()), text.size());
      const std::size_t end = std::min(text.find_first_of(" \t\r\n", first), text.size());
      if (const auto number = spirv::newerLanguage(std::string_view(text).substr(first, end - first)))
        text.replace(first, end - first, fmt::format("!{}", *number));
      at = first;
    } else {
      ++at;
    }
  }
  return text;
}

}  // namespace

bool assemblyNamesVersion(const std::string& text) {
  return environmentOfHeader(text).has_value();
}

Expected<std::vector<std::uint32_t>> assembleText(const std::string& file, const std::string& text, const std::string& environment,
                                                  const std::string& head) {
  if (Status unknown = checkEnvironment(environment)) return *unknown;
  spv_target_env target = environmentOfHeader(head).value_or(SPV_ENV_VULKAN_1_3);
  for (const TargetName& e : kEnvironments)
    if (environment == e.name) target = e.tools;
  spvtools::SpirvTools tools(target);
  std::string message;
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& at, const char* text1) {
    if (message.empty()) message = fmt::format("{}:{}: {}", file, at.line + 1, text1);
  });
  std::vector<std::uint32_t> words;
  if (!tools.Assemble(withKnownLanguages(text), &words)) return Error{Outcome::kBadInput, "it does not assemble: " + message, file, ""};
  return words;
}

Status checkEnvironment(const std::string& environment) {
  if (environment.empty() || std::ranges::any_of(kEnvironments, [&](const TargetName& e) { return environment == e.name; })) return {};
  return Error{Outcome::kBadInput, fmt::format("no such target environment: '{}'", environment), "--target-env",
               "vulkan1.0, vulkan1.1, vulkan1.1spv1.4, vulkan1.2, vulkan1.3, or spv1.0 to spv1.6"};
}

Expected<std::shared_ptr<const ShaderModule>> loadModule(const std::string& file, const SourceOptions& options) {
  return loadModule(file, options, {});
}

Expected<std::shared_ptr<const ShaderModule>> loadModule(const std::string& file, const SourceOptions& options, const KeptIn& keptIn) {
  if (Status unknown = checkEnvironment(options.targetEnvironment)) return *unknown;
  const Expected<std::string> bytes = readWholeFile(file);
  if (!bytes) return bytes.error();
  const std::optional<Language> language = languageOf(file, *bytes);
  if (!language)
    return Error{Outcome::kBadInput, "neither SPIR-V nor a source with a known ending", file,
                 "SPIR-V (.spv), its assembly (.spvasm) or a compute shader in GLSL (.comp, .glsl) or HLSL (.hlsl)"};
  if (const std::string option = uselessOption(*language, options); !option.empty())
    return Error{Outcome::kBadInput, fmt::format("'{}' is not compiled", file), option, "leave it out"};
  Expected<std::vector<std::uint32_t>> words =
      *language == Language::kSpirv      ? binary(file, *bytes)
      : *language == Language::kAssembly ? assembleText(file, *bytes, options.targetEnvironment, *bytes)
                                         : compileText({.file = file, .text = *bytes, .hlsl = file.ends_with(".hlsl")}, options, keptIn);
  if (!words) return words.error();
  auto module = std::make_shared<ShaderModule>();
  module->name = file;
  module->words = std::move(*words);
  return std::shared_ptr<const ShaderModule>(std::move(module));
}

}  // namespace lanewise
