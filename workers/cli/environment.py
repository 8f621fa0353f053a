"""What a command on the bus runs in: settings, a log, and an event loop.

This module knows where these come from. It does not know the commands.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from typing import Any

from workers.exit_codes import ExitCode
from workers.logs import set_up_logs
from workers.settings import Settings, read_settings


def run_async(work: Coroutine[Any, Any, ExitCode]) -> ExitCode:
    """Run a coroutine on the fastest event loop there is."""
    try:
        import uvloop  # not on every platform
    except ImportError:
        return asyncio.run(work)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def command_settings() -> Settings:
    """Return the settings of the environment, after setting up the log as they say.

    Raises:
        WrongSettings: some of them are wrong.

    """
    settings = read_settings(os.environ)
    set_up_logs(settings.log_format)
    return settings
