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
    FLAG = auto()
    """A state as a key of its own: `archived: true`."""
    DATE = auto()
    SINCE = auto()
    """When it was superseded."""
    ID = auto()


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_KEY_ROWS: Final = (
    (Role.STATUS, "status stage documentstatus adrstatus 상태 문서상태 状态 狀態 ステータス"),
    (Role.SUCCESSOR, "supersededby supercededby superceededby replacedby obsoletedby deprecatedby supplantedby"),
    (Role.SUCCESSOR, "supersededwith replacedwith successor successors replacement"),
    (Role.SUCCESSOR, "대체한adr 대체한문서 被取代于 被取代於 被替代 後継"),
    (Role.PROPOSED, "proposedreplacement nextproposal"),
    (Role.PARTIAL, "partiallysupersededby partlysupersededby partiallyreplacedby partlyreplacedby"),
    (Role.REASON, "withdrawalreason withdrawnreason deprecationreason rejectionreason archivereason"),
    (Role.CLAIM, "supersedes supercedes superceeds replaces obsoletes 取代 대체대상"),
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
    **dict.fromkeys(_words("status adrstatus decisionstatus recordstatus 상태 状态 狀態 ステータス"), Role.STATUS),
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

UNSURE_KEYS: Final = frozenset(_words("stage successor successors replacement supersededwith replacedwith"))
"""Keys that in a note's own text may speak of anything: believed when the value leaves no doubt."""

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
    (Status.SUPERSEDED, "obsoleted by, supplanted by, overridden by, overruled by, subsumed by"),
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
        ((stem, status) for status, stems in _STEM_ROWS for stem in stems.split()),
        key=lambda row: -len(row[0]),
    )
)
"""Status words of scripts that glue endings on, the longest first; a segment begins with one."""

LATER_STEMS: Final = (
    r"(?<![未不])被[^。;()]{0,200}(?:取代|替代)|(?<![未不])替代(?!方案)"
    r"|(?:により|によって|に)(?:置換|置き換え|差し替え)|(?:으로|로)\s*대체(?!하지|안)|대체됨"
)
"""Supersession that Chinese, Japanese and Korean say at the end of a segment: a regular expression."""

ADVERBS: Final = frozenset(
    _words("now later since then already subsequently fully entirely completely wholly formally officially")
)
"""Words before a status word that change nothing."""

PARTLY: Final = frozenset(("partly", "partially", "mostly", "largely"))
"""Words before a status word that leave the record in force."""

ENDED: Final = r"(?:supers?c?ee?ded|replaced|deprecated|obsoleted?|retired|대체|폐기|取代|替代|置換|廃止|废弃|廢棄)"

_PARTS: Final = r"\b(?:part(?:ly|ially)|mostly|largely|in (?:part|parts|places)|(?:some )?parts? of)\b"
_PIECES: Final = r"\b(?:components?|sections?|portions?|pieces)\b[^.;,]{0,30}\b(?:is|are|was|were)\b"

PARTIAL: Final = (
    rf"(?:{_PARTS}|{_PIECES})[^.;,]{{0,60}}?{ENDED}|{ENDED}[\s(]*{_PARTS}"
    rf"|(?:일부|부분|部分|一部).*{ENDED}|{ENDED}.*(?:일부|부분|部分|一部)"
)
"""A segment that says that parts of the record are no longer in force: a regular expression."""

BRACKETED_PARTS: Final = rf"\(\s*({_PARTS})\s*\)"
"""A remark in brackets that belongs to the word before it."""

PARTS_ONLY: Final = rf"{_PARTS}|\bonly\b|일부|부분|部分|一部"
"""A remark on a reference that is about parts: a regular expression."""

DATED_END: Final = rf"(?:{ENDED}|withdrawn|rejected|archived|closed|inactive|abandoned|moved|merged|失効|폐지|失效)"
"""Words beside which the day of a record's end stands: a regular expression."""

DECIDING: Final = (
    r"\b(?:accepted|approved|proposed|adopted|agreed|decided|implemented|created|drafted|draft|reviewed|updated|final)\b"
    r"|승인|결정|제안|채택|承認|採用|提案|接受|批准|采纳"
)
"""Words beside which another day stands: a regular expression."""

MENTION: Final = r"supers?c?ee?ded|replaced|대체|取代|替代|置換"
"""What a status of a record in force ought to begin with if it were meant: a regular expression."""

_SUPERSEDED: Final = r"\b(?:supers?c?ee?ded|replaced|obsoleted|overridden|overruled|succeeded|supplanted|subsumed)"
_BETWEEN: Final = r"(?:[\s:,(\d–—-]|\b(?:on|in|as|of|part|parts|places|partially|partly|since|[A-Z][a-z]{2})\b)*+"

BY: Final = rf"{_SUPERSEDED}{_BETWEEN}[)\]\s]*\b(?:by|with)\b:?"
"""What comes after it replaced the record."""

VOID: Final = rf"{_SUPERSEDED}\s+by\b[\s:*_`\"']*(?:{NOTHING})[*_`\"']*(?=\s*(?:$|[\n.;,)]))"
"""A phrase that names nothing: `superseded by: none`."""

TOWARDS: Final = rf"{_SUPERSEDED}[\s,.:–—-]*(?:→|->|=>|\bsee\b(?: also)?:?|:|(?=\[|`))"
"""Looser forms that point at the successor of a record which is superseded by its own word."""

_TURNING: Final = r"(?:and|but|now|later|since|then|subsequently|meanwhile|has been|is|was|been)"

TURN: Final = rf"(?:\s*[,/–—]\s*(?:{_TURNING}\s+)*+|\s+(?:{_TURNING}\s+)++)(?={_SUPERSEDED})"
"""Before the words of the end, within a segment that began otherwise: `Accepted, later superseded by ADR-7`."""

INSTEAD: Final = (
    r"\bin favou?r of\b|\bprefers?\b|\bdeprecated by\b"
    r"|\b(?:use|see|read|follow|prefer)\b(?=[^;\n]{0,200}\binstead\b)"
    r"|\b(?:moved|merged|folded|incorporated|integrated|absorbed|consolidated|rolled|migrated|split)"
    r" (?:in ?to|to|with|in|by)\b|\b(?:better )?(?:implemented|covered|handled) (?:with|by|in)\b"
)
"""What comes after it stands in place of a record that is no longer in force."""

GLUED: Final = r"取代|替代|(?:により|によって|に)\s*(?:置換|置き換え|統合)|(?:으로|로)\s*대체"
"""Verbs that follow the successor they speak of."""

PREFERENCE: Final = (
    r"supers?c?ee?d|replac|obsolet|in favou?r|prefer|pursu|instead|subsum|supplant|documented in|duplicate"
    r"|\b(?:use|see|read|follow|prefer)\b(?=[^;\n]{0,200}\binstead\b)"
    r"|\b(?:moved|merged|folded|incorporated|integrated|absorbed|consolidated|migrated|split|continued)\b"
    r"|\b(?:implemented|covered|handled|addressed|solved) (?:with|by|in)\b|대체|取代|替代|置換|統合"
)
"""A sentence on why a record was given up names its successor when one of these stands in it."""

CLAIMING: Final = r"(?:^|[\n;(（,]|[.。]\s|\band\s)\W*(?:supers?c?ee?de?s|replaces|obsoletes)\b:?"
"""Begins a segment of a status that names what the record replaced."""

UNDECIDED: Final = (
    r"(?:\b(?:not|never|will|would|may|might|could|should|can|must|to be)|n't) (?:yet )?(?:be |been )?(?:\w+ )?$"
    r"|\b(?:if|when|unless|until|possibly|potentially|eventually|proposed)\b[^.;\n]{0,20}$"
)
"""Before a phrase: it has not happened."""

CANDIDATE: Final = r"\W*(?:the |a |an )?(?:candidate|proposed|proposal|draft|future|upcoming|possible)\b"
"""Before a reference: the text itself calls it undecided."""

BANNER_LABELS: Final = (
    r"warning|note|caution|important|attention|notice|update|info|danger|nb|heads up|status update|edit|disclaimer"
    r"|주의|경고|참고|알림|注意|警告|注|提示"
)
"""Words that open a callout and say nothing of a state."""

BANNER_WORDS: Final = (
    r"supers?c?ee?ded|superseeded|supersceded|replaced|deprecated|obsoleted?|archived|retired|abandoned|withdrawn|rejected"
    r"|discontinued|historic|historical"
    r"|no longer (?:in force|in effect|in use|valid|applicable|maintained|current)"
    r"|대체됨|대체된|폐기됨|폐기|폐지|구버전|실효|廃止|已废弃|已廢棄|已取代|已替代|被取代"
)
"""States that a banner or the brackets of a title may say."""

OTHER_SUBJECT: Final = (
    r"[\W_]*(?!(?:this|it|see|use|by|with|in|read|follow|please|prefer|because|since|as|on|we)\b)\S[^.;\n]{0,100}?"
    rf"\s(?:is|are|was|were|has been|have been|will be)\s+(?:\w+\s+){{0,2}}?(?:{BANNER_WORDS}|removed|gone|no longer)"
    r"|[\W_]*(?:an?|any|all|some|old|these|those|most|every|each)\s(?![^\n]*\]\()"
)
"""After a state and a colon: it is said of something else than the record, or explains the word."""

DRAFT_WORDS: Final = r"draft|proposed|wip|work in progress|초안|草案|草稿"

SHOUTED_WORDS: Final = (
    r"SUPERSEDED|SUPERCEDED|REPLACED|DEPRECATED|OBSOLETE|ARCHIVED|RETIRED|ABANDONED|WITHDRAWN|REJECTED|DRAFT|WIP"
)

PARTLY_WORDS: Final = r"(?:partly|partially|mostly|largely)"

BANNER_NOUNS: Final = r"decision|document|doc|note|record|page|version|adr|rfc|spec|specification|proposal|design|draft"
"""What may follow the state in a banner that is about the record itself."""

_RECORD: Final = (
    r"(?:adr|rfc|kep|pep|eip|nip|bip|cip|fip|hip|decision(?: record)?|document|doc|note|record|page|proposal|spec"
    r"|specification|design(?: doc(?:ument)?)?|standard|policy|guide|plan|article)"
)

LEAD: Final = (
    rf"(?:(?:it|(?:this|the (?:above|present)) (?:\w+ ){{0,2}}?{_RECORD}(?: itself)?) )?"
    r"(?:is|was|has been|has since been|has now been|have been|had been) (?=\w)"
)
"""A status that is said as a sentence on the record, before its word: a regular expression over folded text."""

BANNER_SUBJECT: Final = (
    rf"[\W_]*(?:in short,?\s+)?(?:this|the (?:above|present))\s+(?:[\w-]+\s+){{0,3}}?"
    rf"(?:{_RECORD}|(?P<weak>entry|version))\s+"
    r"(?:(?:is|was|has|have|had|been|now|already|since|itself|being|officially|formally|entirely|fully|completely"
    rf"|hereby|later)\s+){{1,4}}(?:[*_]*(?P<partly>partly|partially|mostly|largely)\s+)?(?:been\s+)?[*_`]*"
    rf"(?P<state>(?:{BANNER_WORDS})\b)"
)
"""A sentence on the record itself and its end."""

BANNER_SUBJECT_CJK: Final = (
    r"\W*(?:이|본|현) ?(?:문서|결정|ADR|기록|노트|설계|제안)|\W*(?:この|本)(?:文書|決定|ADR|記録|ノート|設計|提案)"
    r"|\W*(?:本|该|該|此)"
    r"(?:文档|文檔|文件|决策|決策|决定|決定|ADR|记录|記錄|提案|设计|設計)"
)

ATTRIBUTE_CJK: Final = (
    r"[\uac00-\ud7a3]+(?:된|한|할|하는|되는|될)\s+(?!(?:문서|결정|기록|노트|제안|설계)(?:입니다|이다|임|$))"
    r"|[\u4e00-\u9fff]{2,5}的(?!文档|文檔|文件|决策|決策|决定|決定)"
    r"|[\u4e00-\u9fff]{2}(?:された|される)(?!文書|決定|記録)[\u4e00-\u9fff\u30a0-\u30ff]"
)
"""A state that only describes the noun after it: `폐기된 API 목록`."""

ENUMERATION: Final = 3
"""A line that holds so many status words in a row lists what a status can be and is none."""

NOTE_LINK: Final = (
    r"\[\[[^\[\]\n]{1,300}\]\]|\[[^\[\]\n]{1,300}\]\((?:(?![a-z]+:|#)[^()\s]{1,400}|https?://[^()\s]{1,400}\.md)\)"
)
"""A link to a note: of this vault, or in a repository that may be this one."""

PROSE_CLAIM: Final = (
    r"(?P<before>^[^\[\]`]{0,80}?)(?<![\w-])(?:supers?c?ee?de?s|replaces|obsoletes)"
    r"(?:\s+and\s+(?:replaces|obsoletes|supersedes))?\s+(?:(?:the|our|its|an?|previous|earlier|older|former|old|adr|rfc"
    r"|decision|decisions?(?: in)?|proposal|record|document)\s+)"
    rf"{{0,4}}(?P<link>{NOTE_LINK})"
)
"""A sentence whose subject, as far as it names none, is the record itself."""

RECORD_WORDS: Final = r"adr|decision(?: record)?|rfc|dr|dec|record|entry|결정|決定|决定|決策|决策"
"""Words that with a number call a decision, in any case: a regular expression."""

NO_RECORD_WORDS: Final = frozenset(
    _words("option alternative step phase chapter part section appendix table figure sprint week day version v release")
    + _words("question q problem issue task scenario example case stage level tier round iteration milestone goal h")
)
"""Words that with a number call something else than a record, folded."""
