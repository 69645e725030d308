"""Process every event of the feed, and go on after a restart where the last run stopped.

Usage: python follow_the_feed.py [EVENTS], after so many of which it stops; without, it runs until it is interrupted.
"""

import sys
from pathlib import Path

from compliance_onboarding import ComplianceOnboarding, Page
from compliance_onboarding.types import FundsRecoveryEvent

SAVED = Path("cursor.txt")
most = int(sys.argv[1]) if len(sys.argv) > 1 else None


def process(event: FundsRecoveryEvent) -> None:
    """Do what the program is for. Delivery is at least once: skip what `event_id` says is done already."""
    print(event.event_id, event.event_type)


def save(page: Page[FundsRecoveryEvent]) -> None:
    """Remember how far the program is."""
    SAVED.write_text(page.cursor or "")


with ComplianceOnboarding() as client:
    events = client.funds_recovery.events.follow(
        cursor=SAVED.read_text() if SAVED.exists() else None,
        # Called when every event of a page is processed, before the page is acknowledged.
        on_page=save,
        on_poison=lambda raw, reason: print("not as the contract says:", reason, file=sys.stderr),
    )
    for number, event in enumerate(events, 1):
        process(event)
        if number == most:
            events.stop()
