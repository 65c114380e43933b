"""The key `check` of a config."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.checks import Wrong
from docs_rag.core.linting.settings import CheckRules, check_rules


def test_levels_and_codes_by_id_name_and_beginning() -> None:
    written = {"levels": {"DR012": "error", "link-to-dead": "INFO"}, "ignore": ["DR03", "dr005"]}
    assert check_rules(written) == CheckRules((("DR012", "error"), ("link-to-dead", "info")), ("DR03", "dr005"))
    assert check_rules({}) == CheckRules()


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ([], "expected an object such as"),
        ({"level": {}}, 'where "level" is unknown'),
        ({"levels": []}, "expected an object such as"),
        ({"ignore": [7]}, "expected an object such as"),
        ({"ignore": "DR012"}, "expected an object such as"),
        ({"levels": {"one-sided": "error"}}, "did you mean one-sided-link?"),
        ({"ignore": ["DR099"]}, "there is no code DR099"),
        ({"levels": {"DR012": "fatal"}}, 'where "DR012" has "fatal": expected error, warning, info'),
        ({"levels": {"DR012": None}}, "expected error"),
    ],
)
def test_what_cannot_be_meant(written: object, told: str) -> None:
    with pytest.raises(Wrong) as caught:
        check_rules(written)
    assert told in str(caught.value)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["levels", "ignore", "DR0", "error"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@given(levels=JSON, ignore=JSON)
def test_whatever_stands_there_it_is_read_or_refused(levels: object, ignore: object) -> None:
    try:
        assert isinstance(check_rules({"levels": levels, "ignore": ignore}), CheckRules)
    except Wrong as wrong:
        assert "\n" not in str(wrong)
