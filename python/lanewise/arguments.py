"""Arguments are looked at here, so that a wrong one is told by its own name."""

from __future__ import annotations

import operator
import struct
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


def bits(name: str, value: Any, width: int, is_float: bool) -> int:
    """The bits of a number of this many bits; 1: of a truth value. BadInput: it is no such number."""
    try:
        if is_float:
            return int.from_bytes(struct.pack({16: "=e", 32: "=f", 64: "=d"}[width], value), sys.byteorder)
        whole = int(value) if isinstance(value, np.bool_) else operator.index(value)
    except (TypeError, OverflowError, struct.error):
        raise BadInput(f"{value!r} is no {'' if is_float else 'whole '}number of {width} bits", name) from None
    if not -(1 << width) // 2 <= whole < 1 << width:
        raise BadInput(f"{whole} has more than {width} bits", name)
    return whole % (1 << width)
