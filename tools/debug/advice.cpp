#include "tools/debug/advice.h"

#include "model/debug/advice.h"

namespace lanewise {
namespace {

// By debug::Advice.
constexpr const char* kCommands[] = {
    "`global X,Y,Z` goes to one",
    "`info job` says how many there are",
    "`info files` and `info functions` name what there is",
    "`info locals` and `info globals` name them",
    "`help print` names those there are",
    "`print BUFFER BYTE` names one of its bytes",
    "`info findings` tells them",
    "`reload` this one first",
};

}  // namespace

std::string textWithCommands(Error error) {
  if (const auto advice = debug::adviceOf(error)) error.hint = kCommands[static_cast<std::size_t>(*advice)];
  return error.text();
}

}  // namespace lanewise
