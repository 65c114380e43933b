"""How people write what a record is: keys, status words, phrases. One row a spelling; the code is elsewhere.

Words are folded before they are looked up: case, emphasis and marks are gone, `-` and `_` are spaces.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from docs_rag.core.status import Status


class Role(Enum):
    """What a key tells of a record."""

    STATUS = auto()
    SUCCESSOR = auto()
    """What replaced the record."""
    PROPOSED = auto()
    """What may replace it: counts once the record is no longer in force."""
    PARTIAL = auto()
    """What replaced parts of it."""
    REASON = auto()
    """Prose on why it was given up, which may name what came instead."""
    CLAIM = auto()
    """What the record replaced."""
    PARTIAL_CLAIM = auto()
    """What the record replaced parts of."""
    FLAG = auto()
    """A state as a key of its own: `archived: true`."""
    DATE = auto()
    SINCE = auto()
    """When it was superseded."""
    ID = auto()


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_KEY_ROWS: Final = (
    (Role.STATUS, "status stage documentstatus adrstatus decisionstatus recordstatus currentstatus lifecyclestatus"),
    (Role.STATUS, "상태 문서상태 状态 狀態 状態 ステータス"),
    (Role.SUCCESSOR, "supersededby supercededby superceededby replacedby obsoletedby deprecatedby supplantedby"),
    (Role.SUCCESSOR, "supersededwith replacedwith successor successors replacement"),
    (Role.SUCCESSOR, "대체한adr 대체한문서 대체문서 被取代于 被取代於 被替代 後継"),
    (Role.PROPOSED, "proposedreplacement nextproposal 후속 후속문서 后续 後續"),
    (Role.PARTIAL, "partiallysupersededby partlysupersededby partiallyreplacedby partlyreplacedby"),
    (Role.REASON, "withdrawalreason withdrawnreason deprecationreason rejectionreason archivereason"),
    (Role.CLAIM, "supersedes supercedes superceeds replaces obsoletes 取代 대체대상"),
    (Role.PARTIAL_CLAIM, "partiallysupersedes partlysupersedes partiallyreplaces partlyreplaces partiallyobsoletes"),
    (Role.SINCE, "supersededon supersededat supersededdate datesuperseded replacedon replacedat supersededsince"),
    (Role.ID, "id adr adrid rfc rfcid eip erc bip cip fip nip sip simd kep pep nep dep cap sep lip hip"),
    (Role.ID, "number adrnumber rfcnumber decisionid decisionnumber recordid docid documentid wsid"),
)

DECIDED_KEYS: Final = _words(
    "date decisiondate dateofdecision datedecided decided decidedon decidedat accepteddate acceptedon acceptedat"
    " dateaccepted adopted adoptedon ratified approvedon approvedat effective effectivedate effectivefrom published"
    " publishedon publisheddate publishdate 결정일 날짜 決定日 日付 日期"
)
"""Keys of the day on which a record took effect, the strongest first."""

MADE_KEYS: Final = _words(
    "created createdon createdat createddate creationdate datecreated started startdate issued 작성일 作成日 创建日期"
    " updated updatedon updatedat lastupdated lastupdate modified modifiedat lastmodified lastreviewed revised"
    " statuslastreviewed 更新日"
)
"""Keys of the day on which a note was made or touched: its date for want of a better one."""

DATE_RANK: Final = {key: rank for rank, key in enumerate((*DECIDED_KEYS, *MADE_KEYS))}

FLAGS: Final = {
    "superseded": Status.SUPERSEDED,
    "replaced": Status.SUPERSEDED,
    "archived": Status.ARCHIVED,
    "deprecated": Status.ARCHIVED,
    "obsolete": Status.ARCHIVED,
    "outdated": Status.ARCHIVED,
    "retired": Status.ARCHIVED,
    "rejected": Status.REJECTED,
    "withdrawn": Status.REJECTED,
    "draft": Status.DRAFT,
}
"""Keys that hold a state by being true."""

KEYS: Final[dict[str, Role]] = {
    **{key: role for role, keys in _KEY_ROWS for key in keys.split()},
    **dict.fromkeys(DATE_RANK, Role.DATE),
    **dict.fromkeys(FLAGS, Role.FLAG),
}
"""Folded key -> what it tells."""

NAMED_SECTIONS: Final[dict[str, Role]] = {
    **dict.fromkeys(_words("status adrstatus decisionstatus recordstatus currentstatus documentstatus"), Role.STATUS),
    **dict.fromkeys(_words("statusofthisdocument statusofthisdecision statusofthisadr statusofthisrfc"), Role.STATUS),
    **dict.fromkeys(_words("상태 状态 狀態 ステータス"), Role.STATUS),
    **dict.fromkeys(
        _words("supersededby supercededby replacedby obsoletedby 대체한문서 被取代于 後継"), Role.SUCCESSOR
    ),
    **dict.fromkeys(_words("supersedes supercedes replaces obsoletes 取代 대체대상"), Role.CLAIM),
    **dict.fromkeys(_words("date decisiondate dateofdecision 날짜 결정일 日付 決定日 日期"), Role.DATE),
}
"""Folded headings over a section that is metadata."""

PREAMBLE_SECTIONS: Final = frozenset(("preamble", "header", "metadata"))
"""Folded headings over a fence that is metadata."""

METADATA_SECTIONS: Final = frozenset(
    _words("preamble header metadata meta lifecycle documentcontrol documentinformation documentinfo adrmetadata")
    + _words("recordinformation 메타데이터 문서정보 元数据 元資料 文档信息 メタデータ 文書情報")
)
"""Folded headings over a first section that belongs to the head."""

UNSURE_KEYS: Final = frozenset(_words("stage 状態 successor successors replacement supersededwith replacedwith"))
"""Keys that in a note's own text may speak of anything: believed when the value leaves no doubt."""

SHY_KEYS: Final = frozenset(_words("state lifecycle"))
"""Keys that in a note's own text are a status where they say that the record was superseded, and else anything."""

YES: Final = frozenset(("true", "yes", "on", "y", "1", "x"))
"""Values that raise a flag, folded."""

_EMPTY_ROWS: Final = (
    ("", "~", "null", "nil", "none", "[]", "{}", '""', "''", "-", "--", "–", "—", "?", "…", "..."),
    ("n/a", "na", "n.a.", "not applicable", "unknown", "tbd", "tba", "todo", "xxx"),
    ("yyyy-mm-dd", "yyyymmdd", "yyyy/mm/dd"),
    ("없음", "해당 없음", "해당없음", "无", "無", "なし"),
)
EMPTY: Final = frozenset(value for row in _EMPTY_ROWS for value in row)
"""Values that say nothing, folded."""

NOTHING: Final = (
    r"(?:-+|[–—~]|null|nil|n/?\.?a\.?|no|none|nothing|nobody|no one|not (?:yet|superseded|replaced|applicable|known)"
    r"|없음|해당 ?없음|아직 없음|无|無|暂无|なし|未定)(?: yet| so far| known)?\s*(?:[,;(（–—-].*)?"
)
"""A value that names no record although its key asks for one: a regular expression over the whole."""

NO: Final = frozenset(("false", "no", "off", "n", "0"))
"""Values that deny a flag, folded."""

BOOLEANS: Final = frozenset(("true", "yes", "false", "no"))
"""Values that are no reference, folded; `1` may well be one."""

_WORD_ROWS: Final = (
    (Status.CURRENT, "accepted, approved, adopted, agreed, ratified, decided, resolved, confirmed, endorsed"),
    (Status.CURRENT, "final, living, active, current, valid, stable, standard, live, in force, in effect, effective"),
    (Status.CURRENT, "implemented, implementable, deployed, released, shipped, merged, activated, enacted, done"),
    (Status.CURRENT, "complete, completed, finished, published, recommended, enabled, ready for release, mature"),
    (Status.DRAFT, "draft, drafting, proposed, proposal, provisional, idea, concept, open, pending, planned, wip"),
    (Status.DRAFT, "review, reviewing, in review, under review, active review, for review, needs review, last call"),
    (Status.DRAFT, "in discussion, under discussion, discussion, in progress, work in progress, request for comments"),
    (Status.DRAFT, "deferred, postponed, on hold, undecided, exploring, todo, not started, tentative, pre draft"),
    (Status.REJECTED, "rejected, declined, refused, denied, vetoed, withdrawn, returned for revision, cancelled"),
    (Status.REJECTED, "canceled, wontfix, won't fix, won't do, not accepted, not adopted, not approved"),
    (Status.ARCHIVED, "archived, deprecated, obsolete, obsoleted, retired, abandoned, expired, stagnant, stalled"),
    (Status.ARCHIVED, "moved, closed, inactive, discontinued, removed, outdated, historic, historical, legacy, sunset"),
    (Status.ARCHIVED, "decommissioned, unmaintained, revoked, repealed, lapsed, dropped"),
    (Status.ARCHIVED, "no longer in force, no longer in effect, no longer in use, no longer used, no longer valid"),
    (Status.ARCHIVED, "no longer applicable, no longer applies, no longer relevant, no longer current"),
    (Status.ARCHIVED, "no longer active, no longer recommended, no longer maintained, no longer supported"),
    (Status.SUPERSEDED, "superseded, superceded, superceeded, superseeded, supersceded, replaced, superseded by"),
    (Status.SUPERSEDED, "obsoleted by, supplanted by, overridden by, overruled by, subsumed by, reversed by"),
    (Status.SUPERSEDED, "overturned by, invalidated by, revoked by"),
)

WORDS: Final[dict[str, Status]] = {
    phrase.strip(): status for status, phrases in _WORD_ROWS for phrase in phrases.split(",")
}
"""Status words of scripts with spaces, up to `WORDS_LONGEST` words each; the longest that fits decides."""

WORDS_LONGEST: Final = max(phrase.count(" ") + 1 for phrase in WORDS)

_STEM_ROWS: Final = (
    (Status.CURRENT, "승인 채택 확정 결정됨 결정 적용 시행 유효 완료 수락"),
    (
        Status.CURRENT,
        "承認 採用 採択 決定 有効 完了 実装済み 已接受 已采纳 已採納 已批准 已核准 已通过 已通過 已决定 已決定",
    ),
    (Status.CURRENT, "已实施 已實施 已完成 已采用 已採用 已确定 接受 采纳 採納 生效 通过 通過 现行 現行"),
    (
        Status.DRAFT,
        "제안 초안 검토 보류 논의 작성중 미정 提案 提议 提議 建议 建議 草稿 草案 下書き ドラフト 検討中 レビュー",
    ),
    (Status.DRAFT, "审核中 審核中 讨论中 討論中 待定 进行中 進行中 延期 保留"),
    (
        Status.REJECTED,
        "기각 거절 거부 반려 철회 취소 却下 否決 撤回 取り下げ 已拒绝 已拒絕 已否决 已撤回 已驳回 拒绝 拒絕 驳回",
    ),
    (
        Status.ARCHIVED,
        "사용_중단 더_이상_유효하지_않 더_이상_사용하지_않",
    ),
    (
        Status.ARCHIVED,
        "폐기 폐지 만료 보관 사용중단 구버전 실효 중단 廃止 非推奨 失効 アーカイブ 已废弃 已廢棄 废弃 廢棄 作废",
    ),
    (Status.ARCHIVED, "已归档 归档 已過期 已过期 过期 失效 已失效 已弃用 弃用 停用 已停用"),
    (
        Status.SUPERSEDED,
        "대체됨 대체된 대체되 교체됨 置換 置き換え 差し替え 已取代 已被取代 被取代 已替代 已被替代 被替代 已替换",
    ),
)

STEMS: Final[tuple[tuple[str, Status], ...]] = tuple(
    sorted(
        ((stem.replace("_", " "), status) for status, stems in _STEM_ROWS for stem in stems.split()),
        key=lambda row: -len(row[0]),
    )
)
"""Status words of scripts that glue endings on, the longest first; a segment begins with one."""

ADVERBS: Final = frozenset(
    _words("now later since then already subsequently fully entirely completely wholly formally officially")
)
"""Words before a status word that change nothing."""

PARTLY: Final = frozenset(("partly", "partially", "mostly", "largely"))
"""Words before a status word that leave the record in force."""

ENUMERATION: Final = 3
"""A line that holds so many status words in a row lists what a status can be and is none."""

RECORD_WORDS: Final = r"adr|decision(?: record)?|rfc|dr|dec|record|entry|결정|決定|决定|決策|决策"
"""Words that with a number call a decision, in any case: a regular expression."""

NO_RECORD_WORDS: Final = frozenset(
    _words("option alternative step phase chapter part section appendix table figure sprint week day version v release")
    + _words("question q problem issue task scenario example case stage level tier round iteration milestone goal h")
)
"""Words that with a number call something else than a record, folded."""
