// The resources of a run: for each descriptor what it starts with, and what becomes of it. See make_job.h.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "golden/image/image.h"
#include "model/spirv/interface.h"
#include "tools/run/arguments.h"

namespace lanewise {

class ResourceSet {
 public:
  // A descriptor, and everything the user said of it. The resource is named by the slot's text.
  struct Entry {
    Slot slot;
    const InterfaceBinding* binding = nullptr;
    std::optional<BufferArgument> buffer = {};
    std::optional<ImageArgument> image = {};
    std::optional<SamplerState> sampler = {};
    std::vector<OutArgument> outs = {};
    bool bound = true;  // no: memory that only addresses lead to
    bool isSame() const;
    Error bad(std::string what, std::string hint = "") const;  // bad input, at this binding
  };

  // The entry must outlive the set. zero: outputs start as zeros instead of poison.
  ResourceSet(const InterfaceEntry& entry, bool zero) : entry_(entry), zero_(zero) {}

  // Gives a slot its numbers and says what the module declares there. Bad input: nothing, or an element that is not there.
  Expected<const InterfaceBinding*> declaredAt(Slot& slot, const char* option) const;

  // Slots have their numbers. An argument of the wrong kind for the binding, or a second one for a slot, is bad input.
  Status add(const InterfaceBinding& binding, BufferArgument argument);
  Status add(const InterfaceBinding& binding, ImageArgument argument);
  Status add(const InterfaceBinding& binding, SamplerArgument argument);
  Status add(const InterfaceBinding& binding, OutArgument argument);
  // Memory without a binding, by its name.
  Status addMemory(BufferArgument argument);

  // Reads files and pictures; fills in the job's resources and the bindings of its dispatch.
  Status build(Job& job);
  // The resource whose address a text asks for: "0:1", "sums" or memory.
  Expected<std::string> resourceOf(const std::string& text) const;

  // By a resource's name: the entry whose bytes these are.
  const Entry* find(const std::string& resource) const;
  // What the user should know: what was cut, left out or added.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  Entry& at(const InterfaceBinding& binding, const Slot& slot);
  Status missing() const;
  Status bindSame(const Entry& e, Job& job) const;
  Status buildAddresses(Job& job) const;
  Expected<Resource> makeBuffer(const Entry& e);
  Expected<Resource> makeImage(const Entry& e);
  Expected<std::vector<std::byte>> rawBytes(const Entry& e, const Source& source);
  Expected<ImageShape> shapeOf(const Entry& e, const golden::Image* picture) const;
  Expected<ImageData> emptyImage(const Entry& e, const golden::Image* picture, std::byte fill) const;
  std::byte startOf(const Entry& e) const;
  Expected<Binding> bindingOf(const Entry& e, std::string resource) const;

  const InterfaceEntry& entry_;
  bool zero_;
  std::vector<std::string> notes_;
  std::vector<Entry> entries_;
  std::deque<InterfaceBinding> memory_;                           // what stands for the binding of memory without one
  Type bytes_;                                                    // its type: no members
  std::map<std::string, std::optional<golden::Image>> pictures_;  // by file
  std::map<std::string, std::vector<AddressValue>> addresses_;    // by the resource that holds them
  std::optional<Extent3> inputExtent_;                            // of the images that are given, where they all have one
  bool inputExtentsDiffer_ = false;
};

// What one argument says of an image laid on what others said; false where they contradict one another.
bool mergeShape(ImageShape& into, const ImageShape& said);
// What to write for a binding that has nothing: "--buffer 0:1=FILE ...".
std::string suggestion(const InterfaceBinding& binding);
// "16 bytes: uint count, float scale"; what a user has to give for a block.
std::string blockText(const Type& block);

}  // namespace lanewise
