// Errors as values. Nothing in this library prints, throws or ends the process.
#ifndef LANEWISE_OUTCOME_H
#define LANEWISE_OUTCOME_H

#include <optional>
#include <string>

#define LANEWISE_EXPORT __attribute__((visibility("default")))

namespace lw {

// The numbers are the exit codes of the program `lanewise`.
enum class Outcome : int {
  ok = 0,
  finding = 1,        // the kernel or a device is wrong
  badInput = 2,       // what was asked for means nothing
  unsupported = 3,    // the model or the device lacks it, by name
  deviceTrouble = 4,  // no device, one that was lost, crashed or took too long
  ioError = 6,        // a file cannot be read or written
  internal = 70,      // a bug of Lanewise
  interrupted = 130,  // it was told to stop
};

// `where` names the place ("blur.comp:31", "binding 0:1"), `hint` what to do; both may be empty.
struct Error {
  Outcome outcome = Outcome::internal;
  std::string what, where, hint;
  LANEWISE_EXPORT std::string text() const;
};

// A value, or an error; then the value is an empty one, which may be used, and whose use gives errors too.
template <class T>
struct Expected {
  T value{};
  std::optional<Error> error{};

  explicit operator bool() const { return !error; }
  T& operator*() { return value; }
  const T& operator*() const { return value; }
  T* operator->() { return &value; }
  const T* operator->() const { return &value; }
};

// "0.1.0", of the library that is loaded.
LANEWISE_EXPORT std::string version();

}  // namespace lw

#endif
