// The observers of a run as the engine sees them: one list, asked once what it wants.
#pragma once

#include <vector>

#include "model/state/access_log.h"
#include "model/state/observer.h"

namespace lanewise {

class Observers {
 public:
  explicit Observers(std::span<Observer* const> observers);

  // What any of them wants. Events of other kinds need not be told.
  std::uint32_t watches() const { return watches_; }
  bool want(std::uint32_t kinds) const { return (watches_ & kinds) != 0; }

  // False where an observer stops the run before the instruction.
  bool before(const Batch& batch, std::uint32_t pc);
  void after(const Batch& batch, std::uint32_t pc, LaneMask lanes);
  void moment(const Moment& moment);
  // What `log` has gathered.
  void access();
  AccessLog log;

  // An observer has answered kStop since the run continued.
  bool stopping() const { return stopping_; }
  void goOn() { stopping_ = false; }

 private:
  struct Entry {
    Observer* observer;
    std::uint32_t watches;
  };
  template <class Call>
  void tell(std::uint32_t kinds, const Call& call);

  std::vector<Entry> all_;
  std::uint32_t watches_ = 0;
  bool stopping_ = false;
};

// Reports it where an observer wants that kind: for engine code, in which most runs have no such observer.
inline bool watched(const Environment& env, std::uint32_t kinds) {
  return (env.watches & kinds) != 0;
}

}  // namespace lanewise
