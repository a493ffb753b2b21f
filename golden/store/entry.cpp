#include "golden/store/entry.h"

namespace lanewise::golden {

bool Provenance::sameOrigin(const Provenance& other) const {
  return oracle == other.oracle && inputs == other.inputs && contract == other.contract;
}

std::string familyOf(std::string_view caseName) {
  return std::string(caseName.substr(0, caseName.find('/')));
}

}  // namespace lanewise::golden
