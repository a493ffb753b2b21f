"""For pytest: the fixture `lanewise`, and --lanewise-report FOLDER, which keeps what a failing test compared.

A test that fails by lanewise.Mismatch leaves FOLDER/TEST/ruling.txt, expected.npy and got.npy.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import pytest

import lanewise as module
from lanewise.errors import Mismatch


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("lanewise")
    group.addoption("--lanewise-report", metavar="FOLDER", help="keep what a failing test compared in this folder")
    group.addoption("--lanewise-device", metavar="NAME", default="model", help="what the fixture runs kernels on (default: model)")


class Lanewise:
    """The module's functions, run on what --lanewise-device names."""

    def __init__(self, device: str) -> None:
        self.device = device

    def run(self, *arguments: Any, **options: Any) -> module.Result:
        options.setdefault("device", self.device)
        return module.run(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(module, name)


@pytest.fixture
def lanewise(request: Any) -> Iterator[Lanewise]:
    yield Lanewise(request.config.getoption("--lanewise-device"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Any:
    outcome = yield
    folder = item.config.getoption("--lanewise-report")
    error = call.excinfo.value if call.excinfo is not None else None
    if not folder or not isinstance(error, Mismatch):
        return
    into = Path(folder) / re.sub(r"[^A-Za-z0-9._-]+", "_", item.nodeid)
    into.mkdir(parents=True, exist_ok=True)
    (into / "ruling.txt").write_text(str(error) + "\n", encoding="utf-8")
    if error.compared:
        np.save(into / "expected.npy", error.compared["expected"])
        np.save(into / "got.npy", error.compared["got"])
    outcome.get_result().sections.append(("lanewise", f"kept in {into}"))
