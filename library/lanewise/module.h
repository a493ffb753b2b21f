// A kernel: a SPIR-V module.
#ifndef LANEWISE_MODULE_H
#define LANEWISE_MODULE_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "outcome.h"

namespace lw {

// How GLSL and HLSL are compiled.
struct SourceOptions {
  std::vector<std::string> includeFolders{}, defines{};  // NAME or NAME=VALUE
  std::string targetEnvironment{};                       // "vulkan1.0" to "vulkan1.3"; empty: vulkan1.3
  bool optimise = false;
  std::string entry{};  // HLSL: the function; empty: main
};

struct BindingInfo {
  std::uint32_t set = 0, binding = 0;
  std::string name, kind;  // "sums", "storage buffer"
  bool written = false;    // the kernel may write it
};

// A specialization constant.
struct ConstantInfo {
  std::uint32_t id = 0;
  std::string name;
  std::uint32_t bits = 32;  // 1: a truth value
  bool isFloat = false;
};

// What an entry point declares.
struct EntryInfo {
  std::string name;
  std::uint32_t localSize[3] = {1, 1, 1};
  std::vector<BindingInfo> bindings;
  std::uint32_t pushBytes = 0;
  std::vector<ConstantInfo> constants{};  // of the module
};

// Immutable, and cheap to copy. Its use by several threads at once is safe.
class LANEWISE_EXPORT Module {
 public:
  // By the file's content and ending: SPIR-V, its assembly (.spvasm), GLSL (.comp, .glsl) or HLSL (.hlsl). Errors: input/output error if it
  // cannot be read; bad input if it is no such file or does not compile, with the compiler's words; unsupported without the compiler.
  static Expected<Module> load(const std::string& file, const SourceOptions& options = {});
  // No error: what is wrong with the words is told by what uses them.
  static Expected<Module> fromSpirv(std::vector<std::uint32_t> words, const std::string& name = "module");
  // `name` stands in messages and lines; with the ending .hlsl it is HLSL. Errors: those of load() for a source.
  static Expected<Module> fromSource(const std::string& text, const std::string& name = "kernel.comp", const SourceOptions& options = {});

  std::string name() const;
  std::vector<std::uint32_t> words() const;
  // Errors: bad input if the words are no module; unsupported if the length of an array cannot be computed.
  Expected<std::vector<EntryInfo>> entries() const;

 private:
  friend struct Access;
  std::shared_ptr<const void> shader_;
};

}  // namespace lw

#endif
