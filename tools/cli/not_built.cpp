#include "tools/cli/program.h"

namespace lanewise {

Error notBuilt(const std::string& what) {
  return {Outcome::kUnsupported, what + " is not in this build, which only validates the kernels that come with it", "",
          "build all of it: cmake -DLANEWISE_COMMANDS=ON " LANEWISE_BUILD " && cmake --build " LANEWISE_BUILD " --target lanewise"};
}

}  // namespace lanewise
