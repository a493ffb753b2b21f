// What helps where a session cannot do what it was asked: a kind, which is the hint of an error in words for every front end. Those that
// have commands name them instead (tools/debug/advice.h).
#pragma once

#include "model/base/outcome.h"

namespace lanewise::debug {

enum class Advice : std::uint8_t { kAnInvocation, kInvocations, kPlaces, kNames, kFunctions, kBytes, kFindings, kBeginAgain };

// The hint.
std::string textOf(Advice advice);
// The kind of an error's hint; none: it is of no kind.
std::optional<Advice> adviceOf(const Error& error);

}  // namespace lanewise::debug
