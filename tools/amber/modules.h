// The modules of a script's shaders, each made once. See ready.h.
#pragma once

#include <map>
#include <memory>

#include "tools/amber/script.h"
#include "tools/run/module_file.h"

namespace lanewise::amber {

class Modules {
 public:
  // Both must outlive it.
  Modules(const Script& script, const SourceOptions& options) : script_(script), options_(options) {}

  // The valid module that a pipeline runs, optimised as it says.
  Expected<std::shared_ptr<const ShaderModule>> of(const Pipeline& pipeline);

 private:
  Expected<std::vector<std::uint32_t>> wordsOf(const Shader& shader, const std::string& entry) const;
  Expected<std::vector<std::uint32_t>> assembled(const Shader& shader, const std::string& text) const;

  const Script& script_;
  const SourceOptions& options_;
  std::map<std::string, std::shared_ptr<const ShaderModule>> made_;
};

}  // namespace lanewise::amber
