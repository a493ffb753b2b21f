// The observers of a run as the engine sees them: one list, which is asked once what it wants.
#pragma once

#include <vector>

#include "model/state/access_log.h"
#include "model/state/observer.h"

namespace lanewise {

class Observers {
 public:
  explicit Observers(std::span<Observer* const> observers);

  // The union of what they want. Events of other kinds need not be reported.
  std::uint32_t watches() const { return watches_; }
  bool want(std::uint32_t kinds) const { return (watches_ & kinds) != 0; }

  // False if an observer stops the run before the instruction; those after it in the list are not told of it then.
  bool before(const Batch& batch, std::uint32_t pc);
  void after(const Batch& batch, std::uint32_t pc, LaneMask lanes);
  void moment(const Moment& moment);
  // Reports what `log` has collected.
  void access();
  // Whether somebody needs to hear of the load at `pc` where all of it is in range.
  bool hearsLoad(std::uint32_t pc) const { return pc >= unheard_.size() || unheard_[pc] == 0; }
  AccessLog log;

  // Whether an observer has answered kStop since the run continued.
  bool stopping() const { return stopping_; }
  void goOn() { stopping_ = false; }
  void stop() { stopping_ = true; }

 private:
  struct Entry {
    Observer* observer;
    std::uint32_t watches;
  };
  template <class Call>
  void tell(std::uint32_t kinds, const Call& call);

  void findUnheard(const Environment& env);

  std::vector<Entry> all_;
  std::vector<std::uint8_t> unheard_;  // by pc, in the dispatch that runs: of what its loads read, nobody needs to hear
  std::uint32_t watches_ = 0;
  bool stopping_ = false;
};

// Whether an observer wants that kind. For engine code, since most runs have no such observer.
inline bool watched(const Environment& env, std::uint32_t kinds) {
  return (env.watches & kinds) != 0;
}

// Whether nobody needs to hear of the load `ip` where all of it is in range. Parts that run side by side claim what they load.
inline bool isUnheard(const Batch& s, const Instr* ip) {
  return s.env->claims == nullptr && watched(*s.env, watch::kAccess) &&
         !s.env->observers->hearsLoad(static_cast<std::uint32_t>(ip - s.base));
}

}  // namespace lanewise
