// The resources of a dispatch: what each descriptor starts with and which output it becomes. See make_job.h.
//
// A later dispatch keeps what the dispatches before it have bound, as descriptor sets stay bound in Vulkan. What is given for a binding of
// its own makes another resource, or with `same:` names one.
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
  // A descriptor and the user's arguments for it. The slot's text is the resource's name.
  struct Entry {
    Slot slot;
    const InterfaceBinding* binding = nullptr;
    std::optional<BufferArgument> buffer = {};
    std::optional<ImageArgument> image = {};
    std::optional<SamplerState> sampler = {};
    std::vector<OutArgument> outs = {};
    bool bound = true;  // false: memory that only addresses reach
    bool isSame() const;
    Error bad(std::string what, std::string hint = "") const;  // bad input, at this binding
  };

  // The entry, and the set of the dispatch before, must outlive the set. zero: outputs start as zeros instead of poison. `dispatch`: its
  // number in the job.
  ResourceSet(const InterfaceEntry& entry, bool zero, const ResourceSet* before = nullptr, std::uint32_t dispatch = 0)
      : entry_(entry), zero_(zero), before_(before), dispatch_(dispatch) {}

  // This set, or the one before it, that is of the slot's dispatch. Bad input: there is none.
  Expected<const ResourceSet*> ofDispatch(const Slot& slot, const char* option) const;
  // The resource that a slot with its numbers has in the job. Bad input: none.
  Expected<std::string> boundAt(const Slot& slot, const Job& job) const;

  // Gives a slot its numbers and returns what the module declares there. Bad input: no such binding or element.
  Expected<const InterfaceBinding*> declaredAt(Slot& slot, const char* option) const;

  // Whether the entry point uses the binding with the slot's numbers.
  bool uses(const Slot& slot) const;

  // The slots must have their numbers. An argument of the wrong kind for the binding, or a second one for a slot, is bad input.
  Status add(const InterfaceBinding& binding, BufferArgument argument);
  Status add(const InterfaceBinding& binding, ImageArgument argument);
  Status add(const InterfaceBinding& binding, SamplerArgument argument);
  Status add(const InterfaceBinding& binding, OutArgument argument);
  // Memory without a binding, by its name.
  Status addMemory(BufferArgument argument);

  // Reads files and pictures; fills in the job's resources and the bindings of its dispatch.
  Status build(Job& job);
  // The resource that an address refers to: "0:1", "sums" or a memory's name.
  Expected<std::string> resourceOf(const std::string& text) const;

  // The entry for the resource of this name.
  const Entry* find(const std::string& resource) const;
  // Notes for the user: what was cut, left out or added.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  Entry& at(const InterfaceBinding& binding, const Slot& slot);
  Status missing(const Job& job) const;
  void keepBound(Job& job);
  void noteExtent(const Resource& resource);
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
  const ResourceSet* before_;
  std::uint32_t dispatch_;
  std::vector<std::string> notes_;
  std::vector<Entry> entries_;
  std::deque<InterfaceBinding> memory_;                           // made-up bindings for memory that has none
  Type bytes_;                                                    // its type: no members
  std::map<std::string, std::optional<golden::Image>> pictures_;  // by file
  std::map<std::string, std::vector<AddressValue>> addresses_;    // by the resource that holds them
  std::optional<Extent3> inputExtent_;                            // of the given images, if they all have the same
  bool inputExtentsDiffer_ = false;
  std::uint64_t invocations_ = 1;  // of the dispatch
};

// Adds what one argument says about an image to what others said; false where they contradict each other.
bool mergeShape(ImageShape& into, const ImageShape& said);
// What to write for a binding without data: "--buffer 0:1=FILE ...".
std::string suggestion(const InterfaceBinding& binding);
// The data that a block needs: "16 bytes: uint count, float scale"; of an array without an end "uint[] values".
std::string blockText(const Type& block);

}  // namespace lanewise
