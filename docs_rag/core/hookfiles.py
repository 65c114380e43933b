"""Names in the state folder through which the hook, the background run and `doctor` tell each other things.

Imports nothing: the hook loads this on every save.
"""

EDITS = "dirty"
"""Paths of edited files, one a line. That the file is there is what counts; the paths are for people."""
EDITS_IN_WORK = "running"
"""The same, taken over by a run that has not ended well yet."""
WORKER_LOCK = "worker.lock"
"""Held by the one background process of a project."""
EMBEDDING_LOCK = "embedding.lock"
"""Held by the one server that embeds what waits."""
LOG = "hook.log"
MOST_LOG_BYTES = 200_000
"""A log that is larger begins anew."""
SEEN = "hook.json"
"""When the hook last ran: `{"at": …}`."""
OUTCOME = "background.json"
"""How the last background run ended; written by that run."""
TOLD = "told"
"""What was said already, one line each: session, tab, what."""
TOLD_LOCK = "told.lock"
DEAD_RECORDS = "dead.json"
"""The records that were replaced or are over; written by `index`."""
