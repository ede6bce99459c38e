"""A person on the net: e-mail and IP addresses, social media handles (Table 10)."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import CERTAIN, LIKELY, STRONG, Candidate
from piibench.systems.rules.codes.cues import CODE_CUES
from piibench.systems.rules.passage import UNSPACED_CLASS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.passage import Passage

_LATIN = r"A-Za-z0-9_\u00c0-\u024f\u1e00-\u1eff"
_MARKS = r"\u0300-\u036f"
_SIGNS = r".!#$%&'*+/=?^`{|}~-"
_LATIN_BEFORE = re.compile(rf"[{_LATIN}{_MARKS}{_SIGNS}]+")
_LOCAL_BEFORE = re.compile(rf"(?:(?![{UNSPACED_CLASS}])[\w{_MARKS}{_SIGNS}])+")
_ANY_LOCAL_BEFORE = re.compile(rf"[\w{_MARKS}.+-]+")
_DOMAIN = re.compile(rf"[{_LATIN}-]{{1,63}}(?:\.[{_LATIN}-]{{1,63}}){{1,8}}")
_ANY_DOMAIN = re.compile(r"[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_TOP_LEVEL = re.compile(r"[^\W\d_]{2,24}|xn--[a-z0-9-]+", re.IGNORECASE)
_SPELLED = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}(?: dot [\w-]{1,64})?\s?[\[({ ]at[\])} ]\s?[\w-]{1,63}"
    r"(?:\s?[\[({ ]dot[\])} ]\s?[a-z]{2,12})?\s?[\[({ ](?:dot[\])} ]\s?|dot[\])} ]\s?)"
    r"(?:com|org|net|edu|gov|info|io|app|dev|test|example|[a-z]{2})\b",
    re.IGNORECASE,
)
_MAX_LOCAL = 64


def find_emails(passage: Passage) -> Iterator[Candidate]:
    """Propose e-mail addresses, also in other scripts, and those spelled "name at domain dot com"."""
    text = passage.text
    at = text.find("@")
    while at >= 0:
        if span := _email_around(text, at):
            yield Candidate(span, Category.EMAIL_ADDRESS, CERTAIN, "e-mail address")
        at = text.find("@", at + 1)
    if " dot" in passage.folded:
        for match in _SPELLED.finditer(text):
            yield Candidate(
                Span(*match.span()), Category.EMAIL_ADDRESS, STRONG, "e-mail address spelled in words"
            )


def _email_around(text: str, at: int) -> Span | None:
    """Grow an address from its "@"; Latin ones stop at the border to another script.

    Others stop where a script without spaces begins.

    "@name@server" is an account of a federated network, not an address.
    """
    domain = _DOMAIN.match(text, at + 1) or _ANY_DOMAIN.match(text, at + 1)
    reversed_head = text[max(0, at - _MAX_LOCAL) : at][::-1]
    forms = (_LATIN_BEFORE, _LOCAL_BEFORE, _ANY_LOCAL_BEFORE)
    local = next((match for form in forms if (match := form.match(reversed_head))), None)
    if not domain or not local:
        return None
    labels = domain.group().split(".")
    while labels and not _TOP_LEVEL.fullmatch(labels[-1].strip("-_")):
        labels.pop()
    name = local.group()[::-1].lstrip(".'/=*{|`!#?&-")
    if len(labels) < len(("domain", "top level")) or not name:
        return None
    start = at - len(name)
    if text[start - 1 : start] == "@":
        return None
    return Span(start, at + 1 + len(".".join(labels).rstrip("-_")))


_IPV4 = re.compile(r"\d(?<![\w.]\d)\d{0,2}(?:\.\d{1,3}){3}(?!\w|\.\d)")
_IPV6 = re.compile(
    r"(?<![0-9A-Za-z.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,8}(?:(?:\.\d{1,3}){3})?(?![0-9A-Za-z:])"
)
_VERSION_BEFORE = re.compile(r"(?:version|release|build|firmware|section|chapter|\bv)[ .:]{0,2}$")
_VERSION_REACH = 12
_IPV6_HINT = re.compile(r":(?:[0-9A-Fa-f]{1,4})?:")


def find_ip_addresses(passage: Passage) -> Iterator[Candidate]:
    """Propose IPv4 and IPv6 addresses; numbers of versions and sections are not addresses."""
    for match in passage.match_numbers(_IPV4):
        span = Span(*match.span())
        if _is_address(match.group()) and (score := _rate_ipv4(passage, span)):
            yield Candidate(span, Category.IP_ADDRESS, score, "IPv4 address")
    if _IPV6_HINT.search(passage.text):
        for match in _IPV6.finditer(passage.text):
            lead = match.group().startswith(":") and not match.group().startswith("::")
            span = Span(match.start() + lead, match.end())
            value = span.of(passage.text)
            if any(char.isdecimal() for char in value) and _is_address(value):
                yield Candidate(span, Category.IP_ADDRESS, CERTAIN, "IPv6 address")


def _is_address(value: str) -> bool:
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return True


def _rate_ipv4(passage: Passage, span: Span) -> float:
    if _VERSION_BEFORE.search(passage.folded, max(0, span.start - _VERSION_REACH), span.start):
        return 0.0
    cue = CODE_CUES.nearest(passage, span)
    if cue and cue.meaning is Category.IP_ADDRESS:
        return CERTAIN
    shortest = len("1.2.3.4")
    return STRONG if span.end - span.start > shortest else 0.0


_AT_HANDLE = re.compile(r"@(?<![\w@./]@)(?=[\d_.]{0,12}[^\W\d_])\w[\w.]{1,30}(?:@[\w-]{1,40}\.[\w.-]{2,30})?")
_PLATFORM = re.compile(
    r" (?:ig|insta(?:gram)?|twitter|telegram|tg|discord|snap(?:chat)?|tik ?tok|reddit|facebook|fb"
    r"|linkedin|github|wechat"
    r"|weibo|qq|skype|youtube|threads|mastodon|bluesky|bsky|steam|twitch|kik|vk|xbox|psn|line id|x handle"
    r"|kakaotalk"
    r"|handle|user ?name|screen ?name|gamer ?tag)(?![^\W_])"
)
_NAMED_HANDLE = re.compile(
    r"(?: (?:handle|user ?name|screen ?name|nickname|gamer ?tag|account name|user id|id|account|name"
    r"|profile|channel))?"
    r"(?P<link> ?[:=]| is| as| ?[-\u2013]| under| \() ?[\"'\u201c]?(?P<name>@?\w[\w.-]{1,31}(?:#\d{4})?)",
    re.IGNORECASE,
)
_PROFILE = re.compile(r"\.(?:com|me|net|tv)/(?:in/|u/|user/|c/)?@?(\w[\w.-]{2,38})")
_PROFILE_HOSTS = (
    "instagram",
    "twitter",
    "facebook",
    "github",
    "linkedin",
    "tiktok",
    "reddit",
    "youtube",
    "threads",
    "twitch",
    "/x",
    "/t",
    " t",
)
_REDDIT = re.compile(r"u/(?<![\w/]u/)(?<!\w/u/)\w[\w-]{2,20}")
_ACCOUNT_LIKE = re.compile(r"[\d_.@#]|[a-z][A-Z]")
_MORE_WORDS = re.compile(r" \w")
_SHORTEST_HANDLE = 3


def find_handles(passage: Passage) -> Iterator[Candidate]:
    """Propose account names: "@name", "IG: name", "her handle is …", "u/name", addresses of profiles."""
    if "@" in passage.text:
        for match in _AT_HANDLE.finditer(passage.text):
            yield _handle(passage.text, match.start(), match.end(), LIKELY)
    # The space in front lets a platform stand at the very start; it shifts every offset by one.
    for platform in _PLATFORM.finditer(" " + passage.folded):
        match = _NAMED_HANDLE.match(passage.text, platform.end() - 1)
        if match and _names_account(match):
            yield _handle(passage.text, *match.span("name"), STRONG)
    if "/" in passage.text:
        for match in _PROFILE.finditer(passage.text):
            if passage.text.endswith(_PROFILE_HOSTS, 0, match.start()):
                yield _handle(passage.text, *match.span(1), STRONG)
        for match in _REDDIT.finditer(passage.text):
            yield _handle(passage.text, *match.span(), STRONG)


def _names_account(match: re.Match[str]) -> bool:
    """Whether the word behind the cue is an account and not prose ("Telegram is great")."""
    name = match["name"].rstrip(".-")
    if len(name) < _SHORTEST_HANDLE:
        return False
    labelled = match["link"].strip() in {":", "="} and not _MORE_WORDS.match(match.string, match.end())
    return labelled or bool(_ACCOUNT_LIKE.search(name))


def _handle(text: str, start: int, end: int, score: float) -> Candidate:
    trimmed = start + len(text[start:end].rstrip(".-"))
    return Candidate(Span(start, trimmed), Category.SOCIAL_MEDIA_HANDLE, score, "account name")
