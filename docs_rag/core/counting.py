"""Numbers with their nouns."""


def counted(amount: int, noun: str) -> str:
    """`1 note`, `2 notes`."""
    return f"{amount} {noun}" if amount == 1 else f"{amount} {noun}s"
