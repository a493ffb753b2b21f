// Matchers for GoogleMock. This header needs GoogleTest; the library does not.
//
//   EXPECT_THAT(lw::run(job), lw::MatchesWithin(std::vector<float>{...}, 1e-6));
//
// Where it fails, the message has the first wrong value, which invocation stored it, and at which line.
#ifndef LANEWISE_GMOCK_H
#define LANEWISE_GMOCK_H

#include <gmock/gmock.h>

#include <ostream>
#include <sstream>
#include <type_traits>
#include <vector>

#include "golden.h"

namespace lw {

template <class T>
constexpr Scalar scalarOf() {
  static_assert(std::is_arithmetic_v<T>, "numbers are compared");
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? Scalar::f32 : Scalar::f64;
  constexpr bool isSigned = std::is_signed_v<T>;
  return sizeof(T) == 1   ? (isSigned ? Scalar::i8 : Scalar::u8)
         : sizeof(T) == 2 ? (isSigned ? Scalar::i16 : Scalar::u16)
         : sizeof(T) == 4 ? (isSigned ? Scalar::i32 : Scalar::u32)
                          : (isSigned ? Scalar::i64 : Scalar::u64);
}

class MatchesWithinMatcher {
 public:
  using is_gtest_matcher = void;
  MatchesWithinMatcher(Resource expected, double tolerance, std::optional<Scalar> scalar)
      : expected_(std::move(expected)), tolerance_(tolerance), scalar_(scalar) {}

  bool MatchAndExplain(const Run& run, std::ostream* listener) const {
    const std::string said = ruling(run, expected_, tolerance_, scalar_ ? &*scalar_ : nullptr);
    if (listener != nullptr) *listener << said;
    return said.empty();
  }
  void DescribeTo(std::ostream* os) const { *os << "has " << what(); }
  void DescribeNegationTo(std::ostream* os) const { *os << "does not have " << what(); }

 private:
  std::string what() const {
    std::ostringstream text;
    text << "the expected values";
    if (!expected_.name.empty()) text << " in '" << expected_.name << "'";
    if (tolerance_ != 0) text << " within " << tolerance_;
    return text.str();
  }
  Resource expected_;
  double tolerance_;
  std::optional<Scalar> scalar_;
};

// The output of this name, or the first one, has these values.
template <class T>
MatchesWithinMatcher MatchesWithin(const std::vector<T>& expected, double tolerance = 0, const std::string& output = "") {
  return {buffer(output, expected), tolerance, scalarOf<T>()};
}
// The output of the resource's name has its texels or bytes.
inline MatchesWithinMatcher MatchesWithin(const Resource& expected, double tolerance = 0) {
  return {expected, tolerance, std::nullopt};
}

// The run has neither an error nor a finding.
MATCHER(HasNoFindings, negation ? "has findings" : "has no findings") {
  if (arg.error) *result_listener << arg.error->text();
  for (const Finding& one : arg.findings) *result_listener << "\n  " << one.text;
  return !arg.error && arg.findings.empty();
}

inline void PrintTo(const Run& run, std::ostream* os) {
  *os << "a run on " << run.device;
  if (run.error) *os << ": " << run.error->text();
}

}  // namespace lw

#endif
