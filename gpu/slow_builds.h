// The pipelines that a device did not build within the limit for it. Equal devices share one list, so none tries again what took another
// too long. Safe from any thread.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "model/contract/device.h"

namespace lanewise {

class SlowBuilds {
 public:
  // By its pipelineKey (gpu/wire.h).
  void add(const std::string& key, const Error& error);
  // The error of the first of the job's pipelines that took too long on a device of this profile.
  std::optional<Error> of(const Job& job, const Profile& profile) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Error> errors_;
};

}  // namespace lanewise
