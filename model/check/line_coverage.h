// What a run executed and read: the lines of the source, every way of each branch, and the places of each input.
//
// For a program that is decoded faithfully (ir::Flavour::kFaithful), where every instruction of the module has its place. Lines of
// functions that the entry point never calls are not in the program, and so not here.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/check/paged_shadow.h"
#include "model/contract/device.h"
#include "model/state/observer.h"

namespace lanewise {

// Of one source line: how many invocations executed it, and of each branch on it how many went each way.
struct LineHits {
  std::uint64_t count = 0;
  std::map<std::uint32_t, std::vector<std::uint64_t>>
      branches;  // by its place among the module's instructions; ways as targetsOf() has them
};
// By file and line.
using LineCoverage = std::map<std::string, std::map<std::uint32_t, LineHits>>;
void addTo(LineCoverage& all, const LineCoverage& more);
// The tracefile of lcov (geninfo(1)).
std::string lcovText(const LineCoverage& coverage);
// "blur.comp:12, 15-18": lines that no invocation executed.
std::string missedLines(const LineCoverage& coverage);

class CoverageObserver final : public Observer {
 public:
  // The job must outlive it.
  explicit CoverageObserver(const Job& job);
  std::uint32_t watches() const override { return watch::kBefore | watch::kAccess | watch::kBlit; }
  Answer beforeInstruction(const InstructionEvent& event) override;
  Answer access(const AccessEvent& event) override;
  Answer moment(const Moment& moment) override;

  LineCoverage coverage() const;
  // "7 of 64 texels of '0:1' (source), first 7,0": of inputs that were read, and not written, places that nobody read.
  std::vector<std::string> unread();

 private:
  struct Counted {
    std::vector<std::uint64_t> times;              // by pc
    std::vector<std::vector<std::uint64_t>> ways;  // by pc: of branches
  };
  void read(std::uint32_t resource, std::uint64_t offset, std::uint64_t size);

  const Job& job_;
  std::map<const Program*, Counted> counted_;
  std::vector<std::optional<PagedShadow<std::vector<std::uint8_t>>>> read_;  // by resource: of inputs that were read
  std::vector<std::string> bound_;                                           // by resource: the name of a binding that it was accessed by
  std::set<std::uint32_t> written_;                                          // resources
};

}  // namespace lanewise
