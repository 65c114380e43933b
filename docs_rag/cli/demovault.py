"""The vault of `docs-rag demo`: notes of an invented team that sells tickets for small ferries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Scene:
    """A question, and what its answer shows."""

    question: str
    shows: str


SCENES: Final = (
    Scene(
        "how long does a login session last",
        "Two decisions speak of this. One was overturned: only the other answers.",
    ),
    Scene(
        "what is our parental leave policy",
        "Nothing in the notes answers this, so nothing is returned.",
    ),
    Scene(
        "ERR_SEAT_HELD",
        "An identifier is found as it is written.",
    ),
)

NOTES: Final[dict[str, str]] = {
    "decisions/0002-postgres-queue.md": """\
---
status: accepted
date: 2024-11-05
---
# ADR-0002 Background jobs run on PostgreSQL

Jobs wait in a table and are taken with `SKIP LOCKED`. We have one database already and know how to restore it;
a message broker would be a second thing to watch at night. Mails, refunds and timetable imports go through it.
""",
    "decisions/0003-long-sessions.md": """\
---
status: superseded
superseded_by: decisions/0011-short-sessions.md
date: 2025-03-04
---
# ADR-0003 Login sessions last twelve hours

A login session lasts twelve hours, so that the staff at the ticket desk sign in once a shift. The session cookie
is renewed with every request.
""",
    "decisions/0006-no-graphql.md": """\
---
status: rejected
date: 2025-06-18
---
# ADR-0006 GraphQL for the public API

Harbours asked for fewer calls. We looked at GraphQL and stayed with plain JSON over HTTP: caching at the edge is
worth more to them than free choice of fields.
""",
    "decisions/0009-fares.md": """\
---
status: accepted
date: 2025-10-21
---
# ADR-0009 Fares are kept in cents, one price list a season

Every fare is a whole number of cents in the currency of the harbour. A season has one price list; it is never
edited, only followed by a newer one, so that an old booking can always be explained.
""",
    "decisions/0011-short-sessions.md": """\
---
status: accepted
date: 2026-02-17
---
# ADR-0011 Login sessions last thirty minutes

A login session lasts thirty minutes after the last click: a tablet was stolen from a ticket desk while somebody
was signed in. The desk unlocks it again with a four-digit code.

## Tokens of the mobile app

The app keeps a refresh token for thirty days and asks for the fingerprint when it is used.
""",
    "decisions/0012-seat-maps.md": """\
---
status: proposed
date: 2026-03-09
---
# ADR-0012 Seat maps on the booking page

Passengers would choose their seat on a drawing of the deck. Open: who draws eleven ships?
""",
    "reference/errors.md": """\
# Errors of the booking API

## ERR_SEAT_HELD

Somebody else has this seat in the basket. It comes free after ten minutes; offer the passenger another one.

## ERR_SAILING_CLOSED

Boarding has begun. Tickets for this sailing are sold at the gangway only.
""",
    "reference/refunds.md": """\
# Refunds

A ticket is refunded in full until one hour before departure. When the ferry does not sail, every passenger is
refunded by the next morning without having to ask.
""",
    "runbooks/restore.md": """\
# Restoring the database

1. Stop the workers, or they will send every mail a second time.
2. Restore the nightly backup beside the broken database, then replay the log up to the minute of the fault.
3. Compare the number of bookings with the harbour's own list before opening the shop again.
""",
    "runbooks/배포.md": """\
---
date: 2026-01-12
---
# 배포 절차

배포는 화요일과 목요일 오전에만 합니다. 배가 출항하는 시간에는 예약 서버를 다시 시작하지 않습니다.
문제가 생기면 이전 버전으로 되돌린 뒤 원인을 찾습니다.
""",
}
"""Text by path in the vault."""
