// The results of a run as files, texts, hashes and differences between two runs.
#pragma once

#include <string>
#include <vector>

#include "golden/store/hash.h"
#include "tools/run/make_job.h"

namespace lanewise {

// The bytes of an --out file, by its ending. Errors: bad input (a picture that cannot hold the image). Pictures are written only by
// writeOutput.
Expected<std::string> outputText(const RunOutput& output, const OutArgument& file, const Resource& resource);

// Writes one file, completely or not at all. `name`: the name of the file; with several devices it contains the device. "-" writes no file.
Status writeOutput(const RunOutput& output, const OutArgument& file, const std::string& name, const Resource& resource);

// The values of a resource as the elements of a JSON array: numbers, or strings for infinities and NaN. They have the type `type`, or else
// the one of the layout or the format.
std::vector<std::string> outputValues(const RunOutput& output, std::optional<ValueType> type, const Resource& resource);

// "64x64 R32_SFLOAT", "1024 bytes".
std::string shapeText(const Resource& resource);

// Where two runs differ in one resource: a line about the whole and one for each of the first differences, by texel or by member of the
// block. Empty if they are equal.
std::string differenceText(const RunOutput& output, const Resource& a, const std::string& nameA, const Resource& b,
                           const std::string& nameB, std::size_t most = 8);

}  // namespace lanewise
