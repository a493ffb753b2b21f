// Results that were recorded from a run on the model and that a person approved. They say what the results were, not what is right.
//
// One file: a line "lanewise recorded 1", the fields (model/base/archive.h), and the XXH3-128 of all bytes before it. A file that was
// edited or cut off is golden trouble.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/base/outcome.h"

namespace lanewise {

struct Recorded {
  std::string date, tool;  // of the approval; the version of Lanewise
  // The outputs of each case, by the part of its name after the kernel's.
  std::map<std::string, std::vector<std::vector<std::byte>>, std::less<>> cases;
};

// An empty one if there is no such file. kIoError, kGoldenTrouble.
Expected<Recorded> readRecorded(const std::string& file);
Status writeRecorded(const std::string& file, const Recorded& recorded);

}  // namespace lanewise
