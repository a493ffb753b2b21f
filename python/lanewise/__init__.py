"""Lanewise: runs Vulkan compute kernels on a model of a GPU, or on devices, bit for bit.

    import lanewise, numpy as np
    twice = lanewise.load("twice.comp")
    result = lanewise.run(twice, {"In": np.arange(8, dtype=np.uint32), "Out": lanewise.empty(8, np.uint32)}, groups=2)
    result.check("Out", 2 * np.arange(8))

Names of bindings are those that the module has; (set, binding) is one too. No GPU is needed.
"""

from __future__ import annotations

from . import _main_interpreter  # isort: skip  # noqa: F401  before what cannot be imported elsewhere

import os
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Set, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _lanewise, arguments
from ._lanewise import DeviceInfo, Finding, Module, Stop, devices
from .data import Data, Empty, Image, add_to, array_of, bytes_of, empty, empty_image
from .errors import BadInput, DeviceTrouble, Error, FileTrouble, Interrupted, KernelError, Mismatch, Unsupported
from .session import Session

__version__: str = _lanewise.__version__
__all__ = [
    "BadInput", "CheckResult", "DeviceInfo", "DeviceTrouble", "Dispatch", "Empty", "Error", "FileTrouble", "Finding", "Image", "Interrupted",
    "KernelError", "Mismatch", "Module", "Result", "Session", "Stop", "Unsupported", "check", "debug", "devices", "empty", "empty_image",
    "from_spirv", "glsl", "load", "run", "sweep",
]

Key = Union[str, Tuple[int, int]]
Groups = Union[int, Tuple[int, ...]]

# Steps that an invocation may make: a loop without an end is over in about a second.
MAX_STEPS = 1 << 24


def _source(include: Sequence[str], defines: Union[Mapping[str, Any], Sequence[str]], target: str, optimise: bool, entry: str) -> Any:
    options = _lanewise.SourceOptions()
    options.include_folders = [str(one) for one in include]
    options.defines = [f"{k}={v}" for k, v in defines.items()] if isinstance(defines, Mapping) else list(defines)
    options.target_environment = arguments.text("target", target)
    options.optimise = optimise
    options.entry = arguments.text("entry", entry)
    return options


def load(file: Any, *, include: Sequence[str] = (), defines: Union[Mapping[str, Any], Sequence[str]] = (), target: str = "",
         optimise: bool = False, entry: str = "") -> Module:
    """A kernel from a file: SPIR-V, its assembly, GLSL (.comp, .glsl) or HLSL (.hlsl)."""
    return _lanewise.load(os.fsdecode(file), _source(include, defines, target, optimise, entry))


def glsl(text: str, *, name: str = "kernel.comp", include: Sequence[str] = (), defines: Union[Mapping[str, Any], Sequence[str]] = (),
         target: str = "", optimise: bool = False) -> Module:
    """A kernel from GLSL. `name` stands in messages."""
    return _lanewise.from_source(arguments.text("text", text), arguments.text("name", name), _source(include, defines, target, optimise, ""))


def from_spirv(words: Union[bytes, npt.NDArray[Any]], *, name: str = "module") -> Module:
    """A kernel from the bytes of a SPIR-V module."""
    if isinstance(words, np.ndarray):
        words = bytes_of(words).tobytes()
    return _lanewise.from_spirv(bytes(memoryview(words)), arguments.text("name", name))


@dataclass
class Dispatch:
    """One dispatch of several. The same array, Empty or Image in two of them is the same memory."""

    module: Module
    bindings: Mapping[Key, Data]
    groups: Groups = 1
    push: Any = b""
    constants: Mapping[int, Any] = field(default_factory=dict)
    entry: str = ""


class _Built:
    """A job, and what each of its resources is for people."""

    def __init__(self, dispatches: Sequence[Dispatch], subgroup_size: int, max_steps: int) -> None:
        self.data: Dict[str, Data] = {}
        self.written: Set[str] = set()
        self.job = _lanewise.Job(arguments.number("subgroup_size", subgroup_size, (1 << 32) - 1),
                                 arguments.number("max_steps", max_steps, (1 << 64) - 1))
        for one in dispatches:
            self._dispatch(one)
        for name, data in self.data.items():
            add_to(self.job, name, data, name in self.written)

    def _dispatch(self, one: Dispatch) -> None:
        entries = one.module.entries()
        found = [e for e in entries if e.name == one.entry] if one.entry else entries[:1]
        if not found:
            raise BadInput(f"there is no entry point '{one.entry}'", one.module.name, "one of " + ", ".join(e.name for e in entries))
        entry = found[0]
        named = {b.name: b for b in entry.bindings}
        numbered: Dict[Key, _lanewise.BindingInfo] = {(b.set, b.binding): b for b in entry.bindings}
        bindings = []
        for key, data in one.bindings.items():
            info = named.get(key) if isinstance(key, str) else numbered.get(key)
            if info is None:
                known = ", ".join(f"{b.name or '?'} ({b.set}, {b.binding})" for b in entry.bindings)
                raise BadInput(f"there is no binding {key!r}", one.module.name, "one of " + known)
            if not isinstance(data, (Empty, Image, np.ndarray)):
                raise BadInput(f"a {type(data).__name__} is no data", str(key), "a numpy array, lanewise.empty() or lanewise.Image")
            name = self._name(data, info.name or f"{info.set}:{info.binding}")
            if info.written:
                self.written.add(name)
            sampler = arguments.text("sampler", data.sampler) if isinstance(data, Image) else ""
            bindings.append(_lanewise.Binding(info.set, info.binding, name, sampler))
        try:
            groups = arguments.numbers(one.groups)
        except TypeError:
            groups = ()
        if not 1 <= len(groups) <= 3 or any(not 0 <= g < 1 << 32 for g in groups):
            raise BadInput(f"{one.groups!r} is no number of workgroups", one.module.name, "8, (8, 8) or (8, 8, 1)")
        x, y, z = (*groups, 1, 1)[:3]
        if isinstance(one.push, str):
            raise BadInput("a text is no push constants", one.module.name, "bytes, or an array of numbers")
        push = one.push if isinstance(one.push, bytes) else bytes_of(np.asarray(one.push)).tobytes()
        declared = {c.id: c for c in entry.constants}  # Vulkan leaves out others
        constants = []
        for id, value in one.constants.items():
            constant = declared.get(arguments.number("constants", id, (1 << 32) - 1))
            if constant is not None:
                constants.append((constant.id, arguments.bits(f"constant {id}", value, constant.bits, constant.is_float)))
        self.job.add_dispatch(one.module, (x, y, z), bindings, push, constants, entry)

    def _name(self, data: Data, wanted: str) -> str:
        for name, known in self.data.items():
            if known is data:
                return name
        name, count = wanted, 2
        while name in self.data:
            name, count = f"{wanted}#{count}", count + 1
        self.data[name] = data
        return name


def _differing(got: npt.NDArray[Any], wanted: npt.NDArray[Any], tolerance: float) -> npt.NDArray[Any]:
    """Where two arrays of one shape are further apart than the tolerance. No difference of integers is rounded; NaN is equal to NaN."""
    if got.dtype.kind not in "biuf" or wanted.dtype.kind not in "biuf":
        raise BadInput(f"values of {got.dtype} and {wanted.dtype} are not compared", "", "compare the fields of result[name] by numpy")
    if got.dtype.kind == "f" or wanted.dtype.kind == "f":
        a, b = got.astype(np.float64), wanted.astype(np.float64)
        with np.errstate(invalid="ignore"):
            return np.asarray(~((a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= tolerance)), bool)
    both = [t for t in (np.int64, np.uint64) if np.can_cast(got.dtype, t) and np.can_cast(wanted.dtype, t)]
    common: Any = both[0] if both else object
    a, b = got.astype(common), wanted.astype(common)
    wrong = np.asarray(a != b, bool)
    if tolerance > 0:
        # Python's integers have no width.
        wrong[wrong] = [abs(int(x) - int(y)) > tolerance for x, y in zip(a[wrong], b[wrong])]
    return wrong


class Result:
    """What a run gave: result["Out"] is the array of what the kernel wrote there."""

    def __init__(self, run: _lanewise.Run, data: Mapping[str, Data]) -> None:
        self._run = run
        self._arrays = {name: array_of(data[name], raw) for name, raw in run.take_outputs()}
        self._data = data
        self.findings: List[Finding] = run.findings
        self.printed: List[str] = run.printed
        self.seconds: float = run.seconds
        self.device: str = run.device

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        if name not in self._arrays:
            raise BadInput(f"there is no output '{name}'", "", "one of " + ", ".join(self._arrays))
        return self._arrays[name]

    @property
    def outputs(self) -> Mapping[str, npt.NDArray[Any]]:
        return self._arrays

    def image(self, name: str) -> Image:
        """An output that is an image, to be saved."""
        given = self._data.get(name)
        if name not in self._arrays or not isinstance(given, Image):
            raise BadInput(f"'{name}' is no image")
        return Image(self[name], given.format, given.shape)

    def who_stored(self, name: str, index: Any) -> str:
        """Which invocation stored this element last, and at which line. The job runs once more on the model."""
        array = self[name]
        try:
            flat = int(np.ravel_multi_index(index, array.shape)) if isinstance(index, tuple) else arguments.number("index", index, array.size - 1)
        except ValueError:
            raise BadInput(f"'{name}' has no element {index!r}", "", f"its shape is {array.shape}") from None
        return self._run.who_stored(name, flat * array.itemsize)

    def difference(self, name: str, expected: Any, tolerance: float = 0) -> str:
        """What of an output is not as expected, in words; empty: nothing. NaN is equal to NaN."""
        got, wanted = self[name], np.asarray(expected)
        if wanted.shape != got.shape:
            return f"'{name}' has the shape {got.shape}, and {wanted.shape} is expected"
        wrong = _differing(got, wanted, tolerance)
        if not wrong.any():
            return ""
        first = int(np.argmax(wrong.reshape(-1)))
        at = np.unravel_index(first, got.shape)
        index = ", ".join(str(int(i)) for i in at)
        return (f"{name}[{index}]: {wanted[at]} expected, {got[at]} got; {int(wrong.sum())} of {got.size} values differ\n"
                f"  {self.who_stored(name, first)}" + "".join(f"\n  {one}" for one in self.findings))

    def check(self, name: str, expected: Any, tolerance: float = 0) -> None:
        """Raises Mismatch, with the ruling, where an output is not as expected."""
        __tracebackhide__ = True  # pytest shows the test's own line
        said = self.difference(name, expected, tolerance)
        if said:
            raise Mismatch(said, {"name": name, "expected": np.asarray(expected), "got": self[name]})


def _dispatches(what: Union[Module, Sequence[Dispatch]], bindings: Optional[Mapping[Key, Data]], groups: Groups, push: Any,
                constants: Optional[Mapping[int, Any]], entry: str) -> Sequence[Dispatch]:
    if isinstance(what, Module):
        return [Dispatch(what, bindings or {}, groups, push, constants or {}, entry)]
    if not isinstance(what, Sequence) or not all(isinstance(one, Dispatch) for one in what):
        raise TypeError(f"a Module, or a list of Dispatch, is meant, not {what!r}")
    return what


def run(what: Union[Module, Sequence[Dispatch]], bindings: Optional[Mapping[Key, Data]] = None, groups: Groups = 1, *, push: Any = b"",
        constants: Optional[Mapping[int, Any]] = None, entry: str = "", subgroup_size: int = 0, profile: str = "strict",
        schedule: str = "in-order", findings: bool = False, device: str = "model", max_steps: int = MAX_STEPS) -> Result:
    """Runs a kernel, or several dispatches, on the model or on a Vulkan device by its name. Everything that a kernel may write is in the
    result; what went in is not changed."""
    profile, schedule, device = arguments.text("profile", profile), arguments.text("schedule", schedule), arguments.text("device", device)
    built = _Built(_dispatches(what, bindings, groups, push, constants, entry), subgroup_size, max_steps)
    done = _lanewise.run(built.job, profile, schedule, bool(findings)) if device == "model" else _lanewise.Device(device).run(built.job)
    if done.error is not None:
        raise done.error
    return Result(done, built.data)


def debug(what: Union[Module, Sequence[Dispatch]], bindings: Optional[Mapping[Key, Data]] = None, groups: Groups = 1, *, push: Any = b"",
          constants: Optional[Mapping[int, Any]] = None, entry: str = "", subgroup_size: int = 0, profile: str = "strict",
          schedule: str = "in-order", max_steps: int = MAX_STEPS) -> Session:
    """A session that steps through the run, forwards and backwards."""
    built = _Built(_dispatches(what, bindings, groups, push, constants, entry), subgroup_size, max_steps)
    return Session(built.job, profile, schedule)


@dataclass
class CheckResult:
    """What several ways to run a kernel have shown. It is true where nothing is wrong."""

    findings: List[str]
    depends: Dict[str, str]  # "profile": on what the bytes depend that Vulkan leaves to devices
    ways: List[str]

    def __bool__(self) -> bool:
        return not self.findings

    def __str__(self) -> str:
        return "\n".join(self.findings) or f"no findings in {len(self.ways)} ways"


def check(what: Union[Module, Sequence[Dispatch]], bindings: Optional[Mapping[Key, Data]] = None, groups: Groups = 1, *,
          schedules: Iterable[str] = ("reverse", "lanes", "lanes-reverse", "interleave:seed:1"), subgroup_sizes: Iterable[int] = (1, 4, 64),
          profiles: Iterable[str] = ("adverse",), **options: Any) -> CheckResult:
    """Runs a kernel in several ways. Findings of any of them count, and so do bytes that depend on the schedule or the subgroup size. Bytes
    that depend on the profile are told in `depends`. `lanewise check` knows more ways, and tries what mends a race."""
    ways: List[Tuple[str, Dict[str, Any]]] = [("in order", {})]
    ways += [(f"schedule {one}", {"schedule": one}) for one in schedules]
    ways += [(f"subgroup size {one}", {"subgroup_size": one}) for one in subgroup_sizes]
    ways += [(f"profile {one}", {"profile": one}) for one in profiles]
    found: Dict[str, str] = {}
    depends: Dict[str, str] = {}
    first: Optional[Result] = None
    for name, way in ways:
        try:
            result = run(what, bindings, groups, findings=True, **{**options, **way})
        except KernelError as error:
            found.setdefault(str(error), f"{error} [{name}]")
            continue
        for one in result.findings:
            found.setdefault(f"{one.kind} {one.place} {one.object}", f"{one.text} [{name}]")
        if first is None:
            first = result
            continue
        for output, array in result.outputs.items():
            same = first.outputs[output].tobytes() == array.tobytes()
            if same:
                continue
            axis = next(iter(way)).replace("_", " ")
            if axis == "profile":
                depends.setdefault(axis, f"'{output}' is different with {name}")
            else:
                found.setdefault(f"depends {axis} {output}", f"'{output}' depends on the {axis} [{name}]")
    return CheckResult(list(found.values()), depends, [name for name, _ in ways])


def sweep(kernel: Callable[..., Result], reference: Callable[..., Mapping[str, Any]], cases: Iterable[Any], *, tolerance: float = 0) -> int:
    """Runs kernel(case) for each case, compares its outputs with reference(case), {"Out": array}, and returns how many cases there were.
    Raises Mismatch with the first case that fails, which is the smallest one where `cases` are in order of size, and how many do."""
    __tracebackhide__ = True
    count = 0
    failed: List[Tuple[Any, Mismatch]] = []
    for case in cases:
        arguments = case if isinstance(case, tuple) else (case,)
        result = kernel(*arguments)
        count += 1
        for name, expected in reference(*arguments).items():
            try:
                result.check(name, expected, tolerance)
            except Mismatch as error:
                failed.append((case, error))
                break
    if failed:
        case, first = failed[0]
        raise Mismatch(f"case {case!r}: {first}\n  {len(failed)} of {count} cases fail", first.compared)
    return count
