#include "model/base/nearest_name.h"

#include <algorithm>
#include <numeric>

namespace lanewise {
namespace {

std::size_t lettersApart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearestName(std::string_view name, const std::vector<std::string>& known, std::size_t most) {
  if (name.size() > 64) return {};
  std::string best;
  for (const std::string& one : known)
    if (const std::size_t apart = lettersApart(name, one); apart <= most && (best.empty() || apart < most)) {
      best = one;
      most = apart;
    }
  return best;
}

}  // namespace lanewise
