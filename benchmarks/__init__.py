"""What knowgrad is compared with, and what it costs. Every figure in the documents comes from a command here.

`python -m benchmarks.NAME` runs a comparison; the modules at the root only name these commands. The rooms:

| room | what is in it | may import |
|---|---|---|
| `problems/` | what is optimised: functions with noise, mixed spaces, failures, real trainings; `experiments` | |
| `peers/` | who takes part, knowgrad and other libraries, behind one interface | problems |
| `reports/` | recorded searches in tables and figures | problems, peers |
| `campaigns/` | whole searches, run and recorded | problems, peers, reports |
| `inference/` | what a model makes of given results | problems, campaigns |
| `speed/` | what one question costs, and what a batch is worth: `true_value` is the judge | peers |
| `service/` | what a storage and the HTTP service cost their users | tests (a browser, a server) |

All import `records` (results on disk, one format), `processes` (processes of their own for what is measured) and
`screens` (figures that follow the reader's screen).
"""
