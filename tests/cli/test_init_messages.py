"""What `init` says in English and in Korean."""

from __future__ import annotations

import re
import sys

import pytest

from docs_rag.cli.init.messages import MESSAGES, is_korean, speaker


@pytest.mark.parametrize("name", list(MESSAGES))
def test_both_languages_fill_in_the_same_things(name: str) -> None:
    english, korean = MESSAGES[name]
    said, count = set(re.findall(r"\{(\w+)\}", english)), {"count", "notes"}
    assert set(re.findall(r"\{(\w+)\}", korean)) - count == said - count
    assert re.search("[가-힣]", korean)
    assert english.isascii()


@pytest.mark.parametrize(
    ("environment", "korean"),
    [
        ({"LANG": "ko_KR.UTF-8"}, True),
        ({"LANG": "ko"}, True),
        ({"LANG": "Korean_Korea.949"}, True),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "ko_KR.utf8"}, True),
        ({"LANG": "ko_KR.UTF-8", "LC_ALL": "C.UTF-8"}, False),
        ({"LANG": "kok_IN.UTF-8"}, False),
        ({"LANG": "en_US.UTF-8"}, False),
    ],
)
def test_the_locale_decides(environment: dict[str, str], korean: bool) -> None:
    assert is_korean(environment) is korean


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has a setting of its own")
def test_without_a_locale_it_is_english() -> None:
    assert speaker({"LC_ALL": ""})("vault") == "Folder of notes"
    assert speaker({"LANG": "ko_KR.UTF-8"})("vault") == "노트 폴더"
