"""What `init` says and asks, in English and in Korean: one row for each message.

Results on stdout stay English, for scripts and for whoever is asked for help; so do commands and keys everywhere.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple


class Message(NamedTuple):
    """One message in both languages; names in braces are filled in."""

    english: str
    korean: str


MESSAGES: Final = {
    "notes": Message("{notes} found in {folder}", "{folder} 폴더에서 노트 {count}개를 찾았습니다"),
    "vault": Message("Folder of notes", "노트 폴더"),
    "no folder": Message("there is no folder {folder}", "{folder} 폴더가 없습니다"),
    "ollama": Message("Ollama at {url} has: {models}", "Ollama({url})에 있는 임베딩 모델: {models}"),
    "ollama empty": Message(
        "Ollama at {url} has no embedding model; `ollama pull bge-m3` fetches one",
        "Ollama({url})에 임베딩 모델이 없습니다. `ollama pull bge-m3`으로 받을 수 있습니다",
    ),
    "ollama down": Message("no Ollama answers at {url}", "{url}에서 Ollama가 응답하지 않습니다"),
    "no builtin": Message("the builtin model cannot run here", "내장 모델은 이 컴퓨터에서 실행할 수 없습니다"),
    "models": Message(
        "auto comes to {here} here; also: {others}",
        "auto는 지금 이 컴퓨터에서 {here}입니다. 그 밖에 쓸 수 있는 것: {others}",
    ),
    "words alone": Message("none (words alone)", "none (낱말로만 검색)"),
    "model": Message("Embedding model", "임베딩 모델"),
    "wrong model": Message("this is no name of a model: {why}", "모델 이름이 아닙니다: {why}"),
    "obsidian": Message(
        "Obsidian (settings in {folder}) excludes: {filters}", "Obsidian({folder})에서 제외한 파일: {filters}"
    ),
    "obsidian others": Message(
        "these cannot be taken over, since they mean other notes too or are patterns: {filters}",
        "다른 노트까지 뜻하거나 패턴이라서 옮길 수 없는 것: {filters}",
    ),
    "excluded": Message(
        "searches leave out, unless they ask for all: {folders}",
        "전체 검색(--all)이 아니면 검색에서 빠지는 것: {folders}",
    ),
    "ask excluded": Message(
        "Folders that searches leave out (with commas, or none)", "검색에서 뺄 폴더 (쉼표로 구분, 없으면 none)"
    ),
    "documents": Message("documents beside the notes: {documents}", "노트 외의 문서: {documents}"),
    "ask documents": Message(
        "Kinds to index too (with commas, or none)", "함께 색인할 종류 (쉼표로 구분, 없으면 none)"
    ),
    "synced": Message(
        "{folder} is kept in step by {service}. It copies files while they are written, and two machines would write"
        " to one index: the index can be damaged or lose notes.",
        "{folder} 폴더는 {service}(으)로 동기화됩니다. 쓰는 도중의 파일이 복사되고 두 컴퓨터가 한 색인에 쓰게 되어"
        " 색인이 깨지거나 노트가 빠질 수 있습니다.",
    ),
    "ask index": Message("Put the index into {place}", "색인을 {place}에 둘까요"),
    "statuses": Message(
        "of the notes looked at, {decisions} say what became of a decision; {others} elsewhere say something else:"
        " {words}",
        "살펴본 노트 중 {decisions}개는 결정의 상태를 말하고, 다른 곳의 {others}개는 다른 것을 말합니다: {words}",
    ),
    "ask statuses": Message(
        "Let statuses count only in (globs with commas, or all)",
        "상태를 결정의 상태로 읽을 곳 (glob, 쉼표로 구분, 전부면 all)",
    ),
}
"""Every message, by a name that says what it is for."""


def speaker(environment: Mapping[str, str]) -> Callable[..., str]:
    """The function that fills a message in, in the language of the locale: `say("notes", notes=..., ...)`."""
    korean = is_korean(environment)

    def say(name: str, **values: object) -> str:
        message = MESSAGES[name]
        return (message.korean if korean else message.english).format(**values)

    return say


def is_korean(environment: Mapping[str, str]) -> bool:
    """Whether the user reads Korean, by the variables of POSIX in their order, else by Windows' own setting."""
    told = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    if told:
        return told.lower().partition("_")[0].partition(".")[0] in ("ko", "korean")
    return _windows_language() == _KOREAN


_KOREAN: Final = 0x12
"""Windows' primary number of the language."""

if sys.platform == "win32":

    def _windows_language() -> int:
        import ctypes  # noqa: PLC0415  # for this one question

        return int(ctypes.windll.kernel32.GetUserDefaultUILanguage()) & 0x3FF

else:

    def _windows_language() -> int:
        return 0
