// The words by which a module's source language asks for order between accesses: what a finding suggests is told in them.
//
// Source: SPIR-V 1.6, 3.2 "Source Language", and the registry of generators. A module that says no language here is taken for GLSL. Where a
// language has no word, SPIR-V's stands.
#pragma once

#include <array>
#include <cstdint>

#include "model/spirv/module.h"

namespace lanewise::spirv {

// As SPIR-V numbers them; its headers have not all of these yet.
inline constexpr std::uint32_t kHlsl = 5, kWgsl = 10, kSlang = 11;
// As OpSource, or else debug information, numbers it; without both as its generator has it. 0: unknown.
std::uint32_t sourceLanguage(const Module& module);

struct SourceWords {
  // Of buffers, of workgroup memory, of images, and of several of these.
  std::array<const char*, 4> barriers;  // of the workgroup
  std::array<const char*, 4> fences;
  const char* subgroupBarrier;
  const char* coherent;
  const char* nonUniform;
  const char* atomic;       // what their names begin with: "atomic", before "Add"
  const char* texelAtomic;  // of texels
  const char* load;         // an atomic that only loads
  const char* store;        // and one that only stores
  bool declares;            // GLSL's extensions have to be named

  // `classes`: bits of memory semantics.
  const char* barrierOf(std::uint32_t classes) const { return barriers[indexOf(classes)]; }
  const char* fenceOf(std::uint32_t classes) const { return fences[indexOf(classes)]; }

 private:
  static std::size_t indexOf(std::uint32_t classes);
};
const SourceWords& sourceWords(const Module& module);

}  // namespace lanewise::spirv
