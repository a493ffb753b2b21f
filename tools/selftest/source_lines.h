// The lines of a module's source, if its debug information has them. They identify a place for a person and for a row of reasons.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/spirv/module.h"

namespace lanewise {

class SourceLines {
 public:
  explicit SourceLines(const spirv::Module& module);
  // Without leading and trailing blanks; empty if there is no such line.
  std::string at(spirv::SourceLine line) const;

 private:
  std::map<std::uint32_t, std::vector<std::string>> lines_;  // by the file's id
};

}  // namespace lanewise
