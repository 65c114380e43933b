"""How wide text is on a terminal."""

from unicodedata import combining, east_asian_width


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: Han, kana and Hangul are two wide, marks on a letter have none."""
    return (
        len(text)
        if text.isascii()
        else sum(1 + (east_asian_width(char) in "WF") for char in text if not combining(char))
    )
