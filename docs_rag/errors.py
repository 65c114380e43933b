"""What can go wrong in a way that the user can mend, and the exit status of each kind.

Tree::

    DocsRagError            exit 1
      ConfigError           a config that cannot be used as it is
        Unapproved          it asks for something that its user has not approved
        Unmergeable         another program's settings file that cannot be changed without harm
      VaultError            the folder of notes is not usable
      IndexMissing          nothing was indexed yet
      IndexDamaged          the index file cannot be believed: damaged, newer, made elsewhere
        IndexOutdated       an older version made it: `index` lays it down anew, vectors are kept
      ForeignFile           what lies at the index's path is no index of ours
      IndexMismatch         the index was made with another model
      NotThere              what the caller named: a note, a heading, a version of a section
      Busy                  another process holds the index
      EmbedderUnavailable   the embedding model cannot be reached or is not there
      UsageError            exit 2: the call itself is wrong
"""

from typing import Final

EXIT_DONE: Final = 0
EXIT_KNOWN: Final = 1
EXIT_USAGE: Final = 2
EXIT_BUG: Final = 3
EXIT_INTERRUPTED: Final = 130


class DocsRagError(Exception):
    """A known error: `message` is lower-case and names the thing, `hint` is the next command or step."""

    exit_code = EXIT_KNOWN

    def __init__(self, message: str, hint: str = "") -> None:
        """Keep both parts; `str()` joins them as `message; hint`."""
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        """One line, whatever the parts hold."""
        parts = [self.message, self.hint] if self.hint else [self.message]
        return " ".join("; ".join(parts).split())


class ConfigError(DocsRagError):
    """The config cannot be used as it is."""


class Unapproved(ConfigError):
    """The config asks for something outside its project that the user has not approved; the hint is a command."""

    def __str__(self) -> str:
        """What the config asks for is a list with semicolons in it: the command must not pass for a part of that."""
        return " ".join(f"{self.message}; look at it and approve it with: {self.hint}".split())


class Unmergeable(ConfigError):
    """A settings file of another program that cannot be changed without harm; the message goes on after its name."""


class VaultError(DocsRagError):
    """The folder of notes is missing or not usable."""


class IndexMissing(DocsRagError):
    """There is no index yet."""


class IndexDamaged(DocsRagError):
    """The index file is damaged, of another version, or made by somebody else."""


class IndexOutdated(IndexDamaged):
    """An older version made the index: a run of `index` lays it down anew and keeps the vectors."""


class ForeignFile(DocsRagError):
    """Something else lies where the index should: it is left alone."""


class IndexMismatch(DocsRagError):
    """The index was made with another model than the one asked for."""


class NotThere(DocsRagError):
    """What the caller named is not there, or may be several things; the hint says what is."""


class Busy(DocsRagError):
    """Another process holds the index."""


class EmbedderUnavailable(DocsRagError):
    """The embedding model cannot be reached, or is not there."""


class UsageError(DocsRagError):
    """The call itself is wrong."""

    exit_code = EXIT_USAGE
