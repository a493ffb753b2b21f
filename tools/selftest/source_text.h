// The lines of a module's source, where its debug information holds them: what a person, and a row of reasons, knows a place by.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/spirv/module.h"

namespace lanewise {

class SourceText {
 public:
  explicit SourceText(const spirv::Module& module);
  // Without the blanks around it; empty if it is not there.
  std::string at(spirv::SourceLine line) const;

 private:
  std::map<std::uint32_t, std::vector<std::string>> lines_;  // by the file's id
};

}  // namespace lanewise
