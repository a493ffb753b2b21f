"""The Python module, as its users have it."""

import ast
import os
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import lanewise
import numpy as np
import pytest

TWICE = """#version 450
layout(local_size_x = 4) in;
layout(binding = 0) readonly buffer In { uint values[]; };
layout(binding = 1) writeonly buffer Out { uint twice[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint value = values[i];
  twice[i] = 2u * value;
}
"""
IN = np.arange(8, dtype=np.uint32)


def run(source=TWICE, **options):
    return lanewise.run(lanewise.glsl(source, name="twice.comp"), {"In": IN, "Out": lanewise.empty(8, np.uint32)}, groups=2, **options)


def session(module):
    return lanewise.debug(module, {"In": IN, "Out": lanewise.empty(8, np.uint32)}, groups=2)


def test_a_kernel_runs():
    result = run()
    assert result["Out"].dtype == np.uint32
    assert result["Out"].tolist() == [0, 2, 4, 6, 8, 10, 12, 14]
    result.check("Out", 2 * IN)
    assert list(result.outputs) == ["Out"]
    assert result.findings == [] and result.device == "model"


def test_a_mismatch_says_who_stored_it():
    result = run(TWICE.replace("2u * value", "i == 5 ? 7u : 2u * value"))
    with pytest.raises(lanewise.Mismatch) as raised:
        result.check("Out", 2 * IN)
    text = str(raised.value)
    assert "Out[5]: 10 expected, 7 got; 1 of 8 values differ" in text
    assert "stored by invocation (5, 0, 0) of dispatch 0 at twice.comp:8 (OpStore)" in text
    result.check("Out", 2 * IN, tolerance=3)
    with pytest.raises(lanewise.Mismatch):
        result.check("Out", 2 * IN, tolerance=2)
    with pytest.raises(lanewise.Mismatch, match="shape"):
        result.check("Out", IN[:4])


def test_floats_and_nan():
    source = TWICE.replace("uint values", "float values").replace("uint twice", "float twice").replace("uint value", "float value")
    source = source.replace("2u * value", "value / 0.0 * 0.0")
    result = lanewise.run(lanewise.glsl(source), {"In": np.ones(4, np.float32), "Out": lanewise.empty(4, np.float32)})
    result.check("Out", np.full(4, np.nan))
    with pytest.raises(lanewise.Mismatch):
        result.check("Out", np.zeros(4), tolerance=1e30)


def test_bindings_by_number_and_their_errors():
    module = lanewise.glsl(TWICE)
    assert [(b.name, b.set, b.binding, b.written) for b in module.entries()[0].bindings] == [("In", 0, 0, False), ("Out", 0, 1, True)]
    lanewise.run(module, {(0, 0): IN, (0, 1): lanewise.empty(8, np.uint32)}, groups=2).check("Out", 2 * IN)
    with pytest.raises(lanewise.BadInput, match="no binding 'Outt'.*In"):
        lanewise.run(module, {"In": IN, "Outt": lanewise.empty(8, np.uint32)})
    with pytest.raises(lanewise.BadInput):
        lanewise.run(module, {"In": IN})
    with pytest.raises(lanewise.BadInput, match="list is no data"):
        lanewise.run(module, {"In": [1, 2], "Out": lanewise.empty(8, np.uint32)})
    with pytest.raises(lanewise.BadInput):
        run(profile="no-such")
    with pytest.raises(lanewise.BadInput):
        run(schedule="no-such")
    with pytest.raises(lanewise.BadInput, match="no output 'out'"):
        run()["out"]


@pytest.mark.parametrize("bindings, groups, says", [
    ({"In": IN}, -1, "no number of workgroups"),
    ({"In": IN}, (1, 1, 1, 1), "no number of workgroups"),
    ({"In": [1, 2]}, 1, "a list is no data"),
    ({"In": IN.astype(">u4")}, 1, "order of another machine"),
    ({"In": np.array([None])}, 1, "objects have no bytes"),
    ({"In": lanewise.Image(IN, "rgba8ui")}, 1, "without rows"),
    ({"In": lanewise.Image(IN, "rgba8ui", (0, 4))}, 1, "no image has the size"),
    ({"In": lanewise.Image(IN, "no-such", (8, 1))}, 1, "no-such"),
    ({"In": lanewise.Image(IN, "rgba8ui", (8, 1)), "Out": IN.copy()}, 1, "image"),
    ({}, 1, "binding"),
])
def test_wrong_input_is_told(bindings, groups, says):
    with pytest.raises(lanewise.BadInput, match=says):
        lanewise.run(lanewise.glsl(TWICE), bindings, groups)


@pytest.mark.parametrize("options, kind, says", [
    ({"profile": "no-such"}, lanewise.BadInput, r"\(profile\)"),
    ({"profile": None}, TypeError, "profile is a str, not None"),
    ({"profile": "\ud800"}, lanewise.BadInput, "no text.*profile"),
    ({"subgroup_size": -1}, lanewise.BadInput, "subgroup_size"),
    ({"subgroup_size": 4.0}, TypeError, "subgroup_size is a whole number, not 4.0"),
    ({"max_steps": 1 << 64}, lanewise.BadInput, "max_steps"),
    ({"push": "text"}, lanewise.BadInput, "no push constants"),
    ({"constants": {-3: 1}}, lanewise.BadInput, "constants"),
])
def test_a_wrong_argument_is_told_by_its_name(options, kind, says):
    with pytest.raises(kind, match=says):
        run(**options)


@pytest.mark.parametrize("call, kind, says", [
    (lambda module, file: lanewise.load(file, include=["."]), lanewise.BadInput, r"\(include\)"),
    (lambda module, file: lanewise.load(file, target="no-such"), lanewise.BadInput, r"\(target\)"),
    (lambda module, file: lanewise.load(file, entry="main"), lanewise.BadInput, r"\(entry\)"),
    (lambda module, file: lanewise.load(None), TypeError, "PathLike"),
    (lambda module, file: lanewise.from_spirv(8), TypeError, "bytes-like"),
    (lambda module, file: lanewise.glsl(b"text"), TypeError, "text is a str"),
    (lambda module, file: lanewise.empty(-1, np.uint32), lanewise.BadInput, "no array has the shape -1"),
    (lambda module, file: lanewise.empty((1 << 40, 1 << 40), np.uint32), lanewise.BadInput, "no array has the shape"),
    (lambda module, file: lanewise.run(module, {"In": IN, "Out": lanewise.empty(1 << 60, np.uint8)}), lanewise.BadInput, "no memory for its"),
    (lambda module, file: lanewise.run(module, {0: IN}), lanewise.BadInput, "no binding 0"),
    (lambda module, file: lanewise.run([module]), TypeError, "a list of Dispatch"),
    (lambda module, file: session(module).break_at("none"), lanewise.BadInput, "a line with code"),
    (lambda module, file: session(module).to_invocation(0, -1), lanewise.BadInput, r"-1 is not from 0 to \d+ \(y\)"),
    (lambda module, file: session(module).to_invocation(0.5), TypeError, "x is a whole number, not 0.5"),
    (lambda module, file: session(module).to_writer("Out", 1 << 64), lanewise.BadInput, r"\(byte\)"),
    (lambda module, file: session(module).to_writer(0, 0), TypeError, "resource is a str, not 0"),
    (lambda module, file: session(module).break_at(7), TypeError, "place is a str, not 7"),
    (lambda module, file: session(module).value(None), TypeError, "expression is a str, not None"),
    (lambda module, file: run().who_stored("Out", -1), lanewise.BadInput, r"no element -1; its shape is \(8,\)"),
    (lambda module, file: run().who_stored("Out", (1, 2)), lanewise.BadInput, r"no element \(1, 2\)"),
])
def test_a_wrong_call_is_told_in_words_of_this_module(call, kind, says, tmp_path):
    (tmp_path / "twice.spv").write_bytes(lanewise.glsl(TWICE).spirv)
    with pytest.raises(kind, match=says) as raised:
        call(lanewise.glsl(TWICE), tmp_path / "twice.spv")
    assert "--" not in str(raised.value) and "`" not in str(raised.value) and "incompatible function" not in str(raised.value)


def test_constants_have_the_bits_of_their_type():
    source = TWICE.replace("void main", "layout(constant_id = 1) const float scale = 1;\nlayout(constant_id = 2) const int less = 0;\nvoid main")
    source = source.replace("2u * value", "uint(scale * float(int(value) + less + 1))")
    for scale in (2.5, np.float16(2.5), np.float32(2.5), np.float64(2.5)):
        run(source, constants={1: scale, 2: -1}).check("Out", IN * 5 // 2)
    run(source, constants={1: 2, 2: -1}).check("Out", 2 * IN)
    for less in (np.int8(-1), np.int32(-1), np.uint32(0xffffffff)):
        run(source, constants={2: less}).check("Out", IN)
    for wrong, says in (({2: 1.5}, "1.5 is no whole number"), ({2: 1 << 32}, "more than 32 bits"), ({2: -(1 << 40)}, "more than 32 bits"),
                        ({1: "2"}, "'2' is no number"), ({1: 1e39}, "no number of 32 bits")):
        with pytest.raises(lanewise.BadInput, match=says):
            run(source, constants=wrong)


def test_no_difference_of_integers_is_rounded():
    source = TWICE.replace("uint values", "uvec2 values").replace("uint twice", "uvec2 twice").replace("uint value", "uvec2 value")
    given = np.array([2**63 - 1, 1, 2**62, 0], np.uint64)
    result = lanewise.run(lanewise.glsl(source.replace("2u * value", "value")), {"In": given, "Out": lanewise.empty(4, np.uint64)})
    result.check("Out", given)
    result.check("Out", [2**63 - 1, 1, 2**62, 0])
    result.check("Out", given + np.array([1, 0, 0, 0], np.uint64), tolerance=1)
    with pytest.raises(lanewise.Mismatch, match="1 of 4 values differ"):
        result.check("Out", np.array([2**63 - 1, 1, 2**62 - 1, 0], np.int64))
    with pytest.raises(lanewise.Mismatch, match="1 of 4 values differ"):
        result.check("Out", given + np.array([2, 1, 0, 0], np.uint64), tolerance=1)


def test_what_a_field_has_is_compared_by_field():
    pair = np.dtype([("low", np.uint32), ("high", np.uint32)])
    result = lanewise.run(lanewise.glsl(TWICE), {"In": IN, "Out": lanewise.empty(4, pair)}, groups=2)
    assert result["Out"]["high"].tolist() == [2, 6, 10, 14]
    with pytest.raises(lanewise.BadInput, match="compare the fields"):
        result.check("Out", np.zeros(4, pair))


def test_what_went_in_is_not_changed_and_what_comes_out_is_not_copied():
    both = TWICE.replace("readonly buffer In", "buffer In").replace("twice[i] =", "values[i] = 9u; twice[i] =")
    given = IN.copy()
    result = lanewise.run(lanewise.glsl(both), {"In": given[::-1], "Out": lanewise.empty((2, 4), np.uint32)}, groups=2)
    assert given.tolist() == IN.tolist()
    assert result["In"].tolist() == [9] * 8
    assert result["Out"].tolist() == [[14, 12, 10, 8], [6, 4, 2, 0]]
    assert not result["Out"].flags.owndata


def test_the_type_hints_name_what_there_is():
    stub = ast.parse((Path(lanewise.__file__).parent / "_lanewise.pyi").read_text())
    inside = lanewise._lanewise

    def public(thing):
        return {name for name in vars(thing) if not name.startswith("_")}

    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    assert public(inside) == classes.keys() | functions
    for name, node in classes.items():
        hinted = {one.name if isinstance(one, ast.FunctionDef) else one.target.id for one in node.body} - {"__init__"}
        assert public(getattr(inside, name)) == hinted, name


USE = """
import lanewise
import numpy as np
result = lanewise.run(lanewise.load("twice.comp"), {"In": np.arange(8, dtype=np.uint32), (0, 1): lanewise.empty(8, np.uint32)}, groups=2)
result.check("Out", 2 * np.arange(8))
text: str = result.findings[0].text
lanewise.run(lanewise.load("twice.comp"), {}, groups="two")  # wrong
"""


def test_a_type_checker_takes_the_hints(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "use.py").write_text(USE)
    env = {**os.environ, "MYPYPATH": "" if os.environ.get("LANEWISE_INSTALLED") else str(Path(lanewise.__file__).parent.parent)}
    said = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "use.py"], cwd=tmp_path, env=env,
                          capture_output=True, text=True)
    errors = [line for line in said.stdout.splitlines() if ": error: " in line]
    assert len(errors) == 1 and errors[0].startswith('use.py:7: error: Argument "groups" to "run" has incompatible type "str"'), said


def test_a_second_interpreter_is_refused():
    program = textwrap.dedent("""
        import importlib, sys
        sys.path.insert(0, sys.argv[1])
        for name in ("_interpreters", "_xxsubinterpreters"):
            try:
                interpreters = importlib.import_module(name)
                break
            except ImportError:
                pass
        one = interpreters.create()
        said = interpreters.run_string(one, f"import sys; sys.path.insert(0, {sys.argv[1]!r}); import lanewise")
        print(said)
    """)
    ran = subprocess.run([sys.executable, "-c", program, str(Path(lanewise.__file__).parent.parent)], capture_output=True, text=True, timeout=60)
    assert "lanewise can be imported by the main interpreter" in ran.stdout + ran.stderr, ran


def test_errors_have_place_and_hint():
    with pytest.raises(lanewise.BadInput) as raised:
        lanewise.glsl("#version 450\nvoid main() { wrong }\n", name="wrong.comp")
    assert "wrong.comp:2" in str(raised.value)
    with pytest.raises(lanewise.FileTrouble) as raised:
        lanewise.load("/nowhere/kernel.comp")
    assert raised.value.where or "nowhere" in raised.value.what
    with pytest.raises(lanewise.KernelError):
        run(TWICE.replace("twice[i] =", "while (values[0] < 1u) {} twice[i] ="), max_steps=1000)


def test_spirv_goes_out_and_in():
    words = lanewise.glsl(TWICE).spirv
    assert words[:4] == b"\x03\x02\x23\x07"
    lanewise.run(lanewise.from_spirv(words), {"In": IN, "Out": lanewise.empty(8, np.uint32)}, groups=2).check("Out", 2 * IN)
    with pytest.raises(lanewise.BadInput):
        lanewise.from_spirv(b"abc")
    with pytest.raises(lanewise.BadInput):
        lanewise.from_spirv(b"abcd").entries()


def test_dispatches_share_what_is_the_same_object():
    between = lanewise.empty(8, np.uint32)
    module = lanewise.glsl(TWICE)
    result = lanewise.run([
        lanewise.Dispatch(module, {"In": IN, "Out": between}, 2),
        lanewise.Dispatch(module, {"In": between, "Out": lanewise.empty(8, np.uint32)}, 2),
    ])
    assert result["Out"].tolist() == (2 * IN).tolist()
    assert result["Out#2"].tolist() == (4 * IN).tolist()


def test_images():
    source = """#version 450
    layout(local_size_x = 1) in;
    layout(binding = 0, rgba8ui) readonly uniform uimage2D from;
    layout(binding = 1, rgba8ui) writeonly uniform uimage2D to;
    void main() { ivec2 at = ivec2(gl_GlobalInvocationID.xy); imageStore(to, at, 255u - imageLoad(from, at)); }
    """
    picture = np.arange(2 * 3 * 4, dtype=np.uint8).reshape(2, 3, 4)
    result = lanewise.run(lanewise.glsl(source), {"from": lanewise.Image(picture, "rgba8ui"), "to": lanewise.empty_image(3, 2, "rgba8ui")},
                          groups=(3, 2))
    assert result["to"].shape == (2, 3, 4) and result["to"].dtype == np.uint8
    result.check("to", 255 - picture)
    with pytest.raises(lanewise.BadInput, match="23 bytes|shape"):
        lanewise.run(lanewise.glsl(source), {"from": lanewise.Image(picture[:, :2], "rgba8ui", (3, 2)), "to": lanewise.empty_image(3, 2, "rgba8ui")})


def test_findings_and_check():
    outside = lanewise.glsl(TWICE.replace("values[i]", "values[i + 1u]"), name="outside.comp")
    data = {"In": IN, "Out": lanewise.empty(8, np.uint32)}
    found = lanewise.run(outside, data, groups=2, findings=True).findings
    assert len(found) == 1 and found[0].place == "outside.comp:7" and "out of range" in found[0].text
    checked = lanewise.check(lanewise.glsl(TWICE), data, groups=2)
    assert checked and len(checked.ways) == 9 and not checked.depends
    assert not lanewise.check(outside, data, groups=2)
    lane = lanewise.glsl("""#version 450
    #extension GL_KHR_shader_subgroup_basic : enable
    layout(local_size_x = 8) in;
    layout(binding = 1) writeonly buffer Out { uint size[]; };
    void main() { size[gl_LocalInvocationIndex] = gl_SubgroupSize; }
    """)
    checked = lanewise.check(lane, {"Out": lanewise.empty(8, np.uint32)})
    assert "depends on the subgroup size" in str(checked)


def test_names_need_not_be_ascii_and_may_be_broken():
    module = lanewise.glsl(TWICE.replace("values[i]", "values[i + 1u]"), name="größe.comp")
    data = {"In": IN, "Out": lanewise.empty(8, np.uint32)}
    [finding] = lanewise.run(module, data, groups=2, findings=True).findings
    assert finding.place == "größe.comp:7"
    # As glslang writes it: what is no UTF-8 is text.
    assert module.spirv.count("größe.comp".encode()) == 1
    broken = lanewise.from_spirv(module.spirv.replace("größe.comp".encode(), b"gr\xc3\xff\xff\xffe.comp"))
    [finding] = lanewise.run(broken, data, groups=2, findings=True).findings
    assert finding.place == r"gr\xc3\xff\xff\xffe.comp:7"


def test_entry_points_and_files_have_any_bytes(tmp_path):
    spirv = lanewise.glsl(TWICE).spirv.replace(b"main\0", b"ma\xe9n\0")
    assert [entry.name for entry in lanewise.from_spirv(spirv).entries()] == [r"ma\xe9n"]
    for entry in ("", r"ma\xe9n"):
        lanewise.run(lanewise.from_spirv(spirv), {"In": IN, "Out": lanewise.empty(8, np.uint32)}, groups=2, entry=entry).check("Out", 2 * IN)
    file = os.fsencode(tmp_path) + b"/caf\xe9.spv"
    with open(file, "wb") as out:
        out.write(spirv)
    for name in (file, os.fsdecode(file), Path(os.fsdecode(file))):
        assert lanewise.load(name).name.endswith(r"/caf\xe9.spv")


def test_sweep():
    module = lanewise.glsl(TWICE)

    def kernel(n):
        return lanewise.run(module, {"In": np.arange(n, dtype=np.uint32), "Out": lanewise.empty(n, np.uint32)}, groups=(n + 3) // 4)

    assert lanewise.sweep(kernel, lambda n: {"Out": 2 * np.arange(n)}, range(1, 10)) == 9
    with pytest.raises(lanewise.Mismatch, match=r"case 5: Out\[4\].*\n.*\n  5 of 9 cases fail"):
        lanewise.sweep(kernel, lambda n: {"Out": np.minimum(2 * np.arange(n), 7)}, range(1, 10))


def test_a_session_steps():
    session = lanewise.debug(lanewise.glsl(TWICE, name="twice.comp"), {"In": IN, "Out": lanewise.empty(8, np.uint32)}, groups=2)
    session.break_at("8")
    stop = session.go()
    assert (stop.why, stop.place, stop.invocation) == ("breakpoint", "twice.comp:8", (0, 0, 0))
    assert session.value("value + 1") == "1"
    assert session.step(forward=False).place == "twice.comp:7"
    session.to_end()
    assert session.to_writer("Out", 20).invocation == (5, 0, 0)
    with pytest.raises(lanewise.BadInput):
        session.value("nothing")


def test_threads_run_one_module_at_once():
    module = lanewise.glsl(TWICE)
    right = []

    def many(first):
        for n in range(first, first + 40):
            values = np.arange(n, n + 64, dtype=np.uint32)
            result = lanewise.run(module, {"In": values, "Out": lanewise.empty(64, np.uint32)}, groups=16, findings=n % 2 == 0)
            right.append(result["Out"].tolist() == (2 * values).tolist() and result.findings == [])

    threads = [threading.Thread(target=many, args=(1000 * one,)) for one in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert right == [True] * 160


pytest_plugins = ["pytester"]


def test_the_plugin_keeps_what_was_compared(pytester):
    pytester.makepyfile(test_it=f"""
        import numpy as np
        def test_wrong(lanewise):
            module = lanewise.glsl({TWICE!r})
            result = lanewise.run(module, {{"In": np.arange(4, dtype=np.uint32), "Out": lanewise.empty(4, np.uint32)}})
            result.check("Out", np.array([0, 2, 4, 7]))
        def test_right(lanewise):
            pass
    """)
    # Where the package is installed, pytest finds its plugin by itself.
    plugin = [] if os.environ.get("LANEWISE_INSTALLED") else ["-p", "lanewise.pytest_plugin"]
    result = pytester.runpytest_subprocess(*plugin, "--lanewise-report", "kept")
    result.assert_outcomes(passed=1, failed=1)
    # What is shown is the test's own line.
    result.stdout.fnmatch_lines([">*result.check(*"])
    result.stdout.no_fnmatch_line("*raise Mismatch*")
    folder = pytester.path / "kept" / "test_it.py_test_wrong"
    assert "Out[3]: 7 expected, 6 got" in (folder / "ruling.txt").read_text()
    assert np.load(folder / "got.npy").tolist() == [0, 2, 4, 6]
    assert np.load(folder / "expected.npy").tolist() == [0, 2, 4, 7]


def test_a_device():
    try:
        names = [device.name for device in lanewise.devices()]
    except lanewise.DeviceTrouble:
        pytest.skip("no Vulkan device")
    if "lavapipe" not in names:
        pytest.skip("no lavapipe")
    run(device="lavapipe").check("Out", 2 * IN)
    with pytest.raises(lanewise.DeviceTrouble):
        run(device="no-such")
