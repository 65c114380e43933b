"""Everyday words of English: verbs, adverbs and the like that anybody may use to ask for anything.

A question in other words than the notes' is full of them, and one that stands nowhere in a vault says nothing of what
the vault holds. One that does stand somewhere is a word like any other. Other languages have no such list yet: there
every word that stands nowhere speaks against an answer.
"""

from __future__ import annotations

from typing import Final

_WORDS: Final = """
    able accept across act actually add afraid ago agree ahead alive allow allowed almost alone along already
    alright although always among amount angry another answer anybody anymore anyone anything anyway apart appear
    around arrive arrived ask asked asking asks away back bad basically bear became become becomes began begin
    begins behind believe belong beside besides best better beyond big bit bother break bring brings broke brought
    busy call called calling calls came care careful carried carry case catch caught cause certain certainly chance
    change changed changes check choice choose chose chosen clear clearly close closed come comes coming common
    completely concerned consider continue cool correct couple course cover cut dangerous day days dead deal dear
    decide decided deep depend died differ difference different difficult doubt dozen dozens draw drive drop early
    easily easy eat empty end ended enjoy enough entire especially even evening eventually everybody everyone
    everything everywhere exactly example except expect extra fact fail fairly fall false far fast fear feel feels
    fell felt fight fill final finally finds fine finish finished first fit fix fixed follow followed following
    forever forget forgot former forward found free front full fully fun funny future gave general generally getting
    gives giving glad going gone good gotten great ground grow guess half happen happened happening happens happy
    hard hardly hate hear heard heavy held hello help helped helps herself hey hi high higher himself hit hold home
    hope hour hours human idea ideas imagine important indeed inside instead interested job keep keeps kept knew
    know known knows large last late lately later latest laugh lay lead learn least leave leaves leaving led left
    less lets letting lie life light liked likely likes listen little live lived lives living long longer look
    looked looking looks lose lost lot lots love low lower mad main mainly making matter matters maybe mean means
    meant meanwhile meet mention met middle mind minute minutes miss missed missing mistake moment month months
    morning mostly move moved moves moving myself nearby nearly necessary needed needs never new news next nice
    night nobody none normal normally note nothing notice nowadays nowhere obvious obviously occur odd offer oh ok
    okay old older ones onto open opened opposite ordinary others otherwise ought ourselves outside pair part
    particular parts pass passed past perfect perhaps pick picked picture piece pieces place places plain plan play
    plenty point poor possible possibly prefer pretty previous probably problem problems proper properly prove
    provide pull push put puts putting quick quickly quiet quit quite ran reach reached read ready real realise
    realize really reason reasons receive recent recently regard remain remember remove repeat reply rest result
    return right ring rise round run running runs safe said sake sat save saw say saying says school second see seem
    seemed seems seen self send sense sent separate serious seriously set sets setting settle several short showed
    shown shows shut side similar simple simply single sit situation size slow slowly small smaller somebody somehow
    sometimes somewhat somewhere soon sooner sorry sort sound speak special spoke stand start started starts stay
    stayed step stood stop stopped straight strong stuff stupid sudden suddenly suggest suppose supposed sure surely
    surprise take taken takes taking talk talked talking telling tells tend term thank thanks themselves therefore
    think thinking thinks third though thought three threw throughout tied till time times tired today together told
    tomorrow tonight took top touch toward towards treat tried tries trouble true truly try trying turned turning
    twice two type typical typically understand unfortunately unless unlike unusual useful usual usually various
    wait waiting wanted wanting watch ways week weeks went whatever whenever wherever whichever whoever whole wide
    win wish wonder wont word words work worked working works worry worse worst worth write wrong wrote yeah year
    years yesterday young yourself
"""

EVERYDAY_WORDS: Final = frozenset(_WORDS.split())
"""Lower case, without the stop words, which no question is searched for."""
