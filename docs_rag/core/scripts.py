"""In which encoding bytes look most like a language: each candidate's text is weighed by how usual its letters are.

Any byte pattern is a valid text in several encodings of East Asia, so that validity decides nothing; how people
write does. The lists hold the characters that are most of any text in their language.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final, NamedTuple


class Guess(NamedTuple):
    """The best candidate."""

    encoding: str
    """Empty when the bytes are valid in none."""
    is_clear: bool
    """True when its letters are those of a language and no other candidate comes near."""


_HANGUL: Final = (
    "이다는의에을가고하한지를기사서로은도대자인어아나있리시스그으정일들해라수것부전"
    "제보여않주장과만구상동우용계적면생원안성공조경분비오없모신학때무유국와니까게년"
    "습입요등및중위문회결관개방선치건단실마소말미내음월드할될된했었겠십화목금토"
    "세네두더또된려록론료명물반발방번법별복본불산새색설세소속손심야약양억언업연열영예완외운육응의임작"
    "재점접정족존종준직진질차참책처천체초최추출충치친타통투특판평포표품프하학항해행향현형호확환활황회후격값록순절"
)
_SIMPLIFIED: Final = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
    "用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日"
    "军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相"
    "见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名"
    "真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市"
    "直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路"
    "记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运议星期午"
)
_TRADITIONAL: Final = (
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡"
    "用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日"
    "軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相"
    "見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名"
    "真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市"
    "直資命山金指統區保至隊形社便空決治展馬科司五基書非則聽白卻界達光放強即像難且權思王象完設式色路記議星午"
)
_KANJI: Final = (
    "日一国人年大十二本中長出三時行見月分後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名"
    "川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京"
    "目通言理体田主題意不作用度強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終"
    "台広住無真有口少町料工建空急止送切転研足究楽起着店病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪"
    "図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬昼茶弟牛魚兄犬妹姉漢議始価格表齢住所"
    "定性的要制治経済政府関係報利部数化市実対合当相全戦法取引込進機次期式現原資約保支総最株談初設結活選米組得"
)
_CYRILLIC: Final = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъіїє"
_GREEK: Final = "αοιετνσηρπκμλςυίάόέήωύγδθχφβώξζψ"
_HEBREW: Final = "יוהלאתרבמשנדעקחכפגטזסםצןךףץ"
_ARABIC: Final = "اليمنوترهبعدسفةكقحجشصأىطخضغثزذئءؤإآظ،؟"
_WESTERN: Final = "éèàçêëîïôûùâäöüßñóíáúãõåøæœÉÖÄÜ’‘“”–—…€°§«»·"
_CENTRAL: Final = "ąćęłńóśźżáčďéěíňřšťúůýžőűăâîşţöüäßŁŚŻŠŽČ„”–’"
_TURKISH: Final = "çğıöşüÇĞİÖŞÜâîû’“”"
_KANA_EXTRA: Final = "ー、。「」々・（）"


def _hangul(char: str) -> float:
    return 0.6 if "가" <= char <= "힣" else _han(char, 0.1)


def _kana(char: str) -> float:
    if "\u3041" <= char <= "\u30fe" or char in _KANA_EXTRA:
        return 1.0
    return 0.0 if "\uff61" <= char <= "\uff9f" else _han(char, 0.45)


def _hanzi(char: str) -> float:
    return _han(char, 0.45)


def _han(char: str, worth: float) -> float:
    if "\u4e00" <= char <= "\u9fff":
        return worth
    if "\u3000" <= char <= "\u3020" or "\uff01" <= char <= "\uff5e":
        return 0.7
    return -1.0 if "\ue000" <= char <= "\uf8ff" or not char.isprintable() else 0.1


def _letter(char: str) -> float:
    if char.isalpha():
        return 0.35 if char.islower() else 0.2
    return -0.3 if char.isprintable() else -2.0


class _Candidate(NamedTuple):
    """One encoding."""

    name: str
    frequent: str
    """Characters that make up most of a text; of an alphabet with the most frequent first."""
    other: Callable[[str], float]
    """What any other character beyond ASCII is worth."""
    family: str
    """Rivals within a family are told apart by a hair's breadth, those of another must be far behind."""
    level: str | None = None
    """An encoding that holds the characters in common use: others are worth half."""


_CANDIDATES: Final = (
    _Candidate("cp949", _HANGUL, _hangul, "korean", "euc_kr"),
    _Candidate("gb18030", _SIMPLIFIED, _hanzi, "chinese", "gb2312"),
    _Candidate("cp932", _KANJI, _kana, "japanese", "shift_jis"),
    _Candidate("euc_jp", _KANJI, _kana, "japanese", "shift_jis"),
    _Candidate("big5hkscs", _TRADITIONAL, _hanzi, "chinese", "big5"),
    _Candidate("cp1252", _WESTERN, _letter, "latin"),
    _Candidate("cp1250", _CENTRAL, _letter, "latin"),
    _Candidate("iso8859_2", _CENTRAL, _letter, "latin"),
    _Candidate("cp1254", _TURKISH, _letter, "latin"),
    _Candidate("cp1251", _CYRILLIC, _letter, "alphabet"),
    _Candidate("koi8_r", _CYRILLIC, _letter, "alphabet"),
    _Candidate("cp866", _CYRILLIC, _letter, "alphabet"),
    _Candidate("cp1253", _GREEK, _letter, "alphabet"),
    _Candidate("cp1255", _HEBREW, _letter, "alphabet"),
    _Candidate("cp1256", _ARABIC, _letter, "alphabet"),
)
"""In the order in which they are preferred where two are worth the same."""
_TOP: Final = 12
"""Letters of an alphabet that are most of any text; the others are worth a little less."""
_CLEAR: Final = 0.55
"""Average worth of a character from which a text is one in its language: 1 is as usual as can be."""
_LEAD: Final = 0.05
_LONGEST: Final = 8_000
"""Characters that are weighed."""
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_SLIPS: Final = {
    "latin": re.compile(r"[^\W\d_a-zA-Z]{3,}"),
    "alphabet": re.compile(r"(?<=[a-zA-Z])[^\W\d_a-zA-Z]|[^\W\d_a-zA-Z](?=[a-zA-Z])"),
}
"""What no text of a family holds: words of nothing but accented letters, words in two alphabets."""
_EVERY: Final = frozenset("".join(each.frequent for each in _CANDIDATES))


def likeliest(sample: bytes) -> Guess:
    """The encoding of bytes that are known not to be UTF-8."""
    found = [(worth, each) for each in _CANDIDATES if (worth := _worth(sample, each)) is not None]
    if not found:
        return Guess("", False)
    top, best = max(found, key=lambda pair: pair[0])
    rivals = [worth for worth, each in found if each.family != best.family]
    return Guess(best.name, top >= _CLEAR and top - max(rivals, default=-9.0) >= _LEAD)


def likeness(text: str) -> float:
    """The share of characters that are most of the texts of any language, 0 to 1: low for what is no text at all."""
    return sum(map(_is_everyday, text)) / max(1, len(text))


def _is_everyday(char: str) -> bool:
    if char < "\x7f":
        return char.isprintable() or char in "\t\r\n"
    return char in _EVERY or "\u3041" <= char <= "\u30fe" or "가" <= char <= "힣"


def _worth(sample: bytes, candidate: _Candidate) -> float | None:
    """How usual the characters are, on average; None for bytes that are not valid."""
    try:
        text = sample.decode(candidate.name)
    except UnicodeDecodeError:
        return None
    characters = _BEYOND_ASCII.findall(text)[:_LONGEST]
    total = sum(_character(char, candidate) for char in characters) - _slips(text[:_LONGEST], candidate.family)
    return total / max(1, len(characters))


def _character(char: str, candidate: _Candidate) -> float:
    place = candidate.frequent.find(char)
    if place >= 0:
        return 0.7 if candidate.family == "alphabet" and place >= _TOP else 1.0
    worth = candidate.other(char)
    return worth / 2 if worth > 0 and candidate.level and not _is_in(char, candidate.level) else worth


def _is_in(char: str, encoding: str) -> bool:
    try:
        char.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _slips(text: str, family: str) -> int:
    """How many characters cannot stand where they do; a capital behind a small letter is one too."""
    pattern = _SLIPS.get(family)
    if pattern is None:
        return 0
    capitals = sum(one.islower() and other.isupper() and other > "\x7f" for one, other in pairwise(text))
    return capitals + sum(len(found[0]) for found in pattern.finditer(text))
