// Compiles GLSL and HLSL to SPIR-V by shaderc. #include "x" is searched beside the including file first, then in the -I folders; <x> only
// in those.
#include <fmt/format.h>

#include "tools/run/hlsl.h"
#include "tools/run/module_file.h"
#include "tools/run/source_text.h"
#ifdef LANEWISE_SHADERC
#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <optional>
#include <shaderc/shaderc.hpp>

#include "model/base/file.h"
#include "tools/run/kept_source.h"
#endif

namespace lanewise {
#ifdef LANEWISE_SHADERC
namespace {

namespace fs = std::filesystem;

using Files = std::vector<std::pair<std::string, std::string>>;

Included findIncluded(const std::vector<std::string>& folders, const Files* files, KeptSource& kept, const std::string& requested,
                      const std::string& requesting, bool besideToo) {
  if (files != nullptr)
    if (const auto file = std::ranges::find(*files, requested, &Files::value_type::first); file != files->end())
      return {file->first, file->second};
  std::vector<fs::path> tried;
  if (besideToo) tried.push_back(fs::path(requesting).parent_path() / requested);
  for (const std::string& folder : folders) tried.push_back(fs::path(folder) / requested);
  for (const fs::path& path : tried) {
    Expected<std::string> text = readWholeFile(path);
    kept.looked(path.string(), text ? &*text : nullptr);
    if (text) return {path.lexically_normal().string(), std::move(*text)};
  }
  return {"", fmt::format("'{}' is neither beside '{}' nor in a -I folder", requested, requesting)};
}

class Includer final : public shaderc::CompileOptions::IncluderInterface {
 public:
  explicit Includer(FindIncluded find) : find_(std::move(find)) {}

  shaderc_include_result* GetInclude(const char* requested, shaderc_include_type type, const char* requesting, std::size_t) override {
    auto* found = new Found{find_(requested, requesting, type == shaderc_include_type_relative), {}};
    const auto& [name, text] = found->file;
    found->result = {name.c_str(), name.size(), text.c_str(), text.size(), found};
    return &found->result;
  }
  void ReleaseInclude(shaderc_include_result* result) override { delete static_cast<Found*>(result->user_data); }

 private:
  struct Found {
    Included file;
    shaderc_include_result result{};
  };
  FindIncluded find_;
};

shaderc_env_version versionOf(const std::string& environment) {
  if (environment == "vulkan1.0") return shaderc_env_version_vulkan_1_0;
  if (environment == "spv1.0") return shaderc_env_version_vulkan_1_0;
  if (environment.starts_with("vulkan1.1") || (environment.starts_with("spv1.") && environment < "spv1.5"))
    return shaderc_env_version_vulkan_1_1;
  if (environment == "vulkan1.2" || environment == "spv1.5") return shaderc_env_version_vulkan_1_2;
  return shaderc_env_version_vulkan_1_3;
}

// The version of SPIR-V, where the name says it.
std::optional<shaderc_spirv_version> spirvVersionOf(const std::string& environment) {
  constexpr shaderc_spirv_version kVersions[] = {shaderc_spirv_version_1_0, shaderc_spirv_version_1_1, shaderc_spirv_version_1_2,
                                                 shaderc_spirv_version_1_3, shaderc_spirv_version_1_4, shaderc_spirv_version_1_5,
                                                 shaderc_spirv_version_1_6};
  const std::size_t at = environment.find("spv1.");
  if (at == std::string::npos) return {};
  return kVersions[static_cast<std::size_t>(environment.back() - '0')];
}

// The text with blanks in place of comments, and without the lines of directives.
std::string codeOf(std::string text) {
  for (std::size_t at = 0; (at = text.find_first_of("/\"", at)) != std::string::npos;) {
    const bool line = text.compare(at, 2, "//") == 0, block = text.compare(at, 2, "/*") == 0;
    if (text[at] == '"') {
      const std::size_t end = text.find_first_of("\"\n", at + 1);
      at = end == std::string::npos ? end : end + 1;
    } else if (line || block) {
      std::size_t end = line ? text.find('\n', at) : text.find("*/", at + 2);
      end = end == std::string::npos ? text.size() : end + (line ? 0 : 2);
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
      at = end;
    } else {
      ++at;
    }
  }
  std::string out;
  bool directive = false;
  for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
    next = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(at, next - at);
    const std::size_t first = line.find_first_not_of(" \t"), last = line.find_last_not_of(" \r\n");
    const bool continues = directive;  // the line before it ends in a backslash
    const bool here = continues || (first != std::string_view::npos && line[first] == '#');
    directive = here && last != std::string_view::npos && line[last] == '\\';
    if (!here) out += line;
  }
  return out;
}

// The functions with [numthreads(..)], whatever #if says.
std::vector<std::string> hlslEntries(const std::string& source) {
  static constexpr std::string_view kWord = "numthreads", kBlanks = " \t\r\n";
  const std::string text = codeOf(source);
  const auto isName = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    if (!std::ranges::equal(std::string_view(text).substr(at, kWord.size()), kWord, same)) continue;
    const std::size_t before = at == 0 ? std::string::npos : text.find_last_not_of(kBlanks, at - 1);
    if (before == std::string::npos || text[before] != '[') continue;
    // The name stands before the parenthesis after the last attribute.
    std::size_t end = text.find(']', at);
    while (end != std::string::npos && text.find_first_not_of(kBlanks, end + 1) == text.find('[', end + 1)) end = text.find(']', end + 1);
    const std::size_t open = end == std::string::npos ? end : text.find('(', end);
    if (open == std::string::npos) break;
    std::size_t last = open, first = open;
    while (last > end && !isName(text[last - 1])) --last;
    for (first = last; first > end && isName(text[first - 1]);) --first;
    std::string name = text.substr(first, last - first);
    if (!name.empty() && std::ranges::find(found, name) == found.end()) found.push_back(std::move(name));
  }
  return found;
}

// shaderc's messages, one per line, without the blank line at the end.
std::string messagesOf(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

// The version of a text's first directive, as in "#version 310 es"; 0 if it has none.
int versionNumber(std::string_view text) {
  const auto skip = [&](std::string_view begin, std::string_view end) {
    if (!text.starts_with(begin)) return false;
    const std::size_t at = text.find(end, begin.size());
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
    return true;
  };
  const auto space = [&] { text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\f\v"), text.size())); };
  for (space(); skip("//", "\n") || skip("/*", "*/");) space();
  if (!text.starts_with('#')) return 0;
  text.remove_prefix(1);
  space();
  if (!text.starts_with("version")) return 0;
  text.remove_prefix(7);
  space();
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

Expected<std::vector<std::uint32_t>> compileText(const SourceText& source, const SourceOptions& options, const KeptIn& keptIn) {
  if (Status unknown = checkEnvironment(options.targetEnvironment)) return *unknown;
  const auto& [file, text, hlsl, files] = source;
  // glslang prints its own declarations to standard output where it compiles a compute shader of an older version.
  if (!hlsl && versionNumber(text) < 300)
    return Error{Outcome::kBadInput, "it does not begin with the version of a compute shader", file,
                 "e.g. #version 450; at least 310 es or 420"};
  // Without a name, `main`, or the only function with threads where there is no such `main`.
  const std::vector<std::string> entries = hlsl && options.entry.empty() ? hlslEntries(text) : std::vector<std::string>();
  const std::string entry = hlsl && !options.entry.empty() ? options.entry : entries.size() == 1 ? entries[0] : "main";
  KeptSource kept(source, options, keptIn);
  if (std::optional<std::vector<std::uint32_t>> words = kept.words()) return std::move(*words);
  shaderc::CompileOptions compile;
  compile.SetTargetEnvironment(shaderc_target_env_vulkan, versionOf(options.targetEnvironment));
  // glslang's HLSL declares buffers as BufferBlock, which SPIR-V has up to 1.3.
  if (hlsl && options.targetEnvironment.empty()) compile.SetTargetEnvironment(shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_1);
  if (const auto version = spirvVersionOf(options.targetEnvironment)) compile.SetTargetSpirv(*version);
  if (hlsl) {
    compile.SetSourceLanguage(shaderc_source_language_hlsl);
    compile.SetHlslFunctionality1(true);
    compile.SetAutoBindUniforms(true);
    compile.SetHlslIoMapping(true);
  }
  compile.SetGenerateDebugInfo();
  if (options.optimise) compile.SetOptimizationLevel(shaderc_optimization_level_performance);
  const FindIncluded find = [&, own = files](const std::string& requested, const std::string& requesting, bool besideToo) {
    return findIncluded(options.includeFolders, own, kept, requested, requesting, besideToo);
  };
  compile.SetIncluder(std::make_unique<Includer>(find));
  for (const std::string& define : options.defines) {
    const std::size_t equals = define.find('=');
    if (equals == std::string::npos)
      compile.AddMacroDefinition(define);
    else
      compile.AddMacroDefinition(define.substr(0, equals), define.substr(equals + 1));
  }
  const shaderc::Compiler compiler;
  const shaderc::SpvCompilationResult result =
      compiler.CompileGlslToSpv(text.data(), text.size(), shaderc_glsl_compute_shader, file.c_str(), entry.c_str(), compile);
  if (result.GetCompilationStatus() != shaderc_compilation_status_success)
    return Error{Outcome::kBadInput, fmt::format("it does not compile:\n{}", messagesOf(result.GetErrorMessage())), file,
                 entries.size() > 1 && std::ranges::find(entries, "main") == entries.end()
                     ? fmt::format("--entry: {}", fmt::join(entries, ", "))
                     : ""};
  std::vector<std::uint32_t> words(result.begin(), result.end());
  // That is for the default environment alone.
  if (hlsl && !options.optimise && options.targetEnvironment.empty())
    if (auto written = hlslAsWritten(source, options, entry, find)) words = std::move(*written);
  kept.keep(words);
  return words;
}
#else
Expected<std::vector<std::uint32_t>> compileText(const SourceText& source, const SourceOptions&, const KeptIn&) {
  return Error{Outcome::kUnsupported, "this build of Lanewise has no GLSL compiler", source.file,
               "install libshaderc-dev and build again, or compile it: glslangValidator -V --target-env vulkan1.3 -g FILE -o FILE.spv"};
}
#endif

Expected<std::vector<std::uint32_t>> compileSource(const std::string& file, const std::string& text, const SourceOptions& options) {
  return compileText({.file = file, .text = text, .hlsl = file.ends_with(".hlsl")}, options);
}

}  // namespace lanewise
