"""pybind11 waits for ever where a second interpreter of a process imports its module: there is an ImportError instead."""

from __future__ import annotations

import importlib
from typing import Any


def _interpreters() -> Any:
    for name in ("_interpreters", "_xxsubinterpreters"):  # Python 3.13 and before
        try:
            return importlib.import_module(name)
        except ImportError:
            pass
    return None


_known = _interpreters()
if _known is not None and _known.get_current() != _known.get_main():
    raise ImportError("lanewise can be imported by the main interpreter of a process alone")
