"""The command `knowgrad`: one file per command.

May import: knowgrad, errors, text, outcomes, problems, trial, space, acquisition, advisor, storage, log, tables, study,
runner, plots, web, integrations.
"""

import click

from knowgrad.cli.add import add
from knowgrad.cli.ask import ask
from knowgrad.cli.backup import backup
from knowgrad.cli.completion import completion
from knowgrad.cli.create import create
from knowgrad.cli.dashboard import dashboard
from knowgrad.cli.demo import demo
from knowgrad.cli.doctor import doctor
from knowgrad.cli.edit.change import change
from knowgrad.cli.edit.correct import correct
from knowgrad.cli.edit.delete import delete
from knowgrad.cli.edit.discard import discard
from knowgrad.cli.edit.note import note
from knowgrad.cli.edit.rename import rename
from knowgrad.cli.edit.report import pause, report, resume, stop
from knowgrad.cli.edit.restore import restore
from knowgrad.cli.enqueue import enqueue
from knowgrad.cli.exchange.copy import copy
from knowgrad.cli.exchange.export import export
from knowgrad.cli.exchange.imports import import_
from knowgrad.cli.fail import fail
from knowgrad.cli.group import Commands
from knowgrad.cli.plot import plot
from knowgrad.cli.recommend import recommend
from knowgrad.cli.run import run
from knowgrad.cli.see.diagnostics import diagnostics
from knowgrad.cli.see.front import front
from knowgrad.cli.see.plan import plan
from knowgrad.cli.see.predict import predict
from knowgrad.cli.see.trials import trials
from knowgrad.cli.status import status
from knowgrad.cli.studies import studies
from knowgrad.cli.tell import tell
from knowgrad.cli.worker import worker


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="knowgrad")
def main() -> None:
    """Choose what to try next when every try is expensive and noisy, and several run at once."""


COMMANDS = (
    add,
    ask,
    backup,
    change,
    completion,
    copy,
    correct,
    create,
    dashboard,
    delete,
    demo,
    diagnostics,
    discard,
    doctor,
    enqueue,
    export,
    fail,
    front,
    import_,
    note,
    pause,
    plan,
    plot,
    predict,
    recommend,
    rename,
    report,
    restore,
    resume,
    run,
    status,
    stop,
    studies,
    tell,
    trials,
    worker,
)
for command in COMMANDS:
    main.add_command(command)
