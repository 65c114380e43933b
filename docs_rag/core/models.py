"""The embedding models that are known, and how far each may be believed.

One row a model. A model that stands in no row works too: without prefixes, with a floor that nobody tested,
and the answers say so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from docs_rag.core.builtin import BUILTIN_E5
from docs_rag.errors import ConfigError

ScoreKind = Literal["cosine", "centred"]
"""The scale of floor and score: the plain cosine, or the cosine after taking the vault's means away."""

BUILTIN_PREFIX: Final = "builtin:"
"""Names that begin so run in process; all others belong to an Ollama server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """An embedding model: how texts are handed to it and what its scores are worth."""

    name: str
    """As configured, without `:latest`; `builtin:NAME` runs in process."""
    dimensions: int | None = None
    """Length of its vectors; None until the host has told."""
    max_tokens: int | None = None
    query_prefix: str = ""
    document_prefix: str = ""
    score: ScoreKind = "cosine"
    min_score: float | None = None
    """Floor that was tested for this model and score; None: calibration decides."""
    min_confidence: float | None = None
    """What an answer's confidence (core/confidence.py) must come to; None: nobody tested that for this model."""
    fallback_score: float = 0.5
    """Floor when neither a tested one nor a calibration is there."""
    relative_cutoff: float | None = 0.88
    known: bool = True
    """False for a model that has no row."""


_MXBAI_QUERY: Final = "Represent this sentence for searching relevant passages: "
_QWEN_QUERY: Final = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"

MODELS: Final[dict[str, Model]] = {
    model.name: model
    for model in (
        Model(name="bge-m3", dimensions=1024, max_tokens=8192, min_score=0.55),
        # The model reads 8,192 tokens; the file that Ollama serves is set to 2,048.
        Model(
            name="nomic-embed-text",
            dimensions=768,
            max_tokens=2048,
            query_prefix="search_query: ",
            document_prefix="search_document: ",
        ),
        Model(
            name="nomic-embed-text-v2-moe",
            dimensions=768,
            max_tokens=512,
            query_prefix="search_query: ",
            document_prefix="search_document: ",
        ),
        Model(name="mxbai-embed-large", dimensions=1024, max_tokens=512, query_prefix=_MXBAI_QUERY),
        Model(name="snowflake-arctic-embed2", dimensions=1024, max_tokens=8192, query_prefix="query: "),
        Model(name="snowflake-arctic-embed", max_tokens=512, query_prefix=_MXBAI_QUERY),
        Model(
            name="embeddinggemma",
            dimensions=768,
            max_tokens=2048,
            query_prefix="task: search result | query: ",
            document_prefix="title: none | text: ",
        ),
        Model(name="qwen3-embedding", max_tokens=32768, query_prefix=_QWEN_QUERY),
        # The next two were trained on less than they accept (256 and 128 tokens).
        Model(name="all-minilm", dimensions=384, max_tokens=512),
        Model(name="paraphrase-multilingual", dimensions=768, max_tokens=512),
        Model(name="granite-embedding", max_tokens=512),
        # Chosen on five sets of questions, docs/evaluation.md: the floor keeps out what scores like noise and nothing
        # else, since right sections in other words than the question's reach no more than 0.15; whether there is an
        # answer is for the confidence to say. Of 218 questions with an answer 14 are refused, of 75 without 50. The
        # cutoff 0.6 keeps as many right notes among the first five as none at all; 0.7 loses 4 of 218, 0.8 10.
        Model(
            name=BUILTIN_E5,
            dimensions=384,
            query_prefix="query: ",
            document_prefix="passage: ",
            score="centred",
            min_score=0.1,
            min_confidence=0.52,
            relative_cutoff=0.6,
        ),
    )
}
"""Every model that is known, by its name without a tag; the facts are those of the model cards."""

SIZES: Final[dict[str, int]] = {
    "granite-embedding:30m": 384,
    "granite-embedding:278m": 768,
    "qwen3-embedding:0.6b": 1024,
    "qwen3-embedding:4b": 2560,
    "qwen3-embedding:8b": 4096,
    "snowflake-arctic-embed:22m": 384,
    "snowflake-arctic-embed:33m": 384,
    "snowflake-arctic-embed:110m": 768,
    "snowflake-arctic-embed:137m": 768,
    "snowflake-arctic-embed:335m": 1024,
}
"""Dimensions of the models that come in several sizes, by name and the beginning of the tag."""


def plain_name(name: str) -> str:
    """A model's name as the index keeps it: `X` for `X:latest`, in the spelling of its row if it has one."""
    base, tag = _split_tag(name.strip())
    row = MODELS.get(base.lower())
    base = row.name if row else base
    return f"{base}:{tag}" if tag and tag.lower() != "latest" else base


def lookup(name: str) -> Model:
    """What is known of a model, by its name with or without a tag; an unknown one gets `known=False`."""
    plain = plain_name(name)
    if plain in MODELS:
        return MODELS[plain]
    base, _ = _split_tag(plain)
    row = MODELS.get(base)
    if row is None:
        return Model(name=plain, known=False)
    return replace(row, name=plain, dimensions=row.dimensions or _size(plain))


def refuse_remote(name: str) -> None:
    """Raise `ConfigError` if the name says that the model runs elsewhere: text would leave this machine."""
    if plain_name(name).lower().endswith((":cloud", "-cloud")):
        raise ConfigError(
            f"{name} runs on other people's machines, and docs-rag sends no note there",
            "choose a model that Ollama runs locally, such as bge-m3",
        )


def _size(plain: str) -> int | None:
    """Tags go on after the size: `qwen3-embedding:0.6b-q8_0`."""
    return next((size for tag, size in SIZES.items() if f"{plain.lower()}-".startswith(f"{tag}-")), None)


def _split_tag(name: str) -> tuple[str, str]:
    """Name and tag; a colon before a slash belongs to a registry's port, that of `builtin:` to the name."""
    base, _, tag = name.rpartition(":")
    if not base or "/" in tag or name.startswith(BUILTIN_PREFIX):
        return name, ""
    return base, tag
