"""Who says "I" where, the writer of a letter or the speaker of a turn, and whom they address as "you"."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from piibench.systems.rules.subjects.outline import find_role_turns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from piibench.systems.rules.candidates import Candidate
    from piibench.systems.rules.passage import Passage
    from piibench.systems.rules.subjects.people import People

_TITLE = r"(?:(?:dr|mr|mrs|ms|prof|miss)\b\.? )?"
_INTRODUCES = re.compile(
    r"(?<![\w'])(?:my (?:full |legal |real )?name is|my name's|name's|i am|i'm|im|it's me|hier ist|me llamo"
    r"|mi nombre es|"
    r"soy|je m'appelle|je suis|mon nom est|ich heiße|ich heisse|ich bin|mein name ist|mi chiamo|meu nome é"
    r"|me chamo|i(?= {2})|"
    rf"mijn naam is|jag heter|меня зовут|benim adım|nama saya|tên tôi là) {{1,3}}{_TITLE}$"
)
_INTRODUCES_EASTERN = re.compile(r"(?:我叫|我是|저는|名前は) ?$")
_CALLS_ME = re.compile(r"(?:calls? me|calling me|known as|i go by|i'm known as|call myself) {1,3}$")
_THIS_IS = re.compile(r"(?<![\w'])(?:this is|it's) $")
_SPEAKS = re.compile(r",? (?:here|speaking|calling|writing|from|again|and i)\b|,")
_ENDS_HERE = re.compile(r" here\b(?=[,.!:]| again| from)")
_OPENS_TURN = re.compile(
    r"(?:^|\n)[ \t>*_]{0,4}(?:\[[^\]\n:]{1,12}\] )?"
    r"(?:\[?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[ap]m)?\]?[ \t]{0,2}[-–]?[ \t]{0,2})?[\[<(*_]{0,3}$",
    re.IGNORECASE,
)
_CLOSES_TURN = re.compile(r"(?: ?\([^)\n]{1,20}\))?[\])>*_]{0,3} ?(?::|[\]>] )")
_SENT_BY = re.compile(r"(?:^|\n)[ \t>*_]{0,4}from[*_]{0,2}:[ \t*_]{0,3}[\"']?$", re.IGNORECASE)
_SIGNED = re.compile(
    r"(?:(?<!\w)(?:regards|sincerely|yours|truly|faithfully|thanks|thank you|again|in advance|cheers|love"
    r"|best|wishes|the best|"
    r"take care|x?o?xo|hugs|warmly|respectfully|saludos|abrazo|atentamente|cordialement|grüßen|saluti"
    r"|signed|care)[,.!]{0,2}"
    rf"[ \t]{{0,2}}(?:\r?\n[ \t]{{0,4}}){{0,2}}[-–—~]{{0,2}} ?|\n[ \t]{{0,4}}[-–—~]{{1,2}} ?){_TITLE}$",
    re.IGNORECASE,
)
_LINE_END = re.compile(r"[ \t]{0,3}[,.]?[ \t]{0,3}(?:[\r\n(]|$)")
_GREETS = re.compile(
    rf"(?:^|[\n.!] ?)[ \t]*(?:dear|hi|hello|hey|hiya|good (?:morning|afternoon|evening)|hola|bonjour|liebe"
    rf"|lieber|estimad[oa]|querid[oa]) {_TITLE}$",
    re.IGNORECASE,
)
_WINDOW = 64
_NEAR = 40
"""How far back the words of an introduction reach, a title included."""

Kind = Literal["turn", "sender", "intro", "alias", "signature", "greeting"]


class _Mark(NamedTuple):
    start: int
    end: int
    kind: Kind
    node: int


@dataclass(slots=True)
class _Part:
    start: int
    narrator: int
    named_at: int = -1
    addressee: int | None = None
    turn: bool = False


class Narration:
    """The parts of a text that one person says or writes.

    Args:
        passage: The text.
        found: All candidates, by start.
        people: The persons among them; the narrators join them.
    """

    def __init__(self, passage: Passage, found: Sequence[Candidate], people: People) -> None:
        self._people = people
        self._paragraphs = [0, *(match.end() for match in re.finditer(r"\n[ \t\r]{0,8}\n", passage.text))]
        self._parts = [_Part(0, people.add())]
        for mark in sorted(_find_marks(passage, found, people)):
            self._take(mark)
        self._starts = [part.start for part in self._parts]

    def narrator(self, place: int) -> int:
        """The node of whoever says "I" at a place."""
        return self._part(place).narrator

    def addressee(self, place: int) -> int | None:
        """The node of whoever is "you" at a place, if a greeting or the turn before tells."""
        return self._part(place).addressee

    def is_turn(self, place: int) -> bool:
        """Whether a place is in a turn of a conversation."""
        return self._part(place).turn

    def part(self, place: int) -> int:
        """Number of the part around a place, from 0."""
        return bisect_right(self._starts, place) - 1

    def name_unnamed(self, node: int) -> None:
        """Let a person be the first narrator where that one is nowhere named."""
        if len(self._parts) == 1 and self._parts[0].named_at < 0:
            self._people.join(node, self._parts[0].narrator)
            self._parts[0].named_at = 0

    def _part(self, place: int) -> _Part:
        return self._parts[bisect_right(self._starts, place) - 1]

    def _take(self, mark: _Mark) -> None:
        part = self._parts[-1]
        if mark.kind == "turn":
            other = part.narrator if part.turn else part.addressee
            same = part.turn and self._people.find(part.narrator) == self._people.find(mark.node)
            addressee = part.addressee if same else other
            self._parts.append(_Part(mark.start, mark.node, mark.start, addressee, turn=True))
        elif mark.kind == "sender":
            self._parts.append(_Part(mark.start, mark.node, mark.start))
        elif mark.kind == "greeting":
            if part.addressee is None:
                part.addressee = mark.node
        else:
            self._name(part, mark)

    def _name(self, part: _Part, mark: _Mark) -> None:
        """Join the narrator with the name given, or begin the part of another narrator."""
        paragraph = self._paragraphs[bisect_right(self._paragraphs, mark.start) - 1]
        same = self._people.find(part.narrator) == self._people.find(mark.node)
        if part.named_at < 0 or same or mark.kind == "alias":
            self._people.join(mark.node, part.narrator)
            part.named_at = max(part.named_at, mark.start)
        elif part.named_at < paragraph and not part.turn:
            self._parts.append(_Part(max(paragraph, part.start), mark.node, mark.start))
        following = bisect_right(self._paragraphs, mark.end)
        if mark.kind == "signature" and following < len(self._paragraphs) and not self._parts[-1].turn:
            self._parts.append(_Part(self._paragraphs[following], self._people.add()))


def _find_marks(passage: Passage, found: Sequence[Candidate], people: People) -> Iterator[_Mark]:
    text = passage.text
    for position, node in people.named.items():
        start, end = found[position].span
        before = passage.folded[max(0, start - _WINDOW) : start]
        raw = text[max(0, start - _WINDOW) : start] if start > _WINDOW else "\n" + text[:start]
        kind = _kind(text, before, raw, end)
        if kind:
            yield _Mark(start, end, kind, node)
    roles: dict[str, int] = {}
    for start, end, role in find_role_turns(text):
        if role not in roles:
            roles[role] = people.add()
        yield _Mark(start, end, "turn", roles[role])


def _kind(text: str, before: str, raw: str, end: int) -> Kind | None:
    """Tell what a name does, if it names whoever speaks or is spoken to.

    Args:
        text: The whole text.
        before: What stands before the name, folded.
        raw: The same as it is written, a line break before the start of the text.
        end: Behind the name.
    """
    if _CLOSES_TURN.match(text, end) and _OPENS_TURN.search(raw):
        return "turn"
    if "from" in before and _SENT_BY.search(raw):
        return "sender"
    near = max(0, len(before) - _NEAR)
    if _CALLS_ME.search(before, near):
        return "alias"
    introduced = _INTRODUCES.search(before, near) or _ENDS_HERE.match(text, end)
    announced = _SPEAKS.match(text, end) and _THIS_IS.search(before, near)
    if introduced or announced or _INTRODUCES_EASTERN.search(raw):
        return "intro"
    if _LINE_END.match(text, end) and _SIGNED.search(raw):
        return "signature"
    return "greeting" if _GREETS.search(raw) else None
