#include "model/check/undefined_memory.h"

#include <algorithm>

namespace lanewise::undefined {

void Memory::set(std::uint64_t byte, std::uint64_t size, Mark mark) {
  if (mark == 0 && !any_) return;
  any_ = true;
  shadow_.rows(byte, size, [&](const auto& row) {
    std::fill_n(row.cells.begin() + static_cast<std::ptrdiff_t>(row.first), row.count, kWritten + mark);
  });
}

}  // namespace lanewise::undefined
