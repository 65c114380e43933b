"""The means that centring starts from."""

from __future__ import annotations

import math

import pytest

from docs_rag.core.means import shipped_means
from docs_rag.core.models import MODELS
from docs_rag.core.vectors import unpack


@pytest.mark.parametrize("name", sorted(MODELS))
def test_models_with_centred_scores_have_means_and_others_have_none(name: str) -> None:
    means = shipped_means(name)
    if MODELS[name].score != "centred":
        assert means is None
        return
    assert means is not None
    for each in means:
        assert len(unpack(each)) == MODELS[name].dimensions
        assert 0.5 < math.hypot(*unpack(each)) < 1


def test_an_unknown_model_has_no_means() -> None:
    assert shipped_means("somebody/else") is None
