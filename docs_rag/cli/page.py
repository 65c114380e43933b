"""The help of a command with what a manual page has beside the options: examples, exit status, surroundings."""

from __future__ import annotations

import click


class Page(click.Context):
    """The context of a command; asked for help it adds the command's row of `manual.PAGES`."""

    def get_help(self) -> str:
        """The whole text, without a line end after the last line."""
        formatter = self.make_formatter()
        self.command.format_help(self, formatter)
        from docs_rag.cli.manual import sections  # noqa: PLC0415  # nothing but help needs it

        for title, rows in sections(self.info_name or ""):
            with formatter.section(title):
                formatter.write_dl(rows, col_max=60)
        return formatter.getvalue().rstrip("\n")
