// What a text on the command line names; subject.h says how. Defined in names.cpp, which needs nothing of what opens files.
#pragma once

#include <string>

#include "model/base/outcome.h"

namespace lanewise {

// The name of a kernel, or of a file that describes one.
bool namesKernel(const std::string& text);
// An error if the text is neither a kernel's name nor a case's nor a file's.
Status namesNothing(const std::string& text);

}  // namespace lanewise
