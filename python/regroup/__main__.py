# SPDX-License-Identifier: BSD-3-Clause
"""Programs that the command `regroup` starts:

    python3 -m regroup describe FILE           prints the walkers of FILE as JSON; then, for each
                                               input line {"name": …, "options": {…}}, the size of
                                               the walker's state in bytes, or an error
    python3 -m regroup rank FILE TASK OUTCOME  runs one rank, like regroup-mpi TASK OUTCOME
"""

import json
import os
import signal
import sys

if not __package__:  # started by its path
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from regroup import _engine, description, state  # noqa: E402


def describe(file):
    """Describes FILE on standard output; output of FILE is redirected to standard error."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    try:
        print(description.describe(file), file=answers)
    except description.Refused as error:
        print(json.dumps({"error": str(error)}), file=answers)
        return
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            walker = description.make(asked["name"], asked["options"], _engine.Chain(0, 1))
            answer = {"bytes": len(state.packed(walker.pack()))}
        except Exception as error:
            answer = {"error": f"{description.text_of(error)} "
                               f"({description.place_of(error, os.path.abspath(file))})"}
        print(json.dumps(answer), file=answers)


def main(arguments):
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if len(arguments) == 2 and arguments[0] == "describe":
        describe(arguments[1])
        return 0
    if len(arguments) > 2 and arguments[0] == "rank":
        return _engine.rank_main(arguments[1], arguments[2:])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
