// What a run leaves: files, texts, hashes and the differences between two runs.
#pragma once

#include <string>
#include <vector>

#include "golden/store/hash.h"
#include "tools/run/make_job.h"

namespace lanewise {

// The bytes of an --out file, by its ending. Errors: bad input (a picture that cannot hold the image). A picture is written by
// writeOutput only.
Expected<std::string> outputText(const RunOutput& output, const OutArgument& file, const Resource& resource);

// Writes one file, whole or not at all. `name` is the file's name, which a run on several devices changes; "-" gives no file.
Status writeOutput(const RunOutput& output, const OutArgument& file, const std::string& name, const Resource& resource);

// The values of a resource as a JSON array's elements would be: numbers, or strings for infinities and NaN; by `type`, else by the layout
// or the format.
std::vector<std::string> outputValues(const RunOutput& output, std::optional<ValueType> type, const Resource& resource);

// "64x64 R32_SFLOAT", "1024 bytes".
std::string shapeText(const Resource& resource);

// Where two runs differ in one resource: a line for the whole and one for each of the first differences, by texel or by the member of the
// block that stands there. Empty if they are equal.
std::string differenceText(const RunOutput& output, const Resource& a, const std::string& nameA, const Resource& b,
                           const std::string& nameB, std::size_t most = 8);

}  // namespace lanewise
