// Compiles GLSL and HLSL to SPIR-V by shaderc. #include "x" is searched beside the including file first, then in the -I folders; <x> only
// in those.
#include <fmt/format.h>

#include "tools/run/embedded_source.h"
#include "tools/run/hlsl.h"
#include "tools/run/hlsl_registers.h"
#include "tools/run/hlsl_source.h"
#include "tools/run/module_file.h"
#include "tools/run/source_text.h"
#ifdef LANEWISE_SHADERC
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <shaderc/shaderc.hpp>

#include "model/base/file.h"
#include "tools/run/kept_source.h"
#include "tools/run/optimise.h"
#endif

namespace lanewise {
#ifdef LANEWISE_SHADERC
namespace {

constexpr std::size_t kMostIncluded = 10000;

namespace fs = std::filesystem;

using Files = std::vector<std::pair<std::string, std::string>>;

Included findIncluded(const std::vector<std::string>& folders, const Files* files, KeptSource& kept, const std::string& requested,
                      const std::string& requesting, bool besideToo) {
  const fs::path beside = fs::path(requesting).parent_path() / requested;
  if (files != nullptr)
    for (const std::string& name : {besideToo ? beside.lexically_normal().string() : requested, requested})
      if (const auto file = std::ranges::find(*files, name, &Files::value_type::first); file != files->end())
        return {file->first, file->second};
  std::vector<fs::path> tried;
  if (besideToo) tried.push_back(beside);
  for (const std::string& folder : folders) tried.push_back(fs::path(folder) / requested);
  for (const fs::path& path : tried) {
    Expected<std::string> text = readWholeFile(path);
    kept.looked(path.string(), text ? &*text : nullptr);
    if (text) return {path.lexically_normal().string(), std::move(*text)};
  }
  return {"", fmt::format("'{}' is neither beside '{}' nor in an include folder", requested, requesting)};
}

// Several threads may use it. What glslang knows of built-in functions lives as long as a compiler, and to make it takes longer than to
// compile most kernels. It never goes: a thread may still compile when the process ends.
const shaderc::Compiler& sharedCompiler() {
  static const auto* const compiler = new shaderc::Compiler;
  return *compiler;
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

// HLSL as glslang reads it, and what glslang alone makes of it.
struct TakenHlsl {
  SourceText source;
  std::vector<std::string> macros;  // that stand for [[vk::push_constant]]
  bool binds = false;               // it, or a file that it includes, says [[vk::binding]]
  bool isVulkan = false;            // it, or such a file, says vk
  std::string lost;                 // push constants that glslang would make a uniform buffer
  std::string lostOffset;           // a member whose offset glslang would not heed
  WrittenHlsl written;
  std::map<std::string, std::string> rewritten;  // texts of files that are included, and what their files hold

  FindIncluded find(const FindIncluded& file) {
    return [this, file](const std::string& requested, const std::string& requesting, bool besideToo) {
      Included found = file(requested, requesting, besideToo);
      binds = binds || saysBindings(found.text);
      isVulkan = isVulkan || saysVulkan(found.text);
      for (std::string& name : pushConstantMacros(found.text))
        if (std::ranges::find(macros, name) == macros.end()) macros.push_back(std::move(name));
      const std::string asWritten = found.text;
      found.text = withPushConstants(std::move(found.text), macros);
      if (found.text != asWritten) rewritten.emplace(found.text, asWritten);
      return found;
    };
  }
};

TakenHlsl takeHlsl(const SourceText& source, const SourceOptions& options, const std::string& entry, const FindIncluded& find) {
  TakenHlsl taken{source, pushConstantMacros(source.text), saysBindings(source.text), saysVulkan(source.text), {}, {}, {}, {}};
  // Again, where a macro is in a file that it includes.
  for (std::size_t known = taken.macros.size() + 1; known != taken.macros.size();) {
    known = taken.macros.size();
    taken.source.text = withPushConstants(source.text, taken.macros);
    taken.written = hlslAsWritten(taken.source, options, entry, taken.find(find));
  }
  if (!taken.isVulkan && std::ranges::none_of(options.defines, saysVulkan)) return taken;
  // Macros can hide them in any way, so where some are left they are seen after the preprocessor.
  const std::optional<std::string> text = preprocessedHlsl(taken.source, options, taken.find(find));
  taken.lostOffset = lostOffset(text ? *text : source.text);
  if (!text || lostPushConstants(*text).empty()) return taken;
  taken.source.text = withPushConstants(*text, {});
  taken.lost = lostPushConstants(taken.source.text);
  taken.written = hlslAsWritten(taken.source, options, entry, taken.find(find));
  return taken;
}

// What glslang would leave out without a word.
Status lostIn(const TakenHlsl& taken, const std::string& file) {
  if (!taken.lost.empty())
    return Error{Outcome::kBadInput, fmt::format("glslang knows no push constants '{}'", taken.lost), file,
                 "[[vk::push_constant]] T name; or [[vk::push_constant]] cbuffer name { .. };"};
  if (!taken.lostOffset.empty())
    return Error{Outcome::kBadInput, fmt::format("glslang ignores the [[vk::offset]] of '{}'", taken.lostOffset), file,
                 "take DXC's SPIR-V: dxc -spirv -T cs_6_6 -fspv-debug=line"};
  if (!taken.written.lost.empty())
    return Error{Outcome::kBadInput,
                 fmt::format("it does not compile: glslang drops '{}', which only the initializer of a global calls", taken.written.lost),
                 file, "set the global in the entry point, or call the function there too"};
  return {};
}

shaderc::CompileOptions compileOptions(const SourceOptions& options, bool hlsl) {
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
  for (const std::string& define : options.defines) {
    const std::size_t equals = define.find('=');
    if (equals == std::string::npos)
      compile.AddMacroDefinition(define);
    else
      compile.AddMacroDefinition(define.substr(0, equals), define.substr(equals + 1));
  }
  return compile;
}

// Of an HLSL text whose registers were separated: each of its entry points would have its own.
Status haveOneEntry(const std::string& text, const std::string& file) {
  const std::vector<std::string> all = hlslEntries(text);
  const std::set<std::string> names(all.begin(), all.end());
  if (names.size() < 2) return {};
  return Error{Outcome::kBadInput,
               fmt::format("registers of one number, such as t0 and u0, would have other bindings in each of its entry points, {}",
                           fmt::join(names, ", ")),
               file, "give the registers of a space different numbers, or say [[vk::binding(N)]]"};
}

}  // namespace

Expected<std::vector<std::uint32_t>> compileText(const SourceText& source, const SourceOptions& given, const KeptIn& keptIn) {
  SourceOptions options = given;
  const auto isSpirv = [](const std::string& define) { return define.substr(0, define.find('=')) == "__spirv__"; };
  if (source.hlsl && std::ranges::none_of(options.defines, isSpirv)) options.defines.emplace_back("__spirv__=1");  // as DXC has it
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
  // glslang spoils the end of a literal by a character at it that is not ASCII. No line ends: an error at the end names the last line.
  const std::string code = isAscii(text) ? text : text + "    ";
  std::vector<std::string> spoilt;  // names and texts that glslang does not write as they are
  const auto note = [&](const std::string& one) {
    if (!isAscii(one)) spoilt.push_back(one);
  };
  note(file);
  std::size_t included = 0;  // a file that includes itself has no end
  const FindIncluded find = [&, own = files](const std::string& requested, const std::string& requesting, bool besideToo) {
    if (++included > kMostIncluded) return Included{"", fmt::format("more than {} files are included", kMostIncluded)};
    Included found = findIncluded(options.includeFolders, own, kept, requested, requesting, besideToo);
    note(found.name);
    note(found.text);
    return found;
  };
  TakenHlsl taken;
  if (hlsl) taken = takeHlsl({file, code, hlsl, files}, options, entry, find);
  const std::string& read = hlsl ? taken.source.text : code;
  if (Status lost = lostIn(taken, file)) return *lost;
  // That is for the default environment alone.
  std::vector<std::uint32_t> words;
  if (!options.optimise && options.targetEnvironment.empty()) words = std::move(taken.written.words);
  if (words.empty()) {
    shaderc::CompileOptions compile = compileOptions(options, hlsl);
    compile.SetIncluder(std::make_unique<Includer>(hlsl ? taken.find(find) : find));
    const shaderc::SpvCompilationResult result =
        sharedCompiler().CompileGlslToSpv(read.data(), read.size(), shaderc_glsl_compute_shader, file.c_str(), entry.c_str(), compile);
    if (result.GetCompilationStatus() != shaderc_compilation_status_success)
      return Error{Outcome::kBadInput, fmt::format("it does not compile:\n{}", messagesOf(result.GetErrorMessage())), file,
                   entries.size() > 1 && std::ranges::find(entries, "main") == entries.end()
                       ? fmt::format("--entry: {}", fmt::join(entries, ", "))
                       : ""};
    words.assign(result.begin(), result.end());
    if (options.optimise && !hlsl)
      if (const Status wrong = validateOptimised(file, words)) return *wrong;
  }
  // A text that says where it binds may mean one binding by two variables.
  if (hlsl && !taken.binds && separateRegisters(words))
    if (Status several = haveOneEntry(text, file)) return *several;
  if (read != text) words = withSource(words, read, text);
  for (const auto& [from, to] : taken.rewritten) words = withSource(words, from, to);
  for (const std::string& one : spoilt) words = withSource(words, one, one);
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
