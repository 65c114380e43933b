"""How people say in a sentence what became of a record: regular expressions, one row a way to say it; no code.

The keys and the words that stand alone are in `spellings.py`.
"""

from __future__ import annotations

from typing import Final

from docs_rag.core.spellings import NOTHING

UNDONE: Final = r"(?:되|하|られ|され)?(?:지\s*않|\s*예정|\s*계획|\s*검토|\s*가능|될|할|る?予定|る?計画|ない)"
"""After a Chinese, Japanese or Korean word for an end: it has not happened."""

_NOT_YET: Final = r"(?<![未不将將会會拟擬])(?<!计划)(?<!計劃)(?<!可能)(?<!准备)(?<!準備)"

LATER_STEMS: Final = (
    rf"{_NOT_YET}[被由][^。;()]{{0,200}}(?:取代|替代)|{_NOT_YET}替代(?!方案)"
    rf"|(?:により|によって|に)\s*(?:置換|置き換え|差し替え)(?!{UNDONE})"
    rf"|(?:으로|로|에 의해)\s*(?:대체|교체|폐기)(?!하지|안|{UNDONE})|대체됨"
)
"""Supersession that Chinese, Japanese and Korean say at the end of a segment: a regular expression."""

ENDED: Final = r"(?:supers?c?ee?ded|replaced|deprecated|obsoleted?|retired|대체|폐기|取代|替代|置換|廃止|废弃|廢棄)"

_PARTS: Final = (
    r"\b(?:part(?:ly|ially)|mostly|largely|in (?:part|parts|places)|(?:some )?parts? of|(?:some|several|many) parts)\b"
)
_ONLY: Final = r"(?<!read )(?<!write )(?<!append )\bonly\b(?! if| when| after| once)"
_PIECES: Final = r"\b(?:components?|sections?|portions?|pieces)\b[^.;,]{0,30}\b(?:is|are|was|were)\b"

PARTIAL: Final = (
    rf"(?:{_PARTS}|{_PIECES})[^.;,]{{0,60}}?{ENDED}|{ENDED}[\s(]*{_PARTS}"
    rf"|{ENDED}(?:[^.;,]{{0,80}}?{_PARTS}\W*$|(?:[\s(]*|[^.;,–—-]{{0,20}}·[^.;,–—-]{{0,40}}){_ONLY})"
    rf"|(?:일부|부분|部分|一部).*{ENDED}|{ENDED}.*(?:일부|부분|部分|一部)"
)
"""A segment that says that parts of the record are no longer in force: a regular expression."""

BRACKETED_PARTS: Final = rf"\(\s*({_PARTS}|only\b[^()]{{0,60}}|[^()]{{0,60}}{_ONLY})\s*\)"
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

STANDING: Final = (
    r"\s*(?:$|[^\w\s]|\d|(?:by|with|in|on|since|as|to|into|for|because|due|after|at|until|and|or|but|now|per|via|see"
    r"|use|only|again|entirely|completely|without|when|where|while|though|although)\b)"
)
"""After a word for an end in a later segment of a status: the word is not about the noun that follows it."""

SUBJECT_OF: Final = r"\s+(?:[a-z]+ ){0,3}?[a-z]+s (?:are|were|have|will|must|can)\b"
"""After a word for an end: it tells which ones of many things a sentence is about."""

_SUPERSEDED: Final = (
    r"\b(?:supers?c?ee?ded|replaced|obsoleted|overridden|overruled|succeeded|supplanted|subsumed|reversed|overturned"
    r"|invalidated|revoked)"
)
_ID: Final = r"(?-i:[A-Z]{2,10}[- #]?\d)"
_BETWEEN: Final = r"(?:[\s:,(\d–—-]|\b(?:on|in|as|of|part|parts|places|partially|partly|since|[A-Z][a-z]{2})\b)*+"

BY: Final = rf"{_SUPERSEDED}{_BETWEEN}[)\]\s]*\b(?:by|with)\b:?"
"""What comes after it replaced the record."""

VOID: Final = (
    rf"{_SUPERSEDED}\s+by\b[\s:*_`\"']*"
    rf"(?:(?:{NOTHING})[*_`\"']*(?=\s*(?:$|[\n.;,)]))|(?:any|every|each|hand)\b[^\n.;]*)"
)
"""A phrase that names nothing: `superseded by: none`."""

TOWARDS: Final = rf"{_SUPERSEDED}[\s,.:–—-]*(?:→|->|=>|\bsee\b(?: also)?:?|:|[(\[]?(?={_ID})|(?=\[|`))"
"""Looser forms that point at the successor of a record which is superseded by its own word."""

MERGED: Final = (
    r"(?:^|(?<=[\n;(]))\W*+(?:merged|folded|incorporated|consolidated) (?:in ?to|with)\s+"
    rf"(?=\[\[|\[[^\[\]\n]{{1,200}}\]\([^()\n]{{1,400}}\.md|{_ID})"
)
"""A status that says what a record went into; into a branch is something else."""

_TURNING: Final = r"(?:and|but|now|later|since|then|subsequently|meanwhile|has been|is|was|been)"

TURN: Final = (
    rf"(?<!\s)(?:\s*+[,/–—]\s*+|\s++(?:and|but|now|later|since|then|subsequently)\s++)"
    rf"(?:{_TURNING}\s++)*+(?={_SUPERSEDED})"
)
"""Before the words of the end, within a segment that began otherwise: `Accepted, later superseded by ADR-7`."""

INSTEAD: Final = (
    r"\bin favou?r of\b|\bprefers?\b|\bdeprecated by\b"
    r"|\b(?:use|see|read|follow|prefer)\b(?=[^;\n]{0,200}\binstead\b)"
    r"|\b(?:moved|merged|folded|incorporated|integrated|absorbed|consolidated|rolled|migrated|split)"
    r" (?:in ?to|to|with|in|by)\b|\b(?:better )?(?:implemented|covered|handled) (?:with|by|in)\b"
)
"""What comes after it stands in place of a record that is no longer in force."""

GLUED: Final = (
    r"取代|替代|(?:により|によって|に)\s*(?:置換|置き換え|差し替え|統合)|(?:으로|로|에 의해)\s*(?:대체|교체|폐기)"
)
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
    r"|(?:moved|merged|folded)(?= (?:in)?to \[)|no longer (?:in force|in effect|in use|valid|applicable)"
    r"|no longer (?:maintained|current)"
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
    rf"(?:{_RECORD}|(?P<weak>entry|version))\s+(?:(?:supers?c?ee?de?s|replaces)\s[^\n]{{1,200}}?\sand\s+)?"
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

ENDED_CJK: Final = (
    r"[은는이가はが]?\s*(?:더 이상 )?(?P<state>"
    r"(?:폐기|폐지|만료|대체|실효|보관)(?:되었|됐|됨|된 (?:문서|결정|기록)(?:입니다|이다|임|\W*$))"
    r"|(?:廃止|失効)(?:され(?:た|まし|てい)|済)|(?:现已|現已|已经|已經|已)(?:废弃|廢棄|作废|作廢|归档|歸檔|失效|弃用|取代)(?!的))"
)
"""After the subject of a sentence on the record itself: its end."""

ATTRIBUTE_CJK: Final = (
    r"[\uac00-\ud7a3]+(?:된|한|할|하는|되는|될)\s+(?!(?:문서|결정|기록|노트|제안|설계)(?:입니다|이다|임|$))"
    r"|[\u4e00-\u9fff]{2,5}的(?!文档|文檔|文件|决策|決策|决定|決定)"
    r"|[\u4e00-\u9fff]{2}(?:された|される)(?!文書|決定|記録)[\u4e00-\u9fff\u30a0-\u30ff]"
)
"""A state that only describes the noun after it: `폐기된 API 목록`."""

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
