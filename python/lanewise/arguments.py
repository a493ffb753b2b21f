"""Arguments are looked at here, so that a wrong one is told by its own name."""

from __future__ import annotations

import operator
import sys
from typing import Any, Tuple

import numpy as np

from .errors import BadInput


def text(name: str, value: Any) -> str:
    """A text. TypeError: it is none. BadInput: it has half a surrogate."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a str, not {value!r}")
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise BadInput(f"this is no text: {error.reason}", name) from None
    return value


def number(name: str, value: Any, most: int) -> int:
    """A whole number from 0 to `most`. TypeError: it is none. BadInput: it is another one."""
    try:
        whole = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r}") from None
    if not 0 <= whole <= most:
        raise BadInput(f"{whole} is not from 0 to {most}", name)
    return whole


def numbers(value: Any) -> Tuple[int, ...]:
    """A whole number, or several. TypeError: it is no such thing."""
    try:
        return (operator.index(value),)
    except TypeError:
        pass
    try:
        return tuple(operator.index(one) for one in value)
    except TypeError:
        raise TypeError(f"a whole number or several are meant, not {value!r}") from None


def bits(name: str, value: Any) -> int:
    """The bits of a number. One of numpy has the width of its type; another one is whole, and is cut to the width of what it is for."""
    if isinstance(value, (np.number, np.bool_)) and value.itemsize <= 8:
        return int.from_bytes(value.tobytes(), sys.byteorder)
    if not isinstance(value, int):
        raise BadInput(f"{value!r} has no known width", name, "a whole number, or np.float32(1.5)")
    if not -(1 << 63) <= value < 1 << 64:
        raise BadInput(f"{value} has more than 64 bits", name)
    return value % (1 << 64)
