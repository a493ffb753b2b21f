// The most memory that this process has had at a time since an object of this type was made, beyond what it had then.
#pragma once

#include <cstdint>
#include <optional>

namespace lanewise {

class PeakMemory {
 public:
  // Gives unused memory back to the system first, so that what is used again counts too.
  PeakMemory();
  // Nothing where the system does not tell.
  std::optional<std::uint64_t> bytes() const;

 private:
  std::optional<std::uint64_t> before_;
};

}  // namespace lanewise
