// A byte of a job's resource, by the names and the types of the modules that bind it.
#pragma once

#include <string>

#include "model/contract/device.h"
#include "tools/run/typed_values.h"

namespace lanewise {

struct JobPlace {
  std::string name;         // "sums[3].x", "blurred[12,7] of level 2"; "byte 5 of 'sums'" where no module says more
  std::uint64_t first = 0;  // where its value begins: a scalar, a texel, or a byte
  const FormatInfo* texel = nullptr;
  ValueType type{ValueType::Kind::kUnsigned, 1};  // without a texel
  bool isNamed = true;                            // false: no module says more

  // `bytes`: all of the resource's.
  std::string value(const std::vector<std::byte>& bytes, const TexelRules& rules = {}) const;
};

// By the first dispatch that binds this byte to a variable with a layout.
JobPlace placeOf(const Job& job, const Resource& resource, std::uint64_t byte);

}  // namespace lanewise
