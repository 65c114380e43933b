"""Characters of mathematics as LaTeX commands."""

from __future__ import annotations

import unicodedata
from typing import Final

_GREEK: Final = (
    "α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda "
    "μ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega "
    "Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega µ mu"
)
_SIGNS: Final = (
    "± pm ∓ mp × times ÷ div · cdot ⋅ cdot ∗ ast ⋆ star ∘ circ ∙ bullet ⊕ oplus ⊖ ominus ⊗ otimes ⊙ odot "
    "≤ leq ≥ geq ≪ ll ≫ gg ≠ neq ≈ approx ≡ equiv ∼ sim ≃ simeq ≅ cong ∝ propto ≺ prec ≻ succ ⊥ bot ∣ mid ∥ parallel "
    "∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∪ cup ∩ cap ∖ setminus ∅ emptyset ∧ wedge ∨ vee "
    "¬ neg ∀ forall ∃ exists ∄ nexists ⊢ vdash ⊨ models ∴ therefore ∵ because ∞ infty ∂ partial ∇ nabla ∆ Delta "
    "∠ angle ° circ ′ prime ℏ hbar ℓ ell ℜ Re ℑ Im ℵ aleph ℘ wp √ surd … ldots ⋯ cdots ⋮ vdots ⋱ ddots "
    "→ rightarrow ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ↑ uparrow "
    "↓ downarrow ⟶ longrightarrow ⟵ longleftarrow ⇌ rightleftharpoons ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil "
    "⟨ langle ⟩ rangle 〈 langle 〉 rangle ‖ Vert "
    "∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ∯ oiint ∰ oiiint "
    "⋃ bigcup ⋂ bigcap ⋁ bigvee ⋀ bigwedge ⨁ bigoplus ⨂ bigotimes"
)


def _pairs(text: str) -> dict[str, str]:
    words = text.split()
    return {sign: f"\\{name}" for sign, name in zip(words[::2], words[1::2], strict=True)}


COMMANDS: Final = {
    **_pairs(_GREEK),
    **_pairs(_SIGNS),
    **{sign: f"\\{sign}" for sign in "%#&_${}"},
    "\\": "\\backslash",
    "|": "\\vert",
    "−": "-",
    "\u2061": "",  # the invisible sign between a function and its argument
    "\u2062": "",
    "\u200b": "",
    "\xa0": "~",
}
"""A character -> what LaTeX writes for it; pipes have names, since a bare one would end a table's cell."""

_FUNCTIONS: Final = (
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd inf ker lg lim liminf limsup ln log max min "
    "Pr sec sin sinh sup tan tanh"
)
FUNCTIONS: Final = frozenset(_FUNCTIONS.split())
"""Names that LaTeX has a command for."""


def latex_text(text: str) -> str:
    """A run of characters; letters of mathematical alphabets are plain ones."""
    pieces: list[str] = []
    for sign in text:
        plain = unicodedata.normalize("NFKC", sign) if "\U0001d400" <= sign <= "\U0001d7ff" else sign
        pieces.append("".join(_command(each) for each in plain))
    return "".join(pieces)


def _command(sign: str) -> str:
    command = COMMANDS.get(sign, sign)
    return f"{command} " if command[-1:].isalpha() and command[0] == "\\" else command
