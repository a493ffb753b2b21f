// A job as a script that holds all of it: modules as SPIRV-HEX, data as numbers, and what its outputs have to be.
//
// What AmberScript has no statement for is unsupported, by name: blits, device addresses, layers, views of some levels, samplers beyond
// its own. Data of an image are all of its levels, which only Lanewise reads.
#pragma once

#include <string>
#include <vector>

#include "golden/image/image.h"
#include "model/contract/device.h"

namespace lanewise::amber {

struct WrittenOutput {
  std::vector<std::byte> least, greatest;  // greatest: empty where the bytes have to be `least`
  bool zerosEqual = false;                 // +0 and -0 are the same
};

// `title`: a line of comment. `outputs`: in the order of those of the job.
Expected<std::string> writeScript(const Job& job, const std::vector<WrittenOutput>& outputs, const std::string& title);

}  // namespace lanewise::amber
