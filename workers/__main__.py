"""The entry of `pairl` and of `python -m workers`.

This module loads the commands, and knows how they end where somebody presses Ctrl-C, also while they are
loaded, which takes as long as many of them do. It does not know what there is to run.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command that the arguments name, and exit with its code."""
    try:
        from workers.cli import main as run_command  # an import may be interrupted as well

        run_command()
    except KeyboardInterrupt:
        from workers.exit_codes import ExitCode

        sys.exit(ExitCode.INTERRUPTED)


if __name__ == "__main__":
    main()
