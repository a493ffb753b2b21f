// The resources of a run: for each descriptor what it starts with, and what becomes of it. See plan.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "golden/image.h"
#include "tools/run/arguments.h"
#include "tools/run/interface.h"

namespace lanewise {

class ResourceSet {
 public:
  // A descriptor, and everything the user said of it. The resource is named by the slot's text.
  struct Entry {
    Slot slot;
    const InterfaceBinding* binding = nullptr;
    std::optional<BufferArgument> buffer;
    std::optional<ImageArgument> image;
    std::vector<OutArgument> outs;
  };

  // All must outlive the set.
  ResourceSet(const InterfaceEntry& entry, bool zero, std::vector<std::string>& notes) : entry_(entry), zero_(zero), notes_(notes) {}

  // Slots have their numbers. An argument of the wrong kind for the binding, or a second one for a slot, is bad input.
  Status add(const InterfaceBinding& binding, BufferArgument argument);
  Status add(const InterfaceBinding& binding, ImageArgument argument);
  Status add(const InterfaceBinding& binding, OutArgument argument);

  // Reads files and pictures; fills in the job's resources and the bindings of its dispatch.
  Status build(Job& job);

  // By a resource's name: the entry whose bytes these are.
  const Entry* find(const std::string& resource) const;

 private:
  Entry& at(const InterfaceBinding& binding, const Slot& slot);
  Status missing() const;
  Status bindSame(const Entry& e, Job& job) const;
  Expected<Resource> makeBuffer(const Entry& e);
  Expected<Resource> makeImage(const Entry& e);
  Expected<ImageShape> shapeOf(const Entry& e, const golden::Image* picture) const;
  Expected<ImageData> emptyImage(const Entry& e, const golden::Image* picture, std::byte fill) const;
  std::byte startOf(const Entry& e) const;
  Binding bindingOf(const Entry& e, std::string resource) const;

  const InterfaceEntry& entry_;
  bool zero_;
  std::vector<std::string>& notes_;
  std::vector<Entry> entries_;
  std::map<std::string, std::optional<golden::Image>> pictures_;  // by file
  std::optional<Extent3> inputExtent_;                            // of the images that are given, where they all have one
  bool inputExtentsDiffer_ = false;
};

// What to write for a binding that has nothing: "--buffer 0:1=FILE ...".
std::string suggestion(const InterfaceBinding& binding);

}  // namespace lanewise
