// The state of weak memory (weak_memory.h) as part of the state of a run: a value that is copied with it. Empty in other runs.
#pragma once

#include <memory>

namespace lanewise {

class WeakMemory;

class WeakState {
 public:
  WeakState();
  WeakState(const WeakState& other);
  WeakState(WeakState&& other) noexcept;
  WeakState& operator=(const WeakState& other);
  WeakState& operator=(WeakState&& other) noexcept;
  ~WeakState();

  WeakMemory* get() const { return memory_.get(); }
  void reset(std::unique_ptr<WeakMemory> memory);

 private:
  std::unique_ptr<WeakMemory> memory_;
};

}  // namespace lanewise
