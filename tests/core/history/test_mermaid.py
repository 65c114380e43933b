"""A line of descent as a Mermaid chart."""

from __future__ import annotations

import re

import pytest
from history_lines import line
from hypothesis import given
from hypothesis import strategies as st

from docs_rag.core.history.mermaid import chart
from docs_rag.core.status import Status


def test_a_chart_leads_from_old_to_new() -> None:
    ended = {"in_force_until": "2023-05-01", "date": "2021-02-03"}
    found = line("a>b b>c", "b", a={**ended}, c={"title": "c", "date": "2024-06-01"})
    assert list(chart(found)) == [
        "graph TD",
        '    n1["b<br/>B<br/>superseded"]',
        '    n2["a<br/>A<br/>superseded 2021-02-03 – 2023-05-01"]',
        '    n3["c<br/>current 2024-06-01"]',
        "    n2 -->|2023-05-01| n1",
        "    n1 --> n3",
        "    classDef asked stroke-width:3px",
        "    classDef dead fill:#eee,stroke:#999,color:#666",
        "    classDef lost fill:#fff,stroke:#999,color:#666,stroke-dasharray:4",
        "    class n1 asked",
        "    class n1,n2 dead",
    ]


def test_a_record_is_one_node_and_an_edge_one_edge_wherever_they_are_met() -> None:
    lines = list(chart(line("a>b a>c b>d c>d d>a", "a")))
    assert len([each for each in lines if '["' in each]) == 4
    edges = [each.strip() for each in lines if "-->" in each]
    assert len(edges) == len(set(edges)) == 5


def test_references_that_are_lost_are_nodes_of_their_own() -> None:
    lines = list(chart(line("", "a", a={"status": Status.SUPERSEDED, "lost": ("ADR-9",)})))
    assert '    n2["ADR-9<br/>?"]' in lines
    assert "    class n2 lost" in lines
    assert '    n2["?"]' in list(chart(line("", "a", a={"status": Status.SUPERSEDED})))


def test_what_was_left_out_is_a_remark() -> None:
    found = line(" ".join(f"n{number}>n{number + 1}" for number in range(300)), "n0")
    lines = list(chart(found))
    assert lines[-1] == "    %% 200 later records are not shown"
    assert len("\n".join(lines)) < 50_000
    assert sum("-->" in each for each in lines) < 500


@pytest.mark.parametrize(
    ("title", "label"),
    [
        ('say "yes"', "say #34;yes#34;"),
        ("a [b] {c} (d) | e", "a #91;b#93; #123;c#125; #40;d#41; #124; e"),
        ("one\ntwo", "one two"),
        ("Code style: #1", "Code style#58; #35;1"),
        ("🌱 seedling 결정", "🌱 seedling 결정"),
        ("%%{init: {}}%%", "#37;#37;#123;init: #123;#125;#125;#37;#37;"),
        ("1. Use tea", "#49;. Use tea"),
        ("- a list", "#45; a list"),
        ("`code` *strong* #1", "#96;code#96; #42;strong#42; #35;1"),
        ("<b onclick=x>&amp;", "#60;b onclick=x#62;#38;amp#59;"),
        ("x" * 500, "x" * 119 + "…"),
    ],
)
def test_labels_hold_any_title(title: str, label: str) -> None:
    assert f'["a<br/>{label}<br/>current"]' in list(chart(line("", "a", a={"title": title})))[1]


@given(st.text(), st.text(min_size=1))
def test_whatever_a_title_or_reference_holds_a_label_stays_one(title: str, reference: str) -> None:
    for each in chart(line("", "a", a={"title": title, "lost": (reference,)})):
        assert "\n" not in each
        if (found := re.fullmatch(r' {4}n\d+\["(.*)"\]', each)) is not None:
            rest = re.sub(r"#\d+;|<br/>", "", found[1])
            assert not set(rest) & set('"#<>%[]{}()|;`')
