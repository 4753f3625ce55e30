"""Record anew: `python -m tests.recorded`, in a file that is named after what OpenBLAS calls the processor.

Delete the other files then: they are of another version, unless they are recorded anew as well.
"""

from tests.recorded.arithmetic import arithmetic
from tests.recorded.record import FOLDER, write

write(FOLDER / f"{arithmetic()['blas'][0].split()[-1].lower()}.json")
