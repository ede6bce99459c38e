"""CODE: telephone numbers, e-mail and network addresses, password hashes (Table 10).

Addresses come from blocks kept for documentation (RFC 2606, 3849, 5737), telephone numbers from blocks kept
for fiction or held by no operator (`values/phones.txt`), hashes from chance. Some Swedish, Japanese,
Australian and Kenyan numbers may be somebody's: other ones would change `pii-bench-v1`.
"""

from __future__ import annotations

import base64
from functools import cache
from ipaddress import IPv6Address
from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category
from piibench.generators.base import Maker
from piibench.generators.persons import draw_name, fold_ascii
from piibench.generators.shapes import draw_digits, draw_hex, fill
from piibench.generators.stems import list_stems
from piibench.generators.wordlists import happens, pick, read_rows, split_words

if TYPE_CHECKING:
    from random import Random

    from piibench.generators.base import Request

_IPV4_BLOCKS = ("192.0.2", "198.51.100", "203.0.113")
_IPV6_BLOCK = 0x20010DB8 << 96
_PLAIN_DOMAINS = ("example.com", "example.org", "example.net")
_CRYPT = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


@cache
def _phones(culture: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    rows = (row for row in read_rows("phones") if row[0] == culture)
    return next((code, split_words(paper), split_words(world, ";")) for _, code, paper, world in rows)


def _draw_phone(request: Request) -> str:
    code, paper, world = _phones(request.background.culture)
    if request.is_world:
        return fill(request.rng, pick(request.rng, world))
    return f"+{code}-{fill(request.rng, pick(request.rng, paper))}"


def _draw_ip(request: Request) -> str:
    rng = request.rng
    if happens(rng, 0.7):
        return f"{pick(rng, _IPV4_BLOCKS)}.{rng.randrange(1, 255)}"
    bits = rng.getrandbits(96) if happens(rng, 0.5) else rng.getrandbits(32) << 64 | rng.getrandbits(16)
    address = IPv6Address(_IPV6_BLOCK | bits)
    if not request.is_world:
        return str(address)
    return pick(rng, (str(address), address.exploded, str(address).upper()))


def _draw_email(request: Request) -> str:
    rng, background = request.rng, request.background
    name = background.name or draw_name(rng, background)
    given, family = fold_ascii(name.given), fold_ascii(name.family)
    word = pick(rng, list_stems("handle", background.partition))
    users = [
        f"{given}.{word}",
        f"{given}{draw_digits(rng, 2)}",
        f"{given}.{family}",
        f"{given[0]}.{family}",
        f"{given[0]}{family}{draw_digits(rng, 2)}",
        f"{word}.{given}",
    ]
    if not request.is_world:
        return f"{pick(rng, users)}@{pick(rng, _PLAIN_DOMAINS)}"
    users += [
        f"{given}_{family}",
        f"{family}.{given}",
        f"{given}+{word}",
        f"{given}-{word}",
        f"{word}{draw_digits(rng, 3)}",
        f"{name.given[0]}.{family.title()}",
        f"{given}{family[0]}",
    ]
    host = pick(rng, list_stems("mail", background.partition))
    office = fold_ascii(pick(rng, list_stems("brand", background.partition)))
    domains = (
        *_PLAIN_DOMAINS,
        f"{host}.example",
        f"{office}.example",
        f"mail.{office}.example",
        f"{host}.example.org",
    )
    return f"{pick(rng, users)}@{pick(rng, domains)}"


def _draw_base64(rng: Random, n: int) -> str:
    return base64.b64encode(rng.randbytes(n)).decode().rstrip("=")


def _draw_crypt(rng: Random, n: int) -> str:
    return "".join(pick(rng, _CRYPT) for _ in range(n))


def _draw_hash(request: Request) -> str:
    rng = request.rng
    if not request.is_world:
        return draw_hex(rng, 64)
    shapes = (
        lambda: draw_hex(rng, 64),
        lambda: draw_hex(rng, 64).upper(),
        lambda: draw_hex(rng, 32),
        lambda: draw_hex(rng, 40),
        lambda: draw_hex(rng, 128),
        lambda: f"$2b${rng.randrange(10, 14)}${_draw_crypt(rng, 53)}",
        lambda: f"$2a$10${_draw_crypt(rng, 53)}",
        lambda: f"$argon2id$v=19$m=65536,t=3,p=4${_draw_base64(rng, 16)}${_draw_base64(rng, 32)}",
        lambda: f"$1${_draw_crypt(rng, 8)}${_draw_crypt(rng, 22)}",
        lambda: f"$6${_draw_crypt(rng, 16)}${_draw_crypt(rng, 86)}",
        lambda: f"pbkdf2_sha256$600000${_draw_crypt(rng, 12)}${_draw_base64(rng, 32)}=",
        lambda: f"sha256:{draw_hex(rng, 64)}",
    )
    return pick(rng, shapes)()


def _write(text: str, _request: Request) -> str:
    return text


MAKERS = {
    Category.PHONE_NUMBER: Maker(_draw_phone, _write),
    Category.IP_ADDRESS: Maker(_draw_ip, _write),
    Category.EMAIL_ADDRESS: Maker(_draw_email, _write),
    Category.PASSWORD_HASH: Maker(_draw_hash, _write),
}
