// A sweep of named cases over test doubles.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/tools/fake_device.h"
#include "tools/sweep/sweep.h"

namespace lanewise {

inline std::vector<Case> casesFrom(const std::vector<std::string>& names) {
  std::vector<Case> cases;
  for (const std::string& name : names) cases.push_back(*parseCase(name));
  return cases;
}

// One bit of the last byte of every output.
inline void flipLastBit(const Job&, RunResult& result) {
  result.outputs[0].bytes().back() ^= std::byte{1};
}

inline SweepResult sweep(const std::vector<std::string>& names, std::vector<std::pair<std::string, Device*>> devices,
                         SweepOptions options = {}) {
  std::vector<Side> sides;
  for (const auto& [name, device] : devices) sides.push_back({{name, "a test double", 8, name == "model"}, device, name == "model"});
  return runSweep({casesFrom(names), {names.size(), 0}, {}}, sides, Inputs(), options);
}

}  // namespace lanewise
