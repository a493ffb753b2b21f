#include "tools/run/hlsl.h"

#ifdef LANEWISE_GLSLANG
#ifndef ENABLE_HLSL
#define ENABLE_HLSL  // older headers of glslang hide what its library has
#endif
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

#include <algorithm>
#include <memory>

#include "model/spirv/validate.h"
#endif

namespace lanewise {
#ifdef LANEWISE_GLSLANG
namespace {

class GlslangIncluder final : public glslang::TShader::Includer {
 public:
  explicit GlslangIncluder(const FindIncluded& find) : find_(find) {}
  IncludeResult* includeLocal(const char* name, const char* from, std::size_t) override { return result(name, from, true); }
  IncludeResult* includeSystem(const char* name, const char* from, std::size_t) override { return result(name, from, false); }
  void releaseInclude(IncludeResult* result) override {
    if (!result) return;
    delete static_cast<Included*>(result->userData);
    delete result;
  }

 private:
  IncludeResult* result(const char* name, const char* from, bool besideToo) {
    auto found = std::make_unique<Included>(find_(name, from, besideToo));
    if (found->name.empty()) return nullptr;
    const Included& f = *found.release();
    return new IncludeResult(f.name, f.text.data(), f.text.size(), const_cast<Included*>(&f));
  }
  const FindIncluded& find_;
};

struct GlslangProcess {
  GlslangProcess() { glslang::InitializeProcess(); }
  ~GlslangProcess() { glslang::FinalizeProcess(); }
  GlslangProcess(const GlslangProcess&) = delete;
  GlslangProcess& operator=(const GlslangProcess&) = delete;
};

std::string preambleOf(const std::vector<std::string>& defines) {
  std::string out;
  for (std::string define : defines) {
    if (const std::size_t equals = define.find('='); equals != std::string::npos) define[equals] = ' ';
    out += "#define " + define + "\n";
  }
  return out;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> hlslAsWritten(const SourceText& source, const SourceOptions& options, const std::string& entry,
                                                        const FindIncluded& find) {
  const GlslangProcess process;
  glslang::TShader shader(EShLangCompute);
  const char* const text = source.text.c_str();
  const int length = static_cast<int>(source.text.size());
  const char* const file = source.file.c_str();
  shader.setStringsWithLengthsAndNames(&text, &length, &file, 1);
  const std::string preamble = preambleOf(options.defines);
  shader.setPreamble(preamble.c_str());
  shader.setEntryPoint(entry.c_str());
  shader.setEnvInput(glslang::EShSourceHlsl, EShLangCompute, glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_1);
  shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_3);
  shader.setEnvTargetHlslFunctionality1();
  shader.setAutoMapBindings(true);
  shader.setHlslIoMapping(true);
  shader.setDebugInfo(true);
  const auto messages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules | EShMsgReadHlsl | EShMsgDebugInfo);
  GlslangIncluder includer(find);
  constexpr int kDefaultVersion = 100;
  if (!shader.parse(GetDefaultResources(), kDefaultVersion, false, messages, includer)) return {};
  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(messages) || !program.mapIO()) return {};
  const glslang::TIntermediate* const made = program.getIntermediate(EShLangCompute);
  if (!made) return {};
  glslang::SpvOptions spirv;
  spirv.generateDebugInfo = true;
  spirv.disableOptimizer = true;
  spirv.emitNonSemanticShaderDebugInfo = true;
  spirv.emitNonSemanticShaderDebugSource = true;
  std::vector<unsigned> words;
  glslang::GlslangToSpv(*made, words, &spirv);
  if (words.empty() || spirv::validate(source.file, words)) return {};
  return words;
}
#else
std::optional<std::vector<std::uint32_t>> hlslAsWritten(const SourceText&, const SourceOptions&, const std::string&, const FindIncluded&) {
  return {};
}
#endif

}  // namespace lanewise
