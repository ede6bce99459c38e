"""What a training frees stays with it."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

MIB = 2**20
SIZE = 200 * MIB
SCRIPT = f"""
import resource, sys
from piibench.training.memory import keep_memory
if sys.argv[1] == "keep":
    keep_memory()
bytearray({SIZE})
with open("/proc/self/statm") as numbers:
    print(int(numbers.read().split()[1]) * resource.getpagesize())
"""


def resident(how: str) -> int:
    """Bytes that a process holds which has freed `SIZE`."""
    done = subprocess.run([sys.executable, "-c", SCRIPT, how], capture_output=True, check=True)
    return int(done.stdout)


@pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "mallopt"), reason="there is no glibc"
)
def test_what_is_freed_stays_with_the_process():
    assert resident("keep") - resident("give back") > SIZE - 20 * MIB
