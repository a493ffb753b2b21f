// The text of an error in a front end that takes the debugger's commands: they are named where they help (model/debug/advice.h).
#pragma once

#include "model/base/outcome.h"

namespace lanewise {

std::string textWithCommands(Error error);

}  // namespace lanewise
