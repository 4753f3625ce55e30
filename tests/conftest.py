"""One BLAS thread for the tests: the matrices are small, and two threads on a busy machine spin instead of working."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
