"""What the last digits of an answer rest on: the libraries that compute, and what they know of the processor."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
import scipy.linalg  # its BLAS is a second one
from threadpoolctl import threadpool_info

BLAS = ("internal_api", "version", "architecture")


def arithmetic() -> dict[str, Any]:
    """Where this is the same, so are the answers, to the last bit: how many threads there are makes no difference."""
    libraries = [found for found in threadpool_info() if found["user_api"] == "blas"]
    return {
        "python": ".".join(platform.python_version_tuple()[:2]),
        "machine": platform.machine(),
        "libc": " ".join(platform.libc_ver()),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "blas": sorted({" ".join(str(found.get(key)) for key in BLAS) for found in libraries}),
        "simd": np.show_config(mode="dicts")["SIMD Extensions"].get("found", []),
    }
