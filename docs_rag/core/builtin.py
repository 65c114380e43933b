"""The name of the builtin model: a config is checked against it without loading the registry."""

from typing import Final

BUILTIN_E5: Final = "builtin:multilingual-e5-small"
