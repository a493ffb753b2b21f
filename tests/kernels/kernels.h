// The kernels of tests/kernels, compiled to SPIR-V like the program's own.
#pragma once

#include <memory>
#include <string>

#include "model/contract/device.h"
#include "shaders/embedded.h"

namespace lanewise {

std::span<const EmbeddedModule> testKernels();

// By the name of its file without .comp; without words where there is none.
inline std::shared_ptr<const ShaderModule> testKernel(const std::string& name) {
  auto module = std::make_shared<ShaderModule>();
  module->name = name + ".comp";
  for (const EmbeddedModule& m : testKernels())
    if (m.name == name) module->words.assign(m.words.begin(), m.words.end());
  return module;
}

}  // namespace lanewise
