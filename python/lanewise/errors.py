"""What can go wrong, as exceptions. Each has `what`, `where` (a place such as "blur.comp:31") and `hint` (what to do)."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class Error(Exception):
    """Anything that Lanewise answers instead of a result. `outcome` is the exit code of the program for it."""

    outcome: int = 70

    def __init__(self, what: str, where: str = "", hint: str = "") -> None:
        text = what + (f" ({where})" if where else "") + (f"; {hint}" if hint else "")
        super().__init__(text)
        self.what = what
        self.where = where
        self.hint = hint


class KernelError(Error):
    """The kernel is wrong: it never ends, or accesses what it may not."""

    outcome = 1


class BadInput(Error, ValueError):
    """What was asked for means nothing."""

    outcome = 2


class Unsupported(Error):
    """The model or the device lacks it; the text has its name."""

    outcome = 3


class DeviceTrouble(Error):
    """There is no such device, or it was lost, crashed or took too long."""

    outcome = 4


class FileTrouble(Error, OSError):
    """A file cannot be read or written."""

    outcome = 6


class Interrupted(Error):
    """The run was stopped."""

    outcome = 130


class Mismatch(AssertionError):
    """A result is not the expected one. The text says what differs first, who stored it, and at which line."""

    def __init__(self, text: str, compared: Optional[Mapping[str, Any]] = None) -> None:
        super().__init__(text)
        self.compared = compared  # the output's "name", and what was "expected" and "got"


# Fields of the library that have another name here.
_ARGUMENTS = {"includeFolders": "include", "targetEnvironment": "target"}
_BY_OUTCOME = {kind.outcome: kind for kind in (KernelError, BadInput, Unsupported, DeviceTrouble, FileTrouble, Interrupted)}


def error_of(outcome: int, what: str, where: str, hint: str) -> Error:
    return _BY_OUTCOME.get(outcome, Error)(what, _ARGUMENTS.get(where, where), hint)
