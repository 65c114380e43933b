"""Means that models with a centred score start from, before a vault is large enough to have its own.

Vectors of the builtin model crowd around one direction: unrelated texts reach a cosine of 0.8. What they share is
their mean, and taking it away spreads them out. Questions have another mean than notes, since the model marks the
two with different prefixes. `benchmarks/means.py` works both out from any folders of text; these come from
1,000 sections of technical manuals, seven tenths English, the rest Korean, Japanese, Chinese, German, French,
Spanish and Russian.
"""

from __future__ import annotations

import base64
import struct
from typing import Final

from docs_rag.core.builtin import BUILTIN_E5
from docs_rag.core.vectors import Mean, pack


def shipped_means(model_name: str) -> tuple[Mean, Mean] | None:
    """The mean of documents and the mean of questions; None for a model that has none."""
    coded = _SHIPPED.get(model_name)
    return None if coded is None else (_decode(coded[0]), _decode(coded[1]))


def _decode(coded: str) -> Mean:
    """From base64 of float16, little endian: three digits are more than the mean of a sample has."""
    data = base64.b64decode(coded, validate=True)
    return Mean(pack(struct.unpack(f"<{len(data) // 2}e", data)))


_E5_DOCUMENTS: Final = (
    "VyicqaipZKhVK/+pliaLKu0qhqDJJr8ikyqvqCeoDiv/K7Wke6bnqqwnQBpfqQcocSv5KrOn1iTSKiusEqu1qUYozawvKp8lzKrs"
    "qP8qe6xSEgcoYScLLPglwiVlqaQlcKaqp+WlkStnIw0kRynKq4msYqsRq7ApmitpqWkcrSdvLkorzygyKwWsPKn3qRAqWSMDqBYk"
    "qyAzJg6pJikYqwmpDqkgqZYlZapUK2wrSqwGLOGooSpmKHuqEau2rAysjaeYK+Iqh6fnKt2p4CmarMuoRSknILeswShZq/KrgSmj"
    "LHMqDqq0qOOkzqqYKPCpOCpuowerDqxoqv6oRibDKFschRSXI7YoqiSxK28pSC1xrHoj9qZFp2+qRCgfpz8r6SvaJ0Usaaq7LLKp"
    "5yk7pqQteCbhKOKpnKhXpnoqnSvDqTqrLqv1n1SrWqSIJ3csxKjtqk2okysqqXUqe6V9Kxmq7CUXLbIq+6dho9esbamTqaqqqql3"
    "JIUkoaXlpDkq36W6rI+quiW8qNAowSimKTIMdZ3RKOApqyoDnkesUCl1qUEnNSpgq5usxSmlqCeo/h9WKmGomyk9KqChlyhTrmis"
    "BikhK7arn6mwKlOomagEq0ys9aibrPCdUCkqKSSsCqSwqJUpCayOKvmog6S/JlKfmydlJn6qQKrypXOqCywcKlwsc6r4J+YhL6WM"
    "LowqySi/J1epVqneqC+o7qmjJeEmpKjnqamoVSgvLRCo3ahXKxokVypuLHQqkKOapfIov6hepf2gwKtLJ/2o7y3hJSQfjyyfqOkq"
    "ZqavqyQoSiqWrWAlziR6JKonAyiPLKopZKjupnUpPyzhoO8pN6zTqQWpSKuinXOrgyk2LCqrb6YBK36i3iUWqSOogCkkrFaphqTX"
    "KseqXKquJ4EoTKsWKI6oUquMKbekvKjpJywsO60rJ7kpHqqeKZ2owqlOLHYqF6vsqXIp3ScrKgIqRKZkIW4nE6sLLQMqqap4jmGp"
    "9ajpqiEqAqyYqr4qQisiKSwr"
)
_E5_QUERIES: Final = (
    "kClLqGeqAqybKxSp1ybzKgwrRx5AKZckGCuiqLaoUSlIK3OmDalpq/UmbZiAqXMpdypGKxGpQiSiKqesm6sGqoYpHKzMK8MqPKpT"
    "qdErxqoaozwngClnLIspGilhqZEnTKkPp46qCivfJHUoAipXrBqrcKwIrMEpPCzMpHIfZSnoLKQqfCifKo6qLKdCqm4paR4GqIWQ"
    "4SPcJpKpQikvq1SqianUqScpUKqtK/gqeqt4KlqnrSmiKEyrDaslraKqNKlUKoMs06hmKqeqRCmBrHWpRSi/J0as+yiPq9moVCmm"
    "K3crDatDqGOnyKroKLyqkCtXqNmr6qp9qqGnqCflKNklIR9CKdwoyyesKrIprixFqxogpKQ3qGqodCpaqMYpDiqyKDktJqclLZuo"
    "UCk8p4UsNijWKgCpTaoLqWkqWSp3qf+rDqygpJarjKgOKZ8siqj2qyaplCpuq6kpAKLwKkaqASitLEcpNqj/oAysJqsPqy6re6ue"
    "Jo4h36UnnlspVah1rFqqYSjMqXUqYCqMKLuic6U+KGYo8ymbJfOrzig5qpQpkio8qz2rxipnqcGmlRnfKTypNCnoKu+kYCgQrrer"
    "CinwKyusiqkpKzqolqjuqY+sValarNuehShHKQusKKX1qBcqlqxIK3mojqhkKKucQCiHJMqrwqmxqYSp4ymPKskrvKrbJw8lU6Zn"
    "LYUq0il8KGepL6Zlqimpt6vAJosovKiCqaaplCj1LRCp3qhiKowlCSwfLaopGKQnqA8quKn8p8ihUao9KFiqmCwkJBwibSvAqLEr"
    "aaacqlcpBSrzrJEmLyFKJSglRSjnKh8oTal7qS4qfiv0ozYm/KqkqXuqUqoYpZSrLCtpKMyqu6gqKpehPie6quSo1iglqzSp2aZe"
    "Kuuo2aoKJ8EpiKkCKSKmranaKi+n6alJKUYqna1MJdcpV6goJ+upMakHKqQpLavdqWApLSjyKj0pAaXcl4Mok6ptLGIqD6qwHPWn"
    "oauhqoYqvKntpw0soSzZKE0q"
)

_SHIPPED: Final[dict[str, tuple[str, str]]] = {BUILTIN_E5: (_E5_DOCUMENTS, _E5_QUERIES)}
"""Model -> its mean of documents, its mean of questions."""
