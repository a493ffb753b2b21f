// A first description of a module, from what it declares: for `lanewise init`.
#pragma once

#include <string>

#include "model/base/outcome.h"
#include "tools/run/module_file.h"

namespace lanewise {

// `description`: where it will lie, from which the module's file is named. What reflection cannot know is said in comments.
Expected<std::string> firstDescription(const std::string& module, const SourceOptions& source, const std::string& description);

}  // namespace lanewise
