"""What is known of a model by its name."""

from __future__ import annotations

import pytest

from docs_rag.core.builtin import BUILTIN_E5
from docs_rag.core.models import MODELS, SIZES, lookup, plain_name, refuse_remote
from docs_rag.errors import ConfigError


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("bge-m3", "bge-m3"),
        ("bge-m3:latest", "bge-m3"),
        (" BGE-M3:Latest ", "bge-m3"),
        ("nomic-embed-text:v1.5", "nomic-embed-text:v1.5"),
        ("my-own:latest", "my-own"),
        ("hf.co/Some/Model-GGUF:Q8_0", "hf.co/Some/Model-GGUF:Q8_0"),
        ("localhost:5000/team/model", "localhost:5000/team/model"),
        (BUILTIN_E5, BUILTIN_E5),
    ],
)
def test_case_41_latest_is_the_name_without_a_tag(name: str, plain: str) -> None:
    assert plain_name(name) == plain
    assert plain_name(plain) == plain
    assert lookup(name).name == plain
    assert lookup(name) == lookup(plain)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_every_row_is_found_with_and_without_a_tag(name: str) -> None:
    assert lookup(name) is MODELS[name]
    if name != BUILTIN_E5:
        tagged = lookup(f"{name}:other-tag")
        assert tagged.known
        assert tagged.query_prefix == MODELS[name].query_prefix
        assert tagged.name == f"{name}:other-tag"


def test_two_models_have_a_tested_floor() -> None:
    tested = {name: row.min_score for name, row in MODELS.items() if row.min_score is not None}
    assert tested == {"bge-m3": 0.55, BUILTIN_E5: 0.1}
    assert {name for name, row in MODELS.items() if row.min_confidence is not None} == {BUILTIN_E5}


def test_an_unknown_model_is_taken_as_it_is() -> None:
    model = lookup("somebody/else:1b")
    assert (model.known, model.dimensions, model.query_prefix, model.document_prefix) == (False, None, "", "")
    assert (model.score, model.min_score, model.fallback_score) == ("cosine", None, 0.5)


@pytest.mark.parametrize(("name", "dimensions"), sorted(SIZES.items()))
def test_dimensions_follow_the_size_in_the_tag(name: str, dimensions: int) -> None:
    assert lookup(name).dimensions == dimensions
    assert lookup(f"{name}-q8_0").dimensions == dimensions
    assert lookup(f"{name}0").dimensions is None
    assert lookup(name.partition(":")[0]).dimensions is None


def test_the_builtin_model_has_a_centred_score() -> None:
    model = lookup(BUILTIN_E5)
    assert (model.score, model.dimensions, model.min_score) == ("centred", 384, 0.1)
    assert not lookup("builtin:of-tomorrow").known


@pytest.mark.parametrize("name", ["big:cloud", "big:120b-cloud", "BIG:CLOUD", "team/big-cloud", "big-cloud:latest"])
def test_case_64_a_name_that_runs_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="sends no note there"):
        refuse_remote(name)


@pytest.mark.parametrize("name", ["bge-m3", "cloud", "cloudy:latest", "cloud:7b", BUILTIN_E5])
def test_case_64_a_name_that_only_speaks_of_clouds_is_not(name: str) -> None:
    refuse_remote(name)
