"""Answers over a vault in memory, a bag-of-words model and a real index."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import FAKE_MODEL, FakeEmbedder
from workbench import Workbench, benches, note

from docs_rag.core.answers import as_json
from docs_rag.core.models import Model
from docs_rag.core.pathrules import Boosts
from docs_rag.errors import IndexMismatch, UsageError

Bench = Callable[..., Workbench]


@pytest.fixture(params=["model", "words"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with benches(tmp_path) as indexed:

        def make(files: dict[str, str | bytes], mode: str = "model", model: Model = FAKE_MODEL) -> Workbench:
            return indexed(files, FakeEmbedder(model) if mode == "model" else None)

        yield make


OLD_AND_NEW: dict[str, str | bytes] = {
    "old.md": note("# Old\n\nthe token lifetime is one day", status="superseded", superseded_by="new.md",
                   superseded_on="2026-03-01"),
    "new.md": note("# New\n\nthe token lifetime is one hour", status="accepted", date="2026-03-01"),
    "other.md": "# Other\n\nbread is baked in the morning\n",
}  # fmt: skip


def test_case_1_a_superseded_note_is_not_returned_and_its_successor_is(bench: Bench, mode: str) -> None:
    the = bench(OLD_AND_NEW, mode)
    answer = the.ask("token lifetime")
    assert [hit.section.path for hit in answer.hits] == ["new.md"]
    assert [record.path for record in answer.hidden_records] == ["old.md"]
    assert answer.hidden["superseded"] == 1
    back = {str(hit.section.path): hit for hit in the.ask("token lifetime", search_all=True).hits}
    assert set(back) == {"new.md", "old.md"}
    assert back["old.md"].section.superseded_by == ("new.md",)
    assert back["old.md"].section.superseded_on == "2026-03-01"
    assert back["old.md"].standing.startswith("SUPERSEDED 2026-03-01")


def test_a_dead_record_never_takes_a_live_ones_place(bench: Bench, mode: str) -> None:
    files: dict[str, str | bytes] = {
        f"dead{n}.md": note(f"# Dead {n}\n\nzebra stripes zebra stripes", status="archived") for n in range(150)
    }
    files["live.md"] = "# Live\n\nzebra stripes and many other words besides them\n"
    assert bench(files, mode).paths("zebra stripes", limit=1) == ["live.md"]


def test_a_note_that_holds_more_of_the_question_comes_first(bench: Bench) -> None:
    filler = {f"x{n}.md": f"# X{n}\n\nbread number {n} is baked in oven {n}\n" for n in range(60)}
    files: dict[str, str | bytes] = {
        **filler,
        "near.md": "# Near\n\ninvoices travel far\n",
        "whole.md": "# Whole lot\n\ninvoices travel soon\n\n## More\n\na parcel by the noon coach, in straw and hay\n",
    }
    answer = bench(files).ask("invoices travel noon coach parcel")
    scores = {str(hit.section.path): hit.score for hit in answer.hits if hit.section.headings[-1:] != ("More",)}
    assert [str(hit.section.path) for hit in answer.hits][:1] == ["whole.md"]
    assert scores["whole.md"] is not None and scores["near.md"] is not None
    assert scores["whole.md"] < scores["near.md"]


def test_a_successor_in_other_words_takes_its_predecessors_place(bench: Bench) -> None:
    the = bench({
        "old.md": note("# Old\n\nsessions expire after a long idle night", superseded_by="new.md"),
        "new.md": "# New\n\nsessions end when people are idle for an hour\n",
        "noise.md": "# Noise\n\nbread is baked in the morning\n",
    })  # fmt: skip
    (hit,) = the.ask("sessions expire after a long idle night").hits
    assert hit.section.path == "new.md"
    assert hit.via is not None
    assert (hit.via.path, hit.via.chain) == ("old.md", ("old.md", "new.md"))
    assert hit.score is not None and hit.via.score is not None and hit.score < 0.3 < hit.via.score
    assert the.with_rules(follow_succession=False).paths("sessions expire after a long idle night") == []


def test_a_chain_is_followed_to_its_live_end(bench: Bench, mode: str) -> None:
    the = bench({
        "a.md": note("# A\n\nlighthouse keepers sleep at noon", superseded_by="b.md"),
        "b.md": note("# B\n\nlighthouse keepers sleep at dusk", superseded_by="c.md"),
        "c.md": "# C\n\nlighthouse keepers never sleep at all these days\n",
    }, mode)  # fmt: skip
    answer = the.ask("lighthouse keepers sleep at noon")
    assert [hit.section.path for hit in answer.hits] == ["c.md"]
    back = {str(hit.section.path): hit for hit in the.ask("lighthouse keepers sleep", search_all=True).hits}
    assert back["a.md"].chain == ("a.md", "b.md", "c.md")
    assert back["a.md"].section.current_end == ("c.md",)


def test_case_4_a_cycle_ends_and_both_are_hidden(bench: Bench, mode: str) -> None:
    the = bench({
        "a.md": note("# A\n\nlighthouse keepers sleep", superseded_by="b.md"),
        "b.md": note("# B\n\nlighthouse keepers sleep", superseded_by="a.md"),
    }, mode)  # fmt: skip
    answer = the.ask("lighthouse keepers sleep")
    assert answer.hits == ()
    assert {record.path for record in answer.hidden_records} == {"a.md", "b.md"}
    assert "cycle" in [problem.code for problem in the.listed("a.md").problems]


def test_case_5_a_dangling_successor_keeps_the_note_hidden(bench: Bench, mode: str) -> None:
    the = bench({"a.md": note("# A\n\nlighthouse keepers sleep", superseded_by="reference/auht.md")}, mode)
    assert the.ask("lighthouse keepers sleep").hits == ()
    assert "dangling" in [problem.code for problem in the.listed("a.md").problems]


def test_case_3_a_claim_from_the_new_end_alone_counts_when_it_is_in_force(bench: Bench, mode: str) -> None:
    files: dict[str, str | bytes] = {
        "a.md": note("# A\n\nlighthouse keepers sleep", status="accepted"),
        "b.md": note("# B\n\nlighthouse keepers wake", status="accepted", supersedes="a.md"),
    }
    the = bench(files, mode)
    assert the.paths("lighthouse keepers") == ["b.md"]
    assert "one-sided" in [problem.code for problem in the.listed("a.md").problems]
    the.vault.write("b.md", note("# B\n\nlighthouse keepers wake", status="proposed", supersedes="a.md"))
    the.index()
    assert set(the.paths("lighthouse keepers")) == {"a.md", "b.md"}


def test_case_12_below_the_floor_it_says_so(bench: Bench) -> None:
    the = bench({"a.md": "# A\n\none two three four five six seven eight nine ten eleven twelve thirteen\n"})
    answer = the.ask("one unrelated matter entirely and nothing else of the kind")
    assert answer.hits == ()
    assert answer.best_rejected is not None and answer.threshold == 0.3
    assert answer.message.startswith(f"No relevant results (best score {answer.best_rejected:.2f}, threshold 0.30).")
    assert as_json(answer)["noRelevantResults"] is True


def test_case_12_an_empty_index_is_not_called_irrelevant(bench: Bench, mode: str) -> None:
    assert "the index is empty" in bench({}, mode).ask("anything").message


def test_hidden_records_that_would_have_matched_are_named(bench: Bench, mode: str) -> None:
    the = bench({"a.md": note("# Tea\n\nlighthouse keepers drink tea", status="archived")}, mode)
    assert "Tea (a.md), archived" in the.ask("lighthouse keepers drink tea").message


def test_part_of_the_sections_embedded_is_said(bench: Bench) -> None:
    the = bench({f"n{n}.md": f"# N{n}\n\nword{n} more{n} still{n} of{n}\n" for n in range(3)})
    assert the.embedder is not None
    the.embedder.down = True
    the.vault.write("late.md", "# Late\n\nlighthouse keepers\n")
    the.index()
    the.embedder.down = False
    the.automatic = False
    answer = the.ask("completely different question")
    assert "Only 3 of 4 sections are searchable by meaning yet." in answer.message
    assert (answer.index.embedded, answer.index.pending) == (3, 1)


def test_labels_say_why(bench: Bench) -> None:
    many = "so that the words of the question are few among the words of the section and it stays below the floor "
    the = bench({
        "both.md": "# Gate\n\nERR_GATE_SHUT opens the harbour gate\n",
        "exact.md": "# Codes\n\n" + many * 3 + "ERR_GATE_SHUT\n",
        "meaning.md": "# Harbour\n\nopens the harbour gate err gate shut\n",
        **{f"filler{n}.md": f"# F{n}\n\nopens the harbour number{n} {n * 7} other{n}\n" for n in range(12)},
    })  # fmt: skip
    the.with_rules(relative_cutoff=0.0)
    labels = {
        str(hit.section.path): hit.label for hit in the.ask("ERR_GATE_SHUT opens the harbour gate", limit=20).hits
    }
    assert labels["both.md"] == "both"
    assert labels["exact.md"] == "exact"
    assert labels["filler1.md"] == "semantic"


def test_case_13_exclusions_hold_on_both_tracks(bench: Bench, mode: str) -> None:
    the = bench({
        "archive/a.md": "# A\n\nERR_GATE_SHUT and lighthouse keepers in the rain\n",
        "Plans/b.md": "# B\n\nERR_GATE_SHUT and lighthouse keepers in the rain\n",
        "c.md": note("# C\n\nERR_GATE_SHUT and lighthouse keepers in the rain", status="deprecated"),
    }, mode)  # fmt: skip
    for question in ("lighthouse keepers", "ERR_GATE_SHUT", '"lighthouse keepers"'):
        answer = the.ask(question)
        assert answer.hits == (), question
        assert answer.hidden == {"superseded": 0, "archived": 1, "excluded": 2, "later": 0}, question
    everything = the.ask("lighthouse keepers", search_all=True)
    assert len(everything.hits) == 1
    assert len(everything.hits[0].also_in) == 2, "the same passage in three notes is one hit"
    assert the.paths("lighthouse keepers", within=("archive",)) == ["archive/a.md"]
    assert the.paths("lighthouse keepers", search_all=True, exclude=("archive", "Plans")) == ["c.md"]


def test_case_13_a_boost_lifts_nothing_over_the_floor(bench: Bench) -> None:
    the = bench({"a.md": "# A\n\none two three four five six seven eight nine ten eleven twelve thirteen\n"})
    before = the.ask("one unrelated matter entirely and nothing else of the kind")
    the.with_rules(boosts=Boosts({"a.md": 10.0}))
    after = the.ask("one unrelated matter entirely and nothing else of the kind")
    assert after.hits == ()
    assert after.best_rejected == before.best_rejected


def test_common_words_do_not_overrule_i_dont_know(bench: Bench) -> None:
    the = bench({f"n{n}.md": f"# N{n}\n\nword{n} " + "filler words to keep scores low " * 3 for n in range(6)} | {
        "rare.md": "# Rare\n\n" + "many words that are not asked for stand here " * 3 + "kangaroo boxing\n",
    })  # fmt: skip
    assert the.ask("which kangaroo owns the lighthouse on the southern cape of the island").hits == ()
    assert the.paths("kangaroo boxing") == ["rare.md"], "one section holds every word of the question"
    assert the.paths('what of the "kangaroo" in the lighthouse on the southern cape') == ["rare.md"]


def test_a_question_that_is_an_identifier_brings_its_sections_first(bench: Bench, mode: str) -> None:
    files: dict[str, str | bytes] = {f"n{n}.md": f"# N{n}\n\nerr token expired number {n}\n" for n in range(6)}
    files["code.md"] = "# Codes\n\n" + "words words words " * 20 + "ERR_TOKEN_EXPIRED\n"
    files["dec.md"] = "# Log\n\n" + "words words words " * 20 + "see DEC-0054 and 1.0.21 and /api/embed\n"
    the = bench(files, mode)
    assert "code.md" in the.paths("ERR_TOKEN_EXPIRED")
    for question in ("DEC-0054", "1.0.21", "/api/embed"):
        assert the.paths(question)[0] == "dec.md", question


def test_a_question_that_is_a_title_alias_or_file_name_brings_that_note_first(bench: Bench, mode: str) -> None:
    files: dict[str, str | bytes] = {f"n{n}.md": f"# N{n}\n\nsession policy session policy {n}\n" for n in range(6)}
    files["login-rules.md"] = note("# How long people stay\n\nhalf an hour", aliases="[session policy]")
    the = bench(files, mode)
    for question in ("Session  Policy", "how long people stay", "login-rules.md", "login-rules"):
        assert the.paths(question)[0] == "login-rules.md", question


def test_a_question_that_names_a_hidden_record_always_says_so(bench: Bench, mode: str) -> None:
    the = bench({
        "adr/0012-old.md": note("# ADR-0012: Old\n\nlighthouse", superseded_by="0034-new.md"),
        "adr/0034-new.md": note("# ADR-0034: New\n\nsomething else", date="2026-03-01"),
    }, mode)  # fmt: skip
    for question in ("ADR-0012", "what did adr 12 decide", "0012-old.md", "ADR-0012: Old"):
        answer = the.ask(question)
        assert answer.notices[0] == "ADR-0012 is superseded by ADR-0034 (2026-03-01)", question
        assert answer.hidden_records[0].path == "adr/0012-old.md"


def test_a_rejected_record_answers_why_not_below_what_holds(bench: Bench) -> None:
    the = bench({
        "no.md": note("# No\n\nlighthouse keepers get a boat", status="rejected", date="2026-01-02"),
        "yes.md": "# Yes\n\nlighthouse keepers get a bicycle and a boat now and then when it rains\n",
    })  # fmt: skip
    the.with_rules(relative_cutoff=0.0)
    hits = the.ask("lighthouse keepers get a boat").hits
    assert [hit.section.path for hit in hits] == ["yes.md", "no.md"]
    assert hits[1].standing == "REJECTED 2026-01-02: describes what was not done"


def test_templates_are_kept_out(bench: Bench, mode: str) -> None:
    the = bench({"t.md": note("# Form\n\nlighthouse keepers", status='"{proposed | accepted | rejected}"')}, mode)
    assert the.ask("lighthouse keepers").hits == ()
    assert "template" in [problem.code for problem in the.listed("t.md").problems]


def test_tags_narrow(bench: Bench, mode: str) -> None:
    the = bench({
        "a.md": note("# A\n\nlighthouse keepers here", tags="[auth/web]"),
        "b.md": note("# B\n\nlighthouse keepers there", tags="[billing]"),
    }, mode)  # fmt: skip
    assert the.paths("lighthouse keepers", tags=("#Auth",)) == ["a.md"]
    assert set(the.paths("lighthouse keepers", tags=("auth", "billing"))) == {"a.md", "b.md"}


def test_lexical_mode_wants_half_of_the_question(bench: Bench) -> None:
    files: dict[str, str | bytes] = {f"n{n}.md": f"# N{n}\n\nplain filler text number{n}\n" for n in range(10)}
    files["a.md"] = "# A\n\nlighthouse keepers walk\n"
    the = bench(files, "words")
    (hit,) = the.ask("lighthouse keepers dance").hits
    assert (hit.label, hit.score) == ("exact", None)
    answer = the.ask("lighthouse zebras dance slowly")
    assert answer.message == "No relevant results (lexical search only; the vault holds 1 of 4 words)."
    assert (answer.threshold, answer.best_rejected, answer.index.mode) == (None, None, "lexical")


def test_words_are_used_when_the_model_is_down(bench: Bench) -> None:
    the = bench(OLD_AND_NEW)
    assert the.embedder is not None
    the.embedder.down = True
    answer = the.ask("token lifetime")
    assert [hit.section.path for hit in answer.hits] == ["new.md"]
    assert answer.index.mode == "lexical (embedder unavailable)"
    assert "cannot reach the fake embedder; switch it on" in answer.notices[0]


def test_case_41_another_model_is_refused(bench: Bench) -> None:
    the = bench(OLD_AND_NEW)
    the.embedder = FakeEmbedder(Model(name="another", dimensions=256))
    with pytest.raises(IndexMismatch, match="fake"):
        the.ask("token lifetime")


def test_case_41_vectors_of_another_form_are_not_compared(bench: Bench) -> None:
    the = bench(OLD_AND_NEW)
    the.embedder = FakeEmbedder(Model(name="fake", dimensions=256, query_prefix="query: "))
    assert the.ask("token lifetime").index.mode == "lexical (embedder unavailable)"


def test_case_11_an_untested_model_is_said(bench: Bench) -> None:
    the = bench(OLD_AND_NEW, "model", Model(name="fake", dimensions=256, known=False))
    answer = the.ask("token lifetime")
    assert answer.index.threshold_source == "fallback"
    assert any("never tested" in notice for notice in answer.notices)


def test_centred_scores_answer_from_the_first_note(bench: Bench) -> None:
    the = bench(OLD_AND_NEW, "model", Model(name="fake", dimensions=256, score="centred", min_score=0.2))
    answer = the.ask("bread is baked in the morning")
    assert [hit.section.path for hit in answer.hits] == ["other.md"]
    assert answer.index.score == "centred"


def test_an_empty_question_is_refused(bench: Bench, mode: str) -> None:
    with pytest.raises(UsageError):
        bench(OLD_AND_NEW, mode).ask("  ")


@pytest.mark.parametrize(
    "question", ["*", '"', "C++", "AND OR NOT", "(((", "a\0b", "\ud800", "x" * 100_000, "?!", "的"]
)
def test_case_14_no_question_is_an_error(bench: Bench, mode: str, question: str) -> None:
    the = bench(OLD_AND_NEW, mode)
    assert len(the.ask(question).query) <= 300


def test_case_32_the_same_paragraph_in_two_notes_is_one_hit(bench: Bench, mode: str) -> None:
    text = "## Rules\n\nlighthouse keepers sleep at noon\n"
    the = bench({"a.md": text, "b.md": text}, mode)
    (hit,) = the.ask("lighthouse keepers sleep at noon").hits
    assert {hit.section.path, *hit.also_in} == {"a.md", "b.md"}


def test_case_31_boilerplate_is_not_found(bench: Bench, mode: str) -> None:
    files: dict[str, str | bytes] = {
        f"n{n}.md": note(f"# N{n}\n\nword{n}", status="accepted", updated="2026-01-01", tags="[update]")
        for n in range(50)
    }
    assert bench(files, mode).ask("update").hits == ()


def test_sections_without_a_vector_yet_compete_by_words(bench: Bench) -> None:
    the = bench({f"n{n}.md": f"# N{n}\n\nword{n} more{n} still{n} of{n}\n" for n in range(3)})
    assert the.embedder is not None
    the.embedder.down = True
    the.vault.write("late.md", "# Late\n\nlighthouse keepers sleep at noon\n")
    the.index()
    the.embedder.down, the.automatic = False, False
    answer = the.ask("when do lighthouse keepers sleep")
    assert [(hit.section.path, hit.label) for hit in answer.hits] == [("late.md", "exact")]
    assert any("3 of 4 sections are searchable by meaning" in notice for notice in answer.notices)


def test_a_scope_that_nothing_fits_is_told(bench: Bench, mode: str) -> None:
    the = bench({"docs/a.md": note("# A\n\nlighthouse keepers", tags="[auth]")}, mode)
    answer = the.ask("lighthouse keepers", within=("nosuch",), tags=("auth", "none"))
    assert answer.hits == ()
    assert answer.notices[:2] == ("no folder or note is called 'nosuch'; folders: docs", "no note has the tag 'none'")
    assert the.ask("lighthouse keepers", within=("docs",), tags=("auth",)).notices == ()


def test_a_folder_that_is_to_be_left_out_and_is_not_there_is_told(bench: Bench, mode: str) -> None:
    the = bench({"docs/a.md": "# Tea\n\nlighthouse keepers drink tea\n"}, mode)
    assert the.ask("lighthouse keepers", exclude=("dosc",)).notices[0].startswith("no folder or note is called 'dosc'")
    assert not the.ask("lighthouse keepers", exclude=("docs/a.md",)).notices


@pytest.mark.parametrize("question", ["ADR-0034", "adr 34", "0034", "ADR34"])
def test_a_record_is_found_by_its_number_as_references_name_it(bench: Bench, mode: str, question: str) -> None:
    files: dict[str, str | bytes] = {f"n{n}.md": f"# N{n}\n\nadr policy {n}\n" for n in range(6)}
    files["decisions/0034-short-sessions.md"] = "# Sessions last half an hour\n\npeople log in often\n"
    assert bench(files, mode).paths(question)[0] == "decisions/0034-short-sessions.md"


CAREFUL = replace(FAKE_MODEL, min_score=0.1, min_confidence=0.53, relative_cutoff=0.6)
"""A model for which it was tested how far an answer must be believed."""
HARBOUR: dict[str, str | bytes] = {
    "cranes.md": "# Cranes\n\nthe harbour crane lifts steel and timber at high tide\n",
    "rope.md": "# Rope\n\nhemp rope is tarred in spring by the harbour apprentices\n",
    "flag.md": "# Flag\n\nSECRET_FLAMINGO opens the harbour gate at high tide\n",
    **{f"x{n}.md": f"# X{n}\n\nbread number {n} is baked in oven {n}\n" for n in range(30)},
}


def test_a_neighbour_with_a_high_score_is_no_answer_to_what_is_named_and_stands_nowhere(bench: Bench) -> None:
    the = bench(HARBOUR, model=CAREFUL)
    assert the.paths("SECRET_FLAMINGO opens the harbour gate at high tide")[:1] == ["flag.md"]
    answer = the.ask("SECRET_PELICAN opens the harbour gate at high tide")
    assert answer.hits == ()
    assert answer.best_rejected is not None and answer.best_rejected > 0.6
    assert answer.confidence is not None and answer.confidence.absent == ("SECRET_PELICAN",)
    assert answer.message.endswith("threshold 0.10). Nothing is called SECRET_PELICAN.")


ADR_7 = {**HARBOUR, "decisions/0007-night-gate.md": "# The gate stays shut\n\nbarges wait for the morning\n"}


@pytest.mark.parametrize("name", ["ADR-7", "ADR 7", "ADR-0007", "0007-night-gate.md", "decisions/0007-night-gate.md"])
def test_what_a_record_is_called_stands_somewhere_though_no_text_holds_it(bench: Bench, mode: str, name: str) -> None:
    the = bench(ADR_7, mode, CAREFUL)
    answer = the.ask(f"what does {name} say about barges")
    assert answer.hits[0].section.path == "decisions/0007-night-gate.md"
    assert answer.confidence is None or answer.confidence.absent == ()


def test_a_name_means_a_record_however_many_sections_it_has(bench: Bench) -> None:
    sections = "".join(f"## Part {n}\n\nlanterns of tier {n}\n\n" for n in range(9))
    the = bench({**HARBOUR, "decisions/0007-gate.md": f"# Gate\n\n{sections}"}, model=CAREFUL)
    assert set(the.paths("does ADR-0007 tell why quiet reigns")) == {"decisions/0007-gate.md"}


def test_a_dead_records_name_is_not_said_to_stand_nowhere(bench: Bench) -> None:
    files = {
        **HARBOUR,
        "decisions/0003-tar.md": note("# Tar\n\nropes are tarred by hand", superseded_by="rope.md"),
    }
    answer = bench(files, model=CAREFUL).ask("what does 0003-tar.md say on submarines")
    assert answer.confidence is not None and answer.confidence.absent == ()
    assert [(hit.section.path, hit.via and hit.via.path) for hit in answer.hits] == [
        ("rope.md", "decisions/0003-tar.md")
    ]
    assert [record.path for record in answer.hidden_records] == ["decisions/0003-tar.md"]


def test_common_words_do_not_overrule_what_is_lacking(bench: Bench) -> None:
    the = bench(HARBOUR, model=CAREFUL)
    question = "which harbour pays customs duty on imported porcelain"
    assert the.paths(question) == []
    found = the.ask(question)
    assert found.confidence is not None and 0 < found.confidence.value < 0.53
    assert found.best_rejected is not None and found.best_rejected > 0.1
    assert the.with_rules(min_score=0.1).paths(question) != []


def test_a_dead_record_stands_behind_an_answer_only_if_it_could_be_believed(bench: Bench) -> None:
    files = {
        **HARBOUR,
        "old.md": note("# Old\n\nthe harbour was dredged by hand", status="superseded", superseded_by="new.md"),
        "new.md": "# New\n\nthe harbour is dredged by machines\n",
    }
    the = bench(files, model=CAREFUL)
    assert the.ask("which harbour pays customs duty on imported porcelain").hidden_records == ()
    assert [each.path for each in the.ask("was the harbour dredged by hand").hidden_records] == ["old.md"]


def test_a_word_counts_less_in_a_long_note(bench: Bench) -> None:
    sections = "".join(f"## Part {n}\n\nsoup {n} needs salt, an onion and patience number {n}\n\n" for n in range(40))
    files = {**HARBOUR, "long.md": f"# Kitchen\n\n{sections}## Barrels\n\noak barrels swell\n",
             "short.md": "# Cooper\n\noak barrels swell\n"}  # fmt: skip
    assert bench(files, model=CAREFUL).paths("oak barrels swell overnight")[:1] == ["short.md"]


@pytest.mark.parametrize(
    ("question", "foreign"),
    [
        ("wie wird der harbour crane bezahlt", True),
        ("the harbour crane is at the gate", False),
        ("porcelain", True),
        ("港口的起重机 crane", True),
        ("港口", True),
        ("crane", False),
    ],
)
def test_a_question_in_a_language_that_the_vault_does_not_speak(bench: Bench, question: str, foreign: bool) -> None:
    more = {f"y{n}.md": f"# Y{n}\n\nthe crew is paid by the hour and the ton {n}\n" for n in range(30)}
    found = bench({**HARBOUR, **more}, model=CAREFUL).ask(question)
    assert found.confidence is not None
    assert (found.confidence.alone is not None) is foreign


@pytest.mark.parametrize(("question", "foreign"), [("급여 인상", False), ("給与の改定", True), ("salary", True)])
def test_a_small_vault_speaks_its_own_language(bench: Bench, question: str, foreign: bool) -> None:
    files: dict[str, str | bytes] = {"휴가.md": "# 휴가\n\n휴가는 인사 시스템에서 신청합니다.\n"}
    found = bench(files, model=CAREFUL).ask(question)
    assert found.confidence is not None and (found.confidence.alone is not None) is foreign


@pytest.mark.parametrize("question", ["ADR-1", "ADR-0001", "0001-use-redis"])
def test_the_name_of_a_superseded_record_brings_its_successor_first(bench: Bench, mode: str, question: str) -> None:
    citing: dict[str, str | bytes] = {
        f"00{n}-topic.md": f"# ADR-00{n}: Topic {n}\n\nThis follows ADR-1 in spirit, as for thing {n}.\n"
        for n in range(10, 24)
    }
    files: dict[str, str | bytes] = {
        **citing,
        "0001-use-redis.md": note("# ADR-0001: Use Redis\n\nsessions in redis", status="superseded by ADR-0005"),
        "0005-use-files.md": note("# ADR-0005: Use files\n\nsessions in files", status="superseded by ADR-0007"),
        "0007-use-postgres.md": note("# ADR-0007: Use Postgres\n\nrows and tables", status="accepted"),
    }
    answer = bench(files, mode).ask(question, limit=3)
    assert answer.hits[0].section.path == "0007-use-postgres.md"
    assert answer.hits[0].via is not None
    assert answer.hits[0].via.chain == ("0001-use-redis.md", "0005-use-files.md", "0007-use-postgres.md")
    assert "0001-use-redis.md" in [record.path for record in answer.hidden_records]
    assert "0001-use-redis.md" not in [hit.section.path for hit in answer.hits]
