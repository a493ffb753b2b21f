#include "model/patch/patched_device.h"

namespace lanewise {

RunResult PatchedDevice::run(const Job& job) {
  const Expected<Job> patched = (*patch_)(job);
  if (patched) return inner_.run(*patched);
  RunResult result;
  result.error = patched.error();
  return result;
}

}  // namespace lanewise
