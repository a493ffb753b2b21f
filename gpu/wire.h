// The bytes between the program and a device's worker process: jobs to the worker, results back. Little-endian. Both ends are the same
// build of Lanewise.
//
// Promise: decoding any bytes gives a value or an Error, never a crash, and never holds more than the given limit. A module is sent once
// and then named by its hash.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/contract/device.h"

namespace lanewise {

using Bytes = std::vector<std::byte>;

// XXH3-128 of a module's words, canonical form.
using ModuleHash = std::array<std::uint8_t, 16>;
ModuleHash hashModule(const ShaderModule& module);
// One text for each pipeline: module, entry point, specialization, length of runtime arrays, subgroup size (0: the device's own).
std::string pipelineKey(const Dispatch& dispatch, std::uint32_t subgroupSize);
using ModuleTable = std::map<ModuleHash, std::shared_ptr<const ShaderModule>>;

// The kind of a message. Its payload is one of the values below.
enum class MessageKind : std::uint32_t {
  kModule = 1,   // to the worker: a module to remember
  kForget = 2,   // to the worker: forget all modules
  kJob = 3,      // to the worker: run this
  kProfile = 4,  // from the worker, first: the device's profile, or why there is none
  kPhase = 5,    // from the worker: what it is doing now; the time limit starts again
  kResult = 6,   // from the worker: the answer to a kJob
  kDevices = 7,  // from a worker that lists devices
  kBuild = 8,    // from the worker, after a kPhase: the pipelineKey of what it builds, for which another time limit holds
};

// A worker's answer to a job. If `usable` is false, the device is lost or busy for ever, and the worker has to be ended.
struct WorkerResult {
  RunResult result;
  bool usable = true;
};

// One physical device as the loader lists it.
struct ListedDevice {
  std::uint32_t index = 0;
  std::string deviceName;      // as the driver says
  std::uint32_t driverId = 0;  // VkDriverId
  Profile profile;             // its name is empty: discovery gives names
};

Bytes encodeModule(const ShaderModule& module);
Expected<std::shared_ptr<const ShaderModule>> decodeModule(std::span<const std::byte> bytes);

// Modules are written as their hashes; decoding looks them up in `modules`. Resources may hold `maxBytes` together.
Bytes encodeJob(const Job& job);
Expected<Job> decodeJob(std::span<const std::byte> bytes, const ModuleTable& modules, std::uint64_t maxBytes);

Bytes encodeResult(const WorkerResult& result);
Expected<WorkerResult> decodeResult(std::span<const std::byte> bytes, std::uint64_t maxBytes);

Bytes encodeProfile(const Expected<Profile>& profile);
Expected<Profile> decodeProfile(std::span<const std::byte> bytes);

Bytes encodeDevices(const Expected<std::vector<ListedDevice>>& devices);
Expected<std::vector<ListedDevice>> decodeDevices(std::span<const std::byte> bytes);

Bytes encodeText(const std::string& text);
Expected<std::string> decodeText(std::span<const std::byte> bytes);

}  // namespace lanewise
