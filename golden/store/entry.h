// One case of the golden store: its hash, and where that comes from.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "golden/store/hash.h"

namespace lanewise::golden {

// The origin of a hash. Text without spaces or line ends, not empty.
struct Provenance {
  std::string oracle;    // oracle and version, e.g. "box-blur-1"
  std::string inputs;    // version of the input generator
  std::string contract;  // e.g. "box-blur/double"
  std::string tool;      // version of the program
  std::string date;      // YYYY-MM-DD
  friend bool operator==(const Provenance&, const Provenance&) = default;
  friend bool operator<(const Provenance& a, const Provenance& b) {
    return std::tie(a.oracle, a.inputs, a.contract, a.tool, a.date) < std::tie(b.oracle, b.inputs, b.contract, b.tool, b.date);
  }
  // Everything but tool and date, which do not make a hash stale.
  bool sameOrigin(const Provenance& other) const;
};

struct Entry {
  Hash128 hash;
  Provenance provenance;
  friend bool operator==(const Entry&, const Entry&) = default;
};

using Entries = std::map<std::string, Entry>;  // by case name

// The family of a case: its name up to the first '/', or the whole name.
std::string familyOf(std::string_view caseName);

}  // namespace lanewise::golden
