// A first description of a kernel, from what its modules declare: for `lanewise init`.
#pragma once

#include <string>
#include <vector>

#include "model/base/outcome.h"
#include "tools/run/module_file.h"

namespace lanewise {

// A dispatch of each module; those that bind a resource of the same name share it. `description`: where it will lie, from which the
// modules' files are named. What reflection cannot know is said in comments.
Expected<std::string> firstDescription(const std::vector<std::string>& modules, const SourceOptions& source,
                                       const std::string& description);

}  // namespace lanewise
