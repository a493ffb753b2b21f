"""A run on the model that is stepped through, forwards and backwards."""

from __future__ import annotations

from . import _lanewise, arguments
from ._lanewise import Stop


class Session:
    """One run, looked at by one invocation. lanewise.debug() opens it."""

    def __init__(self, job: _lanewise.Job, profile: str, schedule: str) -> None:
        self._own = _lanewise.Session(job, arguments.text("profile", profile), arguments.text("schedule", schedule))

    def step(self, forward: bool = True) -> Stop:
        """To another line of the invocation."""
        return self._own.step(bool(forward))

    def step_instruction(self, forward: bool = True) -> Stop:
        return self._own.step_instruction(bool(forward))

    def go(self, forward: bool = True) -> Stop:
        """To the next breakpoint, or to the end of the run; backwards: to its beginning."""
        return self._own.go(bool(forward))

    def to_end(self) -> Stop:
        return self._own.to_end()

    def to_invocation(self, x: int, y: int = 0, z: int = 0) -> Stop:
        """To where an invocation begins; it is looked at from then on."""
        x, y, z = (arguments.number(name, value, (1 << 32) - 1) for name, value in (("x", x), ("y", y), ("z", z)))
        return self._own.to_invocation(x, y, z)

    def to_writer(self, resource: str, byte: int) -> Stop:
        """To who stored to this byte of a resource last, before now."""
        return self._own.to_writer(arguments.text("resource", resource), arguments.number("byte", byte, (1 << 64) - 1))

    def break_at(self, place: str) -> int:
        """A place to stop at: "31", "blur.comp:31", or a function's name. The number is the breakpoint's."""
        return self._own.break_at(arguments.text("place", place))

    def value(self, expression: str) -> str:
        """An expression in GLSL for the invocation: "cell.x + 1"."""
        return self._own.value(arguments.text("expression", expression))

    def here(self) -> Stop:
        return self._own.here()
