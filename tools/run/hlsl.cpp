#include "tools/run/hlsl.h"

#ifdef LANEWISE_GLSLANG
#ifndef ENABLE_HLSL
#define ENABLE_HLSL  // older headers of glslang hide what its library has
#endif
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#if __has_include(<glslang/MachineIndependent/localintermediate.h>)
#include <glslang/MachineIndependent/localintermediate.h>
#define LANEWISE_GLSLANG_TREE
#endif

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "model/spirv/validate.h"
#include "tools/run/hlsl_source.h"
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
    if (found->name.empty() || namesFiles(found->text)) return nullptr;
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

// glslang 12 writes the code of global initializers while no function is open, and takes its scope from an empty stack, which may end the
// process. As the first statements of the entry point they are the same code. Later versions keep a scope there, and install no tree.
#ifdef LANEWISE_GLSLANG_TREE
void openTheEntryForInitializers(const glslang::TIntermediate& made) {
  glslang::TIntermAggregate* const root = made.getTreeRoot() ? made.getTreeRoot()->getAsAggregate() : nullptr;
  if (!root) return;
  glslang::TIntermSequence& nodes = root->getSequence();
  glslang::TIntermAggregate* body = nullptr;
  for (TIntermNode* node : nodes) {
    glslang::TIntermAggregate* const function = node->getAsAggregate();
    if (!function || function->getOp() != glslang::EOpFunction || function->getName() != made.getEntryPointMangledName().c_str()) continue;
    body = function->getSequence().back()->getAsAggregate();
  }
  if (!body) return;
  const auto initializes = [](TIntermNode* node) {
    const glslang::TIntermAggregate* const a = node->getAsAggregate();
    return a && a->getOp() != glslang::EOpFunction && a->getOp() != glslang::EOpLinkerObjects;
  };
  const auto first = std::stable_partition(nodes.begin(), nodes.end(), std::not_fn(initializes));
  body->getSequence().insert(body->getSequence().begin(), first, nodes.end());
  nodes.erase(first, nodes.end());
}

// A function that is called, and that nobody has.
class Calls final : public glslang::TIntermTraverser {
 public:
  bool visitAggregate(glslang::TVisit, glslang::TIntermAggregate* node) override {
    if (node->getOp() == glslang::EOpFunction) has_.emplace(node->getName().c_str());
    if (node->getOp() == glslang::EOpFunctionCall && node->isUserDefined()) calls_.emplace(node->getName().c_str());
    return true;
  }
  std::string lost() const {
    for (const std::string& name : calls_)
      if (!has_.contains(name)) return name.substr(0, name.find('('));
    return "";
  }

 private:
  std::set<std::string> has_, calls_;
};

std::string lostFunction(const glslang::TIntermediate& made) {
  Calls calls;
  if (made.getTreeRoot()) made.getTreeRoot()->traverse(&calls);
  return calls.lost();
}
#else
void openTheEntryForInitializers(const glslang::TIntermediate&) {}
std::string lostFunction(const glslang::TIntermediate&) {
  return "";
}
#endif

constexpr int kHlslVersion = 100;
constexpr auto kHlslMessages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules | EShMsgReadHlsl | EShMsgDebugInfo);

// With what it refers to.
struct HlslShader {
  HlslShader(const SourceText& source, const SourceOptions& options)
      : text(source.text.c_str()),
        file(source.file.c_str()),
        length(static_cast<int>(source.text.size())),
        preamble(preambleOf(options.defines)) {
    shader.setStringsWithLengthsAndNames(&text, &length, &file, 1);
    shader.setPreamble(preamble.c_str());
    shader.setEnvInput(glslang::EShSourceHlsl, EShLangCompute, glslang::EShClientVulkan, 100);
    shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_1);
    shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_3);
    shader.setEnvTargetHlslFunctionality1();
    shader.setDebugInfo(true);
  }
  const char* text;
  const char* file;
  int length;
  std::string preamble;
  glslang::TShader shader{EShLangCompute};
};

}  // namespace

std::optional<std::string> preprocessedHlsl(const SourceText& source, const SourceOptions& options, const FindIncluded& find) {
  const GlslangProcess process;
  HlslShader hlsl(source, options);
  GlslangIncluder includer(find);
  std::string out;
  if (!hlsl.shader.preprocess(GetDefaultResources(), kHlslVersion, ENoProfile, false, false, kHlslMessages, &out, includer)) return {};
  return out;
}

WrittenHlsl hlslAsWritten(const SourceText& source, const SourceOptions& options, const std::string& entry, const FindIncluded& find) {
  // glslang looks up the text of the file that a #line names, and reads through nullptr where it has none; files that are included too.
  if (namesFiles(source.text)) return {};
  const GlslangProcess process;
  HlslShader hlsl(source, options);
  glslang::TShader& shader = hlsl.shader;
  shader.setEntryPoint(entry.c_str());
  shader.setAutoMapBindings(true);
  shader.setHlslIoMapping(true);
  GlslangIncluder includer(find);
  if (!shader.parse(GetDefaultResources(), kHlslVersion, false, kHlslMessages, includer)) return {};
  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(kHlslMessages) || !program.mapIO()) return {};
  const glslang::TIntermediate* const made = program.getIntermediate(EShLangCompute);
  if (!made) return {};
  if (std::string lost = lostFunction(*made); !lost.empty()) return {std::move(lost), {}};
  openTheEntryForInitializers(*made);
  glslang::SpvOptions spirv;
  spirv.generateDebugInfo = true;
  spirv.disableOptimizer = true;
  spirv.emitNonSemanticShaderDebugInfo = true;
  spirv.emitNonSemanticShaderDebugSource = true;
  std::vector<unsigned> words;
  glslang::GlslangToSpv(*made, words, &spirv);
  if (spirv::validate(source.file, words)) return {};
  return {"", std::move(words)};
}
#else
std::optional<std::string> preprocessedHlsl(const SourceText&, const SourceOptions&, const FindIncluded&) {
  return {};
}

WrittenHlsl hlslAsWritten(const SourceText&, const SourceOptions&, const std::string&, const FindIncluded&) {
  return {};
}
#endif

}  // namespace lanewise
