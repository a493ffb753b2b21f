#include "tests/text/definitions/definitions.h"

namespace lanewise::text::definitions {

std::vector<Definition> all() {
  std::vector<Definition> out;
  for (const auto& family : {controlFlow(), floats(), integers(), joined(), reduced(), samplers(), subgroups()})
    out.insert(out.end(), family.begin(), family.end());
  return out;
}

}  // namespace lanewise::text::definitions
