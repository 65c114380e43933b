"""Small Office files, built part by part."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
M = "http://schemas.openxmlformats.org/officeDocument/2006/math"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
V = "urn:schemas-microsoft-com:vml"
OUTSIDE = ' TargetMode="External"'
SPACES = " ".join(f'xmlns:{name}="{uri}"' for name, uri in zip("wmaprcv", (W, M, A, P, R, C, V), strict=True))
SPACES += f' xmlns:mc="{MC}"'


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return target.getvalue()


def relations(**targets: tuple[str, str]) -> str:
    """Identifier -> kind and target; a target with `:` lies outside."""
    rows = "".join(
        f'<Relationship Id="{key}" Type="{R}/{kind}" Target="{target}"'
        f'{OUTSIDE if ":" in target else ""}/>'
        for key, (kind, target) in targets.items()
    )  # fmt: skip
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{rows}</Relationships>'


def word(body: str, parts: Mapping[str, str | bytes] | None = None, **targets: tuple[str, str]) -> bytes:
    """A Word document with this body, further parts and relations of its main part."""
    document = f"<w:document {SPACES}><w:body>{body}</w:body></w:document>"
    return packed({
        "_rels/.rels": relations(r1=("officeDocument", "word/document.xml")),
        "word/document.xml": document,
        "word/_rels/document.xml.rels": relations(**targets),
        **(parts or {}),
    })  # fmt: skip


def p(text: str, style: str = "", properties: str = "") -> str:
    """A paragraph of one run."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def styles(**names: str) -> str:
    """A styles part: identifier -> the style's name."""
    rows = "".join(
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/></w:style>'
        for key, name in names.items()
    )
    return f"<w:styles {SPACES}>{rows}</w:styles>"
