"""How queries state an identifier: people who ask say who they are, or name somebody else."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from piibench.data.taxonomy import Category

if TYPE_CHECKING:
    from collections.abc import Mapping


class Form(NamedTuple):
    """A sentence around a value, before the rest of the query or behind it."""

    before: str
    after: str
    opens: bool = True


_NAMED = (
    Form("I'm ", "."),
    Form("This is ", " here."),
    Form("Hi, ", " speaking -"),
    Form("my name is ", ","),
    Form("(for ", ")"),
    Form("", " asked me to check this."),
    Form("", " and I cannot agree:"),
    Form("as ", " told me yesterday,"),
    Form("I am asking for ", "."),
    Form("Regards, ", "", opens=False),
    Form("- ", "", opens=False),
    Form("Sign it as ", " please.", opens=False),
    Form("Does the same go for ", "?", opens=False),
    Form("thx, ", "", opens=False),
    Form("Should ", " be told?", opens=False),
    Form("what would ", " say to that", opens=False),
    Form("My neighbour ", " thinks it is simple.", opens=False),
    Form("Between us, ", " must not know.", opens=False),
    Form("Write it so that ", " understands it.", opens=False),
    Form("cc ", " and me", opens=False),
)
_CALLED = (
    Form("You can reach me on ", ".", opens=False),
    Form("call ", " if anything is unclear", opens=False),
    Form("(tel. ", ")", opens=False),
    Form("I'm calling from ", ":"),
    Form("text me the answer: ", "", opens=False),
)
_WRITTEN = (
    Form("Please reply to ", ".", opens=False),
    Form("send it to ", " when done", opens=False),
    Form("my mail is ", ","),
    Form("cc ", "", opens=False),
)
_LIVING = (
    Form("I live at ", "."),
    Form("Post it to ", ".", opens=False),
    Form("We are at ", ", by the way.", opens=False),
    Form("deliver to ", "", opens=False),
)


def _numbered(*names: str) -> tuple[Form, ...]:
    return tuple(
        form
        for name in names
        for form in (
            Form(f"My {name} is ", "."),
            Form(f"{name}: ", "", opens=False),
            Form(f"For your records, {name} ", ".", opens=False),
            Form(f"re {name} ", " -"),
        )
    )


INTRODUCTIONS: Mapping[Category, tuple[Form, ...]] = {
    Category.FULL_NAME: _NAMED,
    Category.NICKNAME: _NAMED,
    Category.SOCIAL_MEDIA_HANDLE: (
        Form("I'm ", " on there."),
        Form("tag ", "", opens=False),
        Form("My handle is ", ".", opens=False),
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
"""The sentences for each category that singles a person out."""
