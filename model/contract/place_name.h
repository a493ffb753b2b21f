// The object of an access, in the words of the source.
#pragma once

#include <string>

namespace lanewise {

struct PlaceName {
  std::string variable;  // "scratch", a resource, or a member of a block without a name; empty if unknown
  std::string part;      // "[127].x"; empty: the whole

  std::string text() const { return variable + part; }
};

}  // namespace lanewise
