"""What queries state is found by the shipped model, in the pass that reads them beside a text."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "bench_queries.py"


def test_the_shipped_model_finds_what_queries_state():
    """Measured when the model was made, see its card; what falls below is a worse model or a broken path."""
    done = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=True)
    beside, alone = re.findall(r"found \((0\.\d+)\), (\d+) wrong", done.stdout)
    assert float(beside[0]) >= 0.90
    assert float(alone[0]) >= 0.90
    assert int(beside[1]) <= 10
