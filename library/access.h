// Between the values of the library's headers and those inside. Not installed.
#pragma once

#include <exception>
#include <memory>
#include <new>

#include "library/lanewise/run.h"
#include "model/contract/device.h"
#include "model/model.h"

namespace lw {

struct Access {
  static std::shared_ptr<const lanewise::ShaderModule> shader(const Module& module) {
    return std::static_pointer_cast<const lanewise::ShaderModule>(module.shader_);
  }
  static Module module(std::shared_ptr<const lanewise::ShaderModule> shader) {
    Module made;
    made.shader_ = std::move(shader);
    return made;
  }
};

Error errorOf(const lanewise::Error& error);
// Bad input: an unknown format, an image whose bytes are not its shape's, a dispatch without a module.
lanewise::Expected<lanewise::Job> jobInside(const Job& job);
// The resource as the caller wrote it, with the bytes of a run.
Resource resourceOutside(const Job& job, lanewise::Resource resource);
lanewise::Expected<lanewise::Resource> resourceInside(const Resource& resource);
Run runOutside(const std::shared_ptr<const Job>& job, lanewise::RunResult result);
// Bad input: a profile or a schedule that there is not.
lanewise::Expected<lanewise::ModelOptions> modelOptions(const RunOptions& options);

// Whatever a library below throws, such as for want of memory, is an error here.
template <class Result, class F>
Result guarded(Result (*failed)(Error), const F& call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return failed({Outcome::badInput, "the memory of this host is not enough", "", "a smaller job"});
  } catch (const std::exception& thrown) {
    return failed({Outcome::internal, thrown.what(), "", ""});
  }
}
template <class T>
Expected<T> expectedError(Error error) {
  return {T{}, std::move(error)};
}
template <class T, class F>
Expected<T> guardedValue(const F& call) {
  return guarded<Expected<T>>(&expectedError<T>, call);
}
inline Run failedRun(Error error) {
  Run run;
  run.error = std::move(error);
  return run;
}

}  // namespace lw
