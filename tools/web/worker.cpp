#include "tools/web/worker.h"

#include <algorithm>

#include "model/base/wait_at_most.h"

namespace lanewise::web {

Worker::Worker() : thread_([this] { loop(); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    isOver_ = true;
    waiting_.clear();
    isStopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool Worker::add(Work work) {
  const std::lock_guard lock(mutex_);
  const bool isMoving = (now_ && !now_->givesWay) || std::ranges::any_of(waiting_, [](const Work& w) { return !w.givesWay; });
  if (isMoving) return false;
  waiting_.clear();
  if (now_) isStopped_ = true;
  waiting_.push_back(std::move(work));
  changed_.notify_all();
  return true;
}

void Worker::addLater(Work work) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(work));
  changed_.notify_all();
}

void Worker::wait(std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  waitAtMost(changed_, lock, most, [&] { return !now_ && waiting_.empty(); });
}

void Worker::stop() {
  const std::lock_guard lock(mutex_);
  waiting_.clear();
  if (now_) isStopped_ = true;
  changed_.notify_all();
}

bool Worker::pulse(const debug::Time& now) {
  {
    const std::lock_guard lock(mutex_);
    at_ = now;
  }
  return isStopped_ || (deadline_ && std::chrono::steady_clock::now() > *deadline_);
}

std::optional<Worker::Progress> Worker::progress() const {
  const std::lock_guard lock(mutex_);
  if (!now_ && !waiting_.empty()) return Progress{waiting_.front().name, 0, at_};
  if (!now_) return {};
  return Progress{now_->name, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count(), at_};
}

std::optional<std::unique_lock<std::timed_mutex>> Worker::lock(std::chrono::milliseconds most) {
  std::unique_lock lock(session_, std::defer_lock);
  // By the system's clock, as in wait_at_most.h.
  if (!lock.try_lock_until(std::chrono::system_clock::now() + most)) return {};
  return lock;
}

void Worker::loop() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return isOver_ || !waiting_.empty(); });
      if (isOver_) return;
      now_ = std::move(waiting_.front());
      waiting_.pop_front();
      begun_ = std::chrono::steady_clock::now();
      isStopped_ = false;
    }
    {
      const std::lock_guard session(session_);
      now_->run();
      deadline_.reset();  // what others ask in between has none
    }
    const std::lock_guard lock(mutex_);
    now_.reset();
    isStopped_ = false;
    changed_.notify_all();
  }
}

}  // namespace lanewise::web
