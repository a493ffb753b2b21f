// What is said of the times of equal runs.
#pragma once

#include <algorithm>
#include <vector>

namespace lanewise {

// 0 of none.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace lanewise
