// What an access touches, in the words of the source.
#pragma once

#include <string>

namespace lanewise {

struct PlaceName {
  std::string variable;  // "scratch", a resource, or a member of a block without a name; empty where nothing is known
  std::string part;      // "[127].x"; empty: the whole

  std::string text() const { return variable + part; }
};

}  // namespace lanewise
