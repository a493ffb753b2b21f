#include "model/debug/advice.h"

#include <algorithm>
#include <iterator>

namespace lanewise::debug {
namespace {

// By Advice.
constexpr const char* kTexts[] = {
    "go to an invocation that is there",
    "the job says how many there are",
    "a line with code, \"31\" or \"blur.comp:31\", or a function",
    "a variable that is in scope, a resource, or an expression of them in GLSL",
    "GLSL's functions of scalars and vectors",
    "name one of its bytes",
    "one of those that the run has",
    "begin this run again first",
};

}  // namespace

std::string textOf(Advice advice) {
  return kTexts[static_cast<std::size_t>(advice)];
}

std::optional<Advice> adviceOf(const Error& error) {
  const auto row = std::ranges::find(kTexts, error.hint);
  return row == std::end(kTexts) ? std::nullopt : std::optional(static_cast<Advice>(row - std::begin(kTexts)));
}

}  // namespace lanewise::debug
