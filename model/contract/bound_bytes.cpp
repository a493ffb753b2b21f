#include "model/contract/bound_bytes.h"

#include <fmt/format.h>

namespace lanewise {

Expected<BoundBytes> boundBytes(const Binding& binding, std::uint64_t bufferBytes) {
  if (binding.offset >= bufferBytes || binding.size > bufferBytes - binding.offset) {
    const std::string what = binding.size == 0 ? "the bytes" : fmt::format("{} bytes", binding.size);
    return Error{Outcome::kBadInput, fmt::format("{} from byte {} on of a buffer of {}", what, binding.offset, bufferBytes), "", ""};
  }
  return BoundBytes{binding.offset, binding.size ? binding.size : bufferBytes - binding.offset};
}

}  // namespace lanewise
