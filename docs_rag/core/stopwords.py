"""Words that a question is built with and not about, in the languages that the tests ask in.

One row a language; a language without a row loses little: its common words fail the rarity gate.
"""

from __future__ import annotations

from functools import cache

_BY_LANGUAGE = {
    "en": """
        a about above after again against all also am an and any are as at be because been before being below
        between both but by can cannot could did do does doing done down during each either else ever every few for
        from further get gets give given go goes got had has have having he her here hers him his how however i if
        in into is it its itself just kind let like made make makes many may me might mine more most much must my
        near need neither no nor not now of off often on once one only or other our ours out over own per please
        rather same shall she should since so some someone something still such than that the their theirs them
        then there these they thing things this those through thus to too under until up upon us use used uses
        using very via want wants was way we well were what when where whether which while who whom whose why will
        with within without would yes yet you your yours
        don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ain t s d ll re ve m
        tell show find explain describe list
    """,
    "de": """
        ab aber als am an auch auf aus bei beim bin bis da das dass dem den der des die dies diese dieser doch durch
        ein eine einem einen einer eines er es für gibt hat haben hier ich ihr im in ist ja kann kein keine man mit
        muss nach nicht noch nur ob oder ohne sein seine sich sie sind so soll über um und uns unter vom von vor
        wann warum was welche welcher welches wenn wer werden wie wir wird wo wurde wurden zu zum zur
    """,
    "fr": """
        au aux avec ce ces cette comment dans de des du elle en est et il ils je la le les leur mais ne nous on ou
        où par pas pour pourquoi quand que quel quelle quelles quels qui sa se ses son sont sur un une vous y
    """,
    "es": """
        al como con cual cuando cuándo cuál cómo de del donde dónde el ella en es esta este la las lo los más no o
        para pero por qué que quien quién se ser si sin sobre son su sus un una y
    """,
    "ko": """
        그 그리고 그러나 나 너 누가 누구 무엇 뭐 뭘 무슨 및 수 어디 어떤 어떻게 언제 왜 우리 이 저 저것 것 하는 한다
        했다 하나 있다 있는 있나 있나요 없다 없는 되는 된다 되나 되나요 하나요 합니까 입니까 인가 인가요 대한 대해 관한
    """,
    "ja": """
        これ それ あれ この その あの ここ どこ いつ なぜ 何故 誰 何 どう どの どれ です ます した する して いる ある
        ない こと もの ため よう から まで など なに
    """,
    "zh": """
        的 了 是 在 和 与 或 我 我们 你 他 她 它 这 那 什么 怎么 如何 为什么 哪 哪个 哪些 吗 呢 谁 有 没有 多少 何时
    """,
}

STOP_WORDS = frozenset(word for words in _BY_LANGUAGE.values() for word in words.split())


@cache
def words_of(language: str) -> frozenset[str]:
    """The words of one language, by its code."""
    return frozenset(_BY_LANGUAGE[language].split())
