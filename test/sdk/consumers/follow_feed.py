"""A consumer of the funds-recovery feed as the guide recommends it: `follow-feed.ts` in Python, with the same files."""

from __future__ import annotations

import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from compliance_onboarding import ComplianceOnboarding

CURSOR = Path("cursor")
BUSY = Path("busy")


def save(page: Any) -> None:
    """Replace the file as a whole, so that a crash leaves the old cursor or the new one."""
    if page.cursor is not None:
        Path("cursor.new").write_text(page.cursor)
        Path("cursor.new").replace(CURSOR)


def main() -> int:
    feed = ComplianceOnboarding().funds_recovery.events.follow(
        cursor=CURSOR.read_text() if CURSOR.exists() else None,
        limit=int(os.environ["PAGE_SIZE"]),
        on_page=save,
        min_interval=0.02,
        max_interval=0.02,
    )
    left: int | None = None
    with Path("handled").open("a", buffering=1) as handled:
        try:
            for event in feed:
                if event.environment != "live":
                    raise RuntimeError(f"an event of {event.environment} reached a consumer of the live feed")
                if BUSY.exists() and left is None:
                    left = int(BUSY.read_text())
                if left == 0:
                    BUSY.rename("waiting")
                    time.sleep(60)
                left = None if left is None else left - 1
                handled.write(f"{event.event_id}\n")
        except Exception as error:
            print(type(error).__name__)
            traceback.print_exc()
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
