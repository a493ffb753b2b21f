// The Python module lanewise._lanewise: the library's values, with bytes as numpy arrays. lanewise/__init__.py is what people import.
//
// The interpreter's lock is released while a kernel runs. A signal, such as Ctrl-C, ends the run soon, also in the middle of a loop.
#ifdef LANEWISE_GPU
#include <lanewise/devices.h>
#endif
#include <lanewise/golden.h>
#include <lanewise/session.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <future>
#include <mutex>
#include <thread>

namespace py = pybind11;

// Text may have bytes that are no UTF-8: names of a module, lines of a source. Python sees them as "\xe9", and gives those of a file's name
// as it has them itself (PEP 383).
template <>
struct py::detail::type_caster<std::string> {
  PYBIND11_TYPE_CASTER(std::string, const_name("str"));

  bool load(handle from, bool) {
    if (!PyUnicode_Check(from.ptr())) return false;
    const auto bytes = reinterpret_steal<py::bytes>(PyUnicode_AsEncodedString(from.ptr(), "utf-8", "surrogateescape"));
    if (!bytes) throw error_already_set();
    value = std::string_view(bytes);
    return true;
  }
  static handle cast(const std::string& text, return_value_policy, handle) {
    PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace");
    if (made == nullptr) throw error_already_set();
    return made;
  }
};

namespace {

// Set by the module: the exception of lanewise/errors.py.
py::object errorOf(const lw::Error& error) {
  return py::module_::import("lanewise.errors").attr("error_of")(static_cast<int>(error.outcome), error.what, error.where, error.hint);
}

[[noreturn]] void raise(const lw::Error& error) {
  const py::object made = errorOf(error);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  throw py::error_already_set();
}

template <class T>
T valueOr(lw::Expected<T> expected) {
  if (expected.error) raise(*expected.error);
  return std::move(expected.value);
}

template <class F>
auto unlocked(const F& call) {
  const py::gil_scoped_release release;
  return call();
}

// The array is not copied: it has the bytes of the result.
py::array arrayOf(std::vector<std::byte> bytes) {
  auto* kept = new std::vector<std::byte>(std::move(bytes));
  const py::capsule owner(kept, [](void* data) { delete static_cast<std::vector<std::byte>*>(data); });
  return py::array_t<std::uint8_t>({kept->size()}, {1}, reinterpret_cast<const std::uint8_t*>(kept->data()), owner);
}

// Calls while the interpreter goes on with other threads, and looks for signals now and then. One sets `stop`, which ends the call.
template <class F>
auto interruptible(std::atomic<bool>& stop, const F& call) {
  stop = false;
  auto future = std::async(std::launch::async, call);
  bool signalled = false;
  while (unlocked([&] { return future.wait_for(std::chrono::milliseconds(20)); }) != std::future_status::ready)
    if (!signalled && PyErr_CheckSignals() != 0) stop = signalled = true;
  auto result = unlocked([&] { return future.get(); });
  if (signalled || PyErr_CheckSignals() != 0) throw py::error_already_set();
  return result;
}

void bindModules(py::module_& m) {
  py::class_<lw::SourceOptions>(m, "SourceOptions")
      .def(py::init<>())
      .def_readwrite("include_folders", &lw::SourceOptions::includeFolders)
      .def_readwrite("defines", &lw::SourceOptions::defines)
      .def_readwrite("target_environment", &lw::SourceOptions::targetEnvironment)
      .def_readwrite("optimise", &lw::SourceOptions::optimise)
      .def_readwrite("entry", &lw::SourceOptions::entry);
  py::class_<lw::BindingInfo>(m, "BindingInfo")
      .def_readonly("set", &lw::BindingInfo::set)
      .def_readonly("binding", &lw::BindingInfo::binding)
      .def_readonly("name", &lw::BindingInfo::name)
      .def_readonly("kind", &lw::BindingInfo::kind)
      .def_readonly("written", &lw::BindingInfo::written);
  py::class_<lw::ConstantInfo>(m, "ConstantInfo")
      .def_readonly("id", &lw::ConstantInfo::id)
      .def_readonly("name", &lw::ConstantInfo::name)
      .def_readonly("bits", &lw::ConstantInfo::bits)
      .def_readonly("is_float", &lw::ConstantInfo::isFloat);
  py::class_<lw::EntryInfo>(m, "EntryInfo")
      .def_readonly("name", &lw::EntryInfo::name)
      .def_property_readonly("local_size",
                             [](const lw::EntryInfo& e) { return py::make_tuple(e.localSize[0], e.localSize[1], e.localSize[2]); })
      .def_readonly("bindings", &lw::EntryInfo::bindings)
      .def_readonly("push_bytes", &lw::EntryInfo::pushBytes)
      .def_readonly("constants", &lw::EntryInfo::constants);
  py::class_<lw::Module>(m, "Module")
      .def_property_readonly("name", &lw::Module::name)
      .def_property_readonly("spirv",
                             [](const lw::Module& module) {
                               const std::vector<std::uint32_t> words = module.words();
                               return py::bytes(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint32_t));
                             })
      .def("entries", [](const lw::Module& module) { return valueOr(module.entries()); });
  m.def("load",
        [](const std::string& file, const lw::SourceOptions& o) { return valueOr(unlocked([&] { return lw::Module::load(file, o); })); });
  m.def("from_source", [](const std::string& text, const std::string& name, const lw::SourceOptions& o) {
    return valueOr(unlocked([&] { return lw::Module::fromSource(text, name, o); }));
  });
  m.def("from_spirv", [](const py::bytes& bytes, const std::string& name) {
    const std::string_view text = bytes;
    if (text.size() % 4 != 0) raise({lw::Outcome::badInput, "this is no whole number of words", name, ""});
    std::vector<std::uint32_t> words(text.size() / 4);
    if (!words.empty()) std::memcpy(words.data(), text.data(), text.size());
    return valueOr(lw::Module::fromSpirv(std::move(words), name));
  });
}

// The one copy that is made of what goes in.
void fill(lw::Resource& resource, const py::array_t<std::uint8_t, py::array::c_style>& array) {
  const auto* data = reinterpret_cast<const std::byte*>(array.data());
  resource.bytes.assign(data, data + array.size());
}

lw::Resource imageOf(const std::string& name, const py::object& texels, const std::string& format, const std::vector<std::uint32_t>& size) {
  const auto along = [&](std::size_t axis) { return size.size() > axis ? size[axis] : 1; };
  lw::Resource made = lw::outputImage(name, format, {along(0), along(1), along(2)});
  made.dimensions = static_cast<std::uint32_t>(size.size());
  if (texels.is_none()) return made;
  made.output = made.undefined = false;
  fill(made, texels.cast<py::array_t<std::uint8_t, py::array::c_style>>());
  return made;
}

lw::Dispatch dispatchOf(const lw::Module& module, const std::array<std::uint32_t, 3>& groups, const std::vector<lw::Binding>& bindings,
                        const py::bytes& push, const std::vector<std::pair<std::uint32_t, std::uint64_t>>& constants,
                        const lw::EntryInfo& entry) {
  lw::Dispatch made{module, {groups[0], groups[1], groups[2]}, bindings};
  const std::string_view bytes = push;
  made.push.resize(bytes.size());
  if (!bytes.empty()) std::memcpy(made.push.data(), bytes.data(), bytes.size());
  for (const auto& [id, value] : constants) made.constants.push_back({id, value});
  made.entry = entry.name;  // its bytes, whatever Python sees of them
  return made;
}

void bindJobs(py::module_& m) {
  py::class_<lw::Binding>(m, "Binding")
      .def(py::init([](std::uint32_t set, std::uint32_t binding, const std::string& resource, const std::string& sampler) {
        return lw::Binding{set, binding, resource, sampler};
      }));
  py::class_<lw::Job, std::shared_ptr<lw::Job>>(m, "Job")
      .def(py::init([](std::uint32_t subgroupSize, std::uint64_t maxSteps) {
        auto made = std::make_shared<lw::Job>();
        made->subgroupSize = subgroupSize;
        made->maxSteps = maxSteps;
        return made;
      }))
      .def("add_buffer",
           [](lw::Job& job, const std::string& name, const py::array_t<std::uint8_t, py::array::c_style>& bytes, bool output) {
             lw::Resource& made = job.resources.emplace_back(lw::Resource{name, {}});
             made.output = output;
             fill(made, bytes);
           })
      .def("add_output", [](lw::Job& job, const std::string& name, std::size_t bytes) { job.resources.push_back(lw::output(name, bytes)); })
      .def("add_image",
           [](lw::Job& job, const std::string& name, const py::object& texels, const std::string& format,
              const std::vector<std::uint32_t>& size, bool output) {
             job.resources.push_back(imageOf(name, texels, format, size));
             job.resources.back().output |= output;
           })
      .def("add_dispatch",
           [](lw::Job& job, const lw::Module& module, const std::array<std::uint32_t, 3>& groups, const std::vector<lw::Binding>& bindings,
              const py::bytes& push, const std::vector<std::pair<std::uint32_t, std::uint64_t>>& constants,
              const lw::EntryInfo& entry) { job.dispatches.push_back(dispatchOf(module, groups, bindings, push, constants, entry)); });
}

void bindRuns(py::module_& m) {
  py::class_<lw::Finding>(m, "Finding")
      .def_readonly("kind", &lw::Finding::kind)
      .def_readonly("text", &lw::Finding::text)
      .def_readonly("place", &lw::Finding::place)
      .def_readonly("object", &lw::Finding::object)
      .def_readonly("dispatch", &lw::Finding::dispatch)
      .def_property_readonly("invocation",
                             [](const lw::Finding& f) { return py::make_tuple(f.invocation.x, f.invocation.y, f.invocation.z); })
      .def_readonly("count", &lw::Finding::count)
      .def("__repr__", [](const lw::Finding& f) { return "<Finding " + f.text + ">"; })
      .def("__str__", [](const lw::Finding& f) { return f.text; });
  py::class_<lw::Run>(m, "Run")
      .def_property_readonly("error", [](const lw::Run& run) -> py::object { return run.error ? errorOf(*run.error) : py::none(); })
      .def("take_outputs",
           [](lw::Run& run) {
             std::vector<std::pair<std::string, py::array>> all;
             for (lw::Resource& r : run.outputs) all.emplace_back(r.name, arrayOf(std::move(r.bytes)));
             run.outputs.clear();
             return all;
           })
      .def_readonly("findings", &lw::Run::findings)
      .def_readonly("printed", &lw::Run::printed)
      .def_readonly("seconds", &lw::Run::seconds)
      .def_readonly("device", &lw::Run::device)
      .def("who_stored", [](const lw::Run& run, const std::string& output, std::uint64_t byte) {
        std::atomic<bool> stop;
        return valueOr(interruptible(stop, [&] { return lw::whoStored(run, output, byte, &stop); })).text();
      });
  m.def("run", [](const std::shared_ptr<lw::Job>& job, const std::string& profile, const std::string& schedule, bool findings) {
    lw::RunOptions options;
    options.profile = profile;
    options.schedule = schedule;
    options.findings = findings;
    std::atomic<bool> stop;
    options.stop = &stop;
    return interruptible(stop, [&] { return lw::runShared(job, options); });
  });
  m.def("read_picture", [](const std::string& file, const std::string& format) {
    lw::Resource read = valueOr(unlocked([&] { return lw::readPicture(file, "picture", format); }));
    const std::array<std::uint32_t, 2> size{read.extent.x, read.extent.y};
    return py::make_tuple(arrayOf(std::move(read.bytes)), size);
  });
  m.def("write_picture",
        [](const std::string& file, const py::object& texels, const std::string& format, const std::vector<std::uint32_t>& size) {
          const lw::Resource image = imageOf("picture", texels, format, size);
          if (const std::optional<lw::Error> bad = unlocked([&] { return lw::writePicture(file, image); })) raise(*bad);
        });
}

void bindDevices(py::module_& m) {
#ifdef LANEWISE_GPU
  py::class_<lw::DeviceInfo>(m, "DeviceInfo")
      .def_readonly("name", &lw::DeviceInfo::name)
      .def_readonly("description", &lw::DeviceInfo::description)
      .def_readonly("subgroup_size", &lw::DeviceInfo::subgroupSize)
      .def("__repr__", [](const lw::DeviceInfo& d) { return "<DeviceInfo " + d.name + ": " + d.description + ">"; });
  m.def("devices", [] { return valueOr(unlocked([] { return lw::devices(); })); });
  py::class_<lw::Device>(m, "Device")
      .def(py::init([](const std::string& name) { return valueOr(unlocked([&] { return lw::Device::open(name); })); }))
      .def_property_readonly("name", &lw::Device::name)
      .def("run", [](const lw::Device& device, const lw::Job& job) {
        std::atomic<bool> stop;
        return interruptible(stop, [&] { return device.run(job, &stop); });
      });
#else
  static_cast<void>(m);
#endif
}

// A session is for one thread at a time, and Python's lock is released while it runs. A signal ends what it does.
struct SharedSession {
  SharedSession(const lw::Job& job, lw::RunOptions options) {
    options.stop = &stop;
    session = valueOr(interruptible(stop, [&] { return lw::Session::open(job, options); }));
  }
  std::atomic<bool> stop = false;
  lw::Session session;
  std::timed_mutex one;
};

template <class F>
auto alone(SharedSession& s, const F& call) {
  std::unique_lock lock(s.one, std::defer_lock);
  while (!unlocked([&] { return lock.try_lock_for(std::chrono::milliseconds(20)); }))
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  return interruptible(s.stop, [&] { return call(s.session); });
}

void bindSessions(py::module_& m) {
  py::class_<lw::Stop>(m, "Stop")
      .def_readonly("why", &lw::Stop::why)
      .def_readonly("place", &lw::Stop::place)
      .def_readonly("function", &lw::Stop::function)
      .def_property_readonly("invocation", [](const lw::Stop& s) { return py::make_tuple(s.invocation.x, s.invocation.y, s.invocation.z); })
      .def_readonly("dispatch", &lw::Stop::dispatch)
      .def_readonly("at_end", &lw::Stop::atEnd)
      .def("__repr__", [](const lw::Stop& s) { return "<Stop " + s.why + (s.place.empty() ? "" : " at " + s.place) + ">"; });
  // lanewise/session.py is what people call.
  using S = SharedSession;
  py::class_<S>(m, "Session")
      .def(py::init([](const lw::Job& job, const std::string& profile, const std::string& schedule) {
        lw::RunOptions options;
        options.profile = profile;
        options.schedule = schedule;
        return std::make_unique<S>(job, options);
      }))
      .def("step", [](S& s, bool forward) { return valueOr(alone(s, [&](lw::Session& own) { return own.step(forward); })); })
      .def("step_instruction",
           [](S& s, bool forward) { return valueOr(alone(s, [&](lw::Session& own) { return own.stepInstruction(forward); })); })
      .def("go", [](S& s, bool forward) { return valueOr(alone(s, [&](lw::Session& own) { return own.go(forward); })); })
      .def("to_end", [](S& s) { return valueOr(alone(s, [&](lw::Session& own) { return own.toEnd(); })); })
      .def("to_invocation",
           [](S& s, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
             return valueOr(alone(s, [&](lw::Session& own) { return own.toInvocation({x, y, z}); }));
           })
      .def("to_writer",
           [](S& s, const std::string& resource, std::uint64_t byte) {
             return valueOr(alone(s, [&](lw::Session& own) { return own.toWriter(resource, byte); }));
           })
      .def("break_at",
           [](S& s, const std::string& place) { return valueOr(alone(s, [&](lw::Session& own) { return own.breakAt(place); })); })
      .def("value",
           [](S& s, const std::string& expression) { return valueOr(alone(s, [&](lw::Session& own) { return own.value(expression); })); })
      .def("here", [](S& s) { return alone(s, [](lw::Session& own) { return own.here(); }); });
}

}  // namespace

PYBIND11_MODULE(_lanewise, m) {
  m.attr("__version__") = lw::version();
  bindModules(m);
  bindJobs(m);
  bindRuns(m);
  bindDevices(m);
  bindSessions(m);
}
