"""How people who ask say who they are: for queries that state an identifier of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from piibench.data.taxonomy import Category

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAMED = (
    ("I'm ", ".", True),
    ("This is ", " here.", True),
    ("Hi, ", " speaking -", True),
    ("my name is ", ",", True),
    ("(for ", ")", True),
    ("Regards, ", "", False),
    ("- ", "", False),
    ("Sign it as ", " please.", False),
    ("Does the same go for ", "?", False),
    ("thx, ", "", False),
)
_CALLED = (
    ("You can reach me on ", ".", False),
    ("call ", " if anything is unclear", False),
    ("(tel. ", ")", False),
    ("I'm calling from ", ":", True),
    ("text me the answer: ", "", False),
)
_WRITTEN = (
    ("Please reply to ", ".", False),
    ("send it to ", " when done", False),
    ("my mail is ", ",", True),
    ("cc ", "", False),
)
_LIVING = (
    ("I live at ", ".", True),
    ("Post it to ", ".", False),
    ("We are at ", ", by the way.", False),
    ("deliver to ", "", False),
)


def _numbered(*names: str) -> tuple[tuple[str, str, bool], ...]:
    return tuple(
        form
        for name in names
        for form in (
            (f"My {name} is ", ".", True),
            (f"{name}: ", "", False),
            (f"For your records, {name} ", ".", False),
            (f"re {name} ", " -", True),
        )
    )


INTRODUCTIONS: Mapping[Category, tuple[tuple[str, str, bool], ...]] = {
    Category.FULL_NAME: _NAMED,
    Category.NICKNAME: _NAMED,
    Category.SOCIAL_MEDIA_HANDLE: (
        ("I'm ", " on there.", True),
        ("tag ", "", False),
        ("My handle is ", ".", False),
    ),
    Category.PHONE_NUMBER: _CALLED,
    Category.EMAIL_ADDRESS: _WRITTEN,
    Category.STREET_ADDRESS: _LIVING,
    Category.SOCIAL_SECURITY_NUMBER: _numbered("SSN", "social security number", "NI number"),
    Category.DRIVERS_LICENSE: _numbered("licence number", "driver's license"),
    Category.BANK_ACCOUNT: _numbered("account", "IBAN", "bank account number"),
    Category.CREDIT_CARD: _numbered("card", "card number"),
    Category.IP_ADDRESS: _numbered("IP", "address on the network"),
    Category.PASSWORD_HASH: _numbered("hash", "stored password"),
    Category.PASSPORT_NUMBER: _numbered("passport", "passport no."),
    Category.TAX_ID: _numbered("tax number", "TIN"),
    Category.EMPLOYEE_ID: _numbered("staff number", "employee ID", "badge"),
    Category.STUDENT_ID: _numbered("student number", "matriculation number"),
}
"""By category: what stands before the value, what behind it, and whether all of it opens the query."""
