// Outcomes that never mix, each with its exit code, and Expected<T>, which carries a value or one Error.
//
// Nothing in Lanewise's libraries prints, throws or aborts: a function that can fail returns Expected<T> (or an Error inside its result).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace lanewise {

// The numeric value is the process's exit code.
enum class Outcome : int {
  kOk = 0,             // all well
  kFinding = 1,        // a mismatch or a finding: the kernel or a device is wrong
  kBadInput = 2,       // bad input or usage, with the place in it
  kUnsupported = 3,    // no answer: an instruction, capability or form that is not implemented, or that a device lacks, by name
  kDeviceTrouble = 4,  // no device found, lost, crashed, timed out
  kGoldenTrouble = 5,  // a golden missing, stale or edited
  kIoError = 6,        // a file cannot be read or written
  kInternal = 70,      // a bug of Lanewise: an internal check failed
  kInterrupted = 130,  // stopped by the user
};

// "ok", "finding", "bad input", "unsupported", "device trouble", "golden trouble", "input/output error", "internal error", "interrupted".
const char* outcomeName(Outcome outcome);

// The outcome of a process that has seen all of these, by priority: bugs of Lanewise, then findings, golden, device and file trouble,
// unsupported, bad input; kOk if there are none.
Outcome gravest(std::span<const Outcome> seen);

// One clear error: what is wrong, where, and what to do. `where` names the place in the input ("kernel.spv, word 17 (OpLoad)",
// "blur.comp:31", "--sizes") and may be empty; `hint` says what to do and may be empty.
struct Error {
  Outcome outcome = Outcome::kInternal;
  std::string what;
  std::string where;
  std::string hint;

  // "what (where); hint", without the parts that are empty.
  std::string text() const;
};

// A value or an Error. The caller checks first: reading the wrong one ends the process.
template <class T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : state_(std::move(value)) {}
  Expected(Error error) : state_(std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return held<0>(state_); }
  const T& value() const { return held<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  Error& error() { return held<1>(state_); }
  const Error& error() const { return held<1>(state_); }

 private:
  template <std::size_t I, class State>
  static auto& held(State& state) {
    if (state.index() != I) __builtin_trap();
    return *std::get_if<I>(&state);
  }
  std::variant<T, Error> state_;
};

// Success, or an Error.
using Status = std::optional<Error>;

}  // namespace lanewise
