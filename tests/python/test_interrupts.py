"""The Python module while a kernel runs: other threads go on, and an interrupt ends it."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import lanewise
import numpy as np
import pytest

# Long enough to be seen, and in many workgroups.
LONG = """#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint sums[]; };
void main() {
  uint sum = 0u;
  for (uint k = 0u; k < 20000u; ++k) sum = sum * 1664525u + k;
  sums[gl_GlobalInvocationID.x] = sum;
}
"""


def test_other_threads_run_meanwhile():
    ticks = []
    over = threading.Event()

    def tick():
        while not over.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    lanewise.run(lanewise.glsl(LONG), {"Out": lanewise.empty(64 * 200, np.uint32)}, groups=200)
    seconds = time.monotonic() - begin
    over.set()
    thread.join()
    assert seconds < 0.05 or len([t for t in ticks if begin < t < begin + seconds]) > 2


# Many workgroups that take minutes on many cores, and one that takes hours.
MANY = LONG.replace("20000u", "2000000u")
ENDLESS = LONG.replace("20000u", "4000000000u")
INTERRUPTED = {
    "run": "lanewise.run(module, data, max_steps=LIMIT)",
    "findings": "lanewise.run(module, data, findings=True, max_steps=LIMIT)",
    "lanes": "lanewise.run(module, data, schedule='lanes', max_steps=LIMIT)",
    "interleaved": "lanewise.run(module, data, groups=2, schedule='interleave:seed:1@2', max_steps=LIMIT)",
    "weak": "lanewise.run(module, data, schedule='in-order+weak:1', max_steps=LIMIT)",
    "workgroups": "lanewise.run(short, {'Out': lanewise.empty(64 * 60000, np.uint32)}, groups=60000, max_steps=LIMIT)",
    "check": "lanewise.check(module, data, max_steps=LIMIT)",
    "sweep": "lanewise.sweep(lambda n: lanewise.run(module, data, max_steps=LIMIT), lambda n: {}, range(1000))",
    "session": "lanewise.debug(module, data, max_steps=LIMIT).to_end()",
    "step": "session = lanewise.debug(module, data, max_steps=LIMIT); session.break_at('7'); session.go()",
}


def heard():
    """For a child: what runs in the background of a script ignores SIGINT, and so would the child."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(seconds, program, *arguments):
    """The errors of a program that says "ready" and is interrupted some seconds later."""
    child = subprocess.Popen([sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             preexec_fn=heard)
    assert child.stdout.readline() == "ready\n"
    time.sleep(seconds)
    os.kill(child.pid, signal.SIGINT)
    try:
        return child.communicate(timeout=60)[1]
    finally:
        child.kill()


@pytest.mark.parametrize("what", INTERRUPTED)
def test_an_interrupt_stops_it(what):
    program = textwrap.dedent(f"""
        import lanewise, numpy as np, sys
        LIMIT = 1 << 40
        short, module = (lanewise.glsl(one, name="long.comp") for one in sys.argv[1:])
        data = {{"Out": lanewise.empty(64, np.uint32)}}
        print("ready", flush=True)
        {INTERRUPTED[what]}
    """)
    errors = interrupted(0.5, program, MANY, ENDLESS)
    assert errors.rstrip().endswith("KeyboardInterrupt"), errors


def test_a_session_goes_on_after_an_interrupt():
    program = textwrap.dedent("""
        import lanewise, numpy as np, os, signal, sys, threading, time
        module = lanewise.glsl(sys.argv[1], name="long.comp")
        session = lanewise.debug(module, {"Out": lanewise.empty(64, np.uint32)}, max_steps=1 << 40)
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            session.to_end()
        except KeyboardInterrupt:
            print("interrupted at", session.here().place)
        print("then at", session.step().place)
    """)
    said = subprocess.run([sys.executable, "-c", program, ENDLESS.replace("++k) ", "++k)\n")], capture_output=True, text=True, timeout=60,
                          preexec_fn=heard)
    assert "interrupted at long.comp:" in said.stdout and "then at long.comp:" in said.stdout, said


def test_an_interrupt_ends_a_run_of_pytest(tmp_path):
    (tmp_path / "test_it.py").write_text(textwrap.dedent(f"""
        import numpy as np
        def test_long(lanewise):
            module = lanewise.glsl({ENDLESS!r})
            print("ready", flush=True)
            lanewise.run(module, {{"Out": lanewise.empty(64, np.uint32)}}, max_steps=1 << 40)
    """))
    plugin = [] if os.environ.get("LANEWISE_INSTALLED") else ["-p", "lanewise.pytest_plugin"]
    child = subprocess.Popen([sys.executable, "-m", "pytest", "-s", "-p", "no:cacheprovider", *plugin, "--lanewise-report", "kept", "test_it.py"],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=tmp_path, preexec_fn=heard)
    while "ready" not in (line := child.stdout.readline()):
        assert line
    time.sleep(0.5)
    os.kill(child.pid, signal.SIGINT)
    try:
        said, _ = child.communicate(timeout=60)
    finally:
        child.kill()
    assert child.returncode == 2 and "KeyboardInterrupt" in said, said


DEVICE_PROGRAM = """
import lanewise, numpy as np, sys
module = lanewise.glsl(sys.argv[1], name="long.comp")
print("ready", flush=True)
lanewise.run(module, {"Out": lanewise.empty(64, np.uint32)}, device="swiftshader")
"""


def test_an_interrupt_stops_a_device():
    try:
        names = [device.name for device in lanewise.devices()]
    except lanewise.DeviceTrouble:
        pytest.skip("no Vulkan device")
    if "swiftshader" not in names:  # lavapipe ends every loop soon
        pytest.skip("no SwiftShader")
    errors = interrupted(2, DEVICE_PROGRAM, ENDLESS)
    assert errors.rstrip().endswith("KeyboardInterrupt"), errors
