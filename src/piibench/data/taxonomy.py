"""The 7 PII types and 55 categories (Appendix A.2, Table 10).

A category fixes its type. Names are written as Table 10 prints them, with a plain apostrophe.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from piibench.errors import UnknownCategoryError

if TYPE_CHECKING:
    from collections.abc import Mapping


class PIIType(StrEnum):
    """The seven types of Appendix A.2, in the row order of Table 10."""

    PER = "PER"
    CODE = "CODE"
    LOC = "LOC"
    ORG = "ORG"
    DEM = "DEM"
    DATETIME = "DATETIME"
    QUANTITY = "QUANTITY"


class Category(StrEnum):
    """The 55 categories, in the row order of Table 10."""

    FULL_NAME = "Full Name"
    SOCIAL_MEDIA_HANDLE = "Social Media Handle"
    NICKNAME = "Nickname"
    SOCIAL_SECURITY_NUMBER = "Social Security Number"
    DRIVERS_LICENSE = "Driver's License"
    BANK_ACCOUNT = "Bank Account"
    CREDIT_CARD = "Credit Card"
    PHONE_NUMBER = "Phone Number"
    IP_ADDRESS = "IP Address"
    EMAIL_ADDRESS = "Email Address"
    PASSWORD_HASH = "Password Hash"  # noqa: S105 - the name of a category
    PASSPORT_NUMBER = "Passport Number"
    TAX_ID = "Tax ID"
    EMPLOYEE_ID = "Employee ID"
    STUDENT_ID = "Student ID"
    STREET_ADDRESS = "Street Address"
    CITY_REGION = "City/Region"
    LANDMARK = "Landmark"
    COMPANY_NAME = "Company Name"
    EDUCATIONAL_INSTITUTION = "Educational Institution"
    GOVERNMENT_AGENCY = "Government Agency"
    NGO = "NGO"
    HEALTHCARE_FACILITY = "Healthcare Facility"
    OCCUPATION = "Occupation"
    AGE = "Age"
    GENDER = "Gender"
    HEIGHT = "Height"
    WEIGHT = "Weight"
    BLOOD_TYPE = "Blood Type"
    SEXUAL_ORIENTATION = "Sexual Orientation"
    NATIONALITY = "Nationality"
    ETHNICITY = "Ethnicity"
    RACE = "Race"
    RELIGIOUS_BELIEF = "Religious Belief"
    POLITICAL_AFFILIATION = "Political Affiliation"
    EDUCATION_LEVEL = "Education Level"
    ACADEMIC_DEGREE = "Academic Degree"
    PHYSICAL_FEATURES = "Physical Features"
    MEDICAL_CONDITION = "Medical Condition"
    DISABILITY_STATUS = "Disability Status"
    DATE = "Date"
    TIME = "Time"
    DURATION = "Duration"
    MONTHLY_INCOME = "Monthly Income"
    MONTHLY_EXPENSES = "Monthly Expenses"
    ACCOUNT_BALANCE = "Account Balance"
    LOAN_AMOUNT = "Loan Amount"
    ANNUAL_BONUS = "Annual Bonus"
    CREDIT_LIMIT = "Credit Limit"
    SOCIAL_SECURITY_PAYMENT = "Social Security Payment"
    TAX_PAYMENT = "Tax Payment"
    DEBT_RATIO = "Debt Ratio"
    INVESTMENT_RETURN = "Investment Return"
    ROI = "ROI"
    CREDIT_SCORE = "Credit Score"


Identifier = Literal["direct", "quasi"]
Approach = Literal["rule", "llm"]


@dataclass(frozen=True, slots=True)
class CategoryInfo:
    """One row of Table 10.

    Attributes:
        category: The category.
        type: The PII type it fixes.
        identifier: "direct" singles a person out alone, "quasi" only together with others (A.1).
        approach: How the paper generates values: "rule" or "llm" (Appendix B).
        format: The format constraint as printed, or "-".
        gloss: What counts as one, in one line.
    """

    category: Category
    type: PIIType
    identifier: Identifier
    approach: Approach
    format: str
    gloss: str


def _rows() -> tuple[CategoryInfo, ...]:
    c = Category
    rows: list[CategoryInfo] = []

    def section(pii_type: PIIType, *entries: tuple[Category, Identifier, Approach, str, str]) -> None:
        rows.extend(CategoryInfo(e[0], pii_type, *e[1:]) for e in entries)

    section(
        PIIType.PER,
        (
            c.FULL_NAME,
            "direct",
            "rule",
            "[First Name] [Last Name]",
            "given and family name of a person, without titles",
        ),
        (
            c.SOCIAL_MEDIA_HANDLE,
            "direct",
            "rule",
            "[@][a-zA-Z0-9]{5,15}",
            "account name on a social platform",
        ),
        (c.NICKNAME, "direct", "llm", "-", "first name alone, pet name, alias or name a person goes by"),
    )
    section(
        PIIType.CODE,
        (
            c.SOCIAL_SECURITY_NUMBER,
            "direct",
            "rule",
            "XXX-XX-XXXX",
            "number of a social or national insurance scheme",
        ),
        (c.DRIVERS_LICENSE, "direct", "rule", "[A-Z][0-9]{8}", "number of a driving licence"),
        (c.BANK_ACCOUNT, "direct", "rule", "[0-9]{10,12}", "bank account number or IBAN"),
        (c.CREDIT_CARD, "direct", "rule", "[0-9]{16}", "payment card number, whole or partly masked"),
        (c.PHONE_NUMBER, "direct", "rule", "+[0-9]{1,3}-[0-9]{10}", "telephone, mobile or fax number"),
        (c.IP_ADDRESS, "direct", "rule", "IPv4/IPv6 format", "network address of a person's device"),
        (c.EMAIL_ADDRESS, "direct", "rule", "[user]@[domain].[tld]", "e-mail address"),
        (c.PASSWORD_HASH, "direct", "rule", "SHA-256", "hash of a password in hexadecimal or crypt form"),
        (c.PASSPORT_NUMBER, "direct", "rule", "[A-Z][0-9]{8}", "number of a passport"),
        (c.TAX_ID, "direct", "rule", "[0-9]{9}", "number under which a person pays tax"),
        (c.EMPLOYEE_ID, "direct", "rule", "[A-Z]{2}[0-9]{6}", "staff or badge number at an employer"),
        (c.STUDENT_ID, "direct", "rule", "[0-9]{8}", "matriculation or pupil number at a school"),
    )
    section(
        PIIType.LOC,
        (c.STREET_ADDRESS, "direct", "llm", "-", "postal address of a home or workplace, as one value"),
        (c.CITY_REGION, "quasi", "llm", "-", "town, district, state, country or region tied to a person"),
        (c.LANDMARK, "quasi", "llm", "-", "named sight, park, building or natural feature"),
    )
    section(
        PIIType.ORG,
        (c.COMPANY_NAME, "quasi", "llm", "-", "business that employs or serves a person"),
        (c.EDUCATIONAL_INSTITUTION, "quasi", "llm", "-", "school, college, university or training centre"),
        (c.GOVERNMENT_AGENCY, "quasi", "llm", "-", "ministry, office, court, council or police force"),
        (c.NGO, "quasi", "llm", "-", "charity, association, union or other non-profit body"),
        (c.HEALTHCARE_FACILITY, "quasi", "llm", "-", "hospital, clinic, practice, pharmacy or care home"),
    )
    section(
        PIIType.DEM,
        (c.OCCUPATION, "quasi", "rule", "Predefined list", "job or profession a person has or had"),
        (c.AGE, "quasi", "rule", "[0-9]{1,3}", "age of a person in years or months"),
        (c.GENDER, "quasi", "rule", "Binary/Non-binary", "gender a person states or is described with"),
        (c.HEIGHT, "quasi", "rule", "[0-9]{3}cm/[0-9]'[0-9]\"", "body height"),
        (c.WEIGHT, "quasi", "rule", "[0-9]{2,3}kg/lbs", "body weight"),
        (c.BLOOD_TYPE, "quasi", "rule", "A/B/O[+-]", "ABO blood group with or without Rh factor"),
        (
            c.SEXUAL_ORIENTATION,
            "quasi",
            "rule",
            "Predefined list",
            "orientation a person states or is described with",
        ),
        (c.NATIONALITY, "quasi", "llm", "-", "citizenship or country a person is a national of"),
        (c.ETHNICITY, "quasi", "llm", "-", "ethnic or cultural group"),
        (c.RACE, "quasi", "llm", "-", "racial group as used in forms and statistics"),
        (c.RELIGIOUS_BELIEF, "quasi", "llm", "-", "religion, denomination or lack of one"),
        (c.POLITICAL_AFFILIATION, "quasi", "llm", "-", "party, movement or political leaning"),
        (c.EDUCATION_LEVEL, "quasi", "llm", "-", "highest schooling reached, without a subject"),
        (c.ACADEMIC_DEGREE, "quasi", "llm", "-", "degree with its subject or its abbreviation"),
        (c.PHYSICAL_FEATURES, "quasi", "llm", "-", "visible trait: eyes, hair, build, scar, tattoo"),
        (c.MEDICAL_CONDITION, "quasi", "llm", "-", "illness, allergy, injury or diagnosis"),
        (c.DISABILITY_STATUS, "quasi", "llm", "-", "lasting impairment or recognised degree of disability"),
    )
    section(
        PIIType.DATETIME,
        (c.DATE, "quasi", "rule", "YYYY-MM-DD", "calendar date or year tied to a person"),
        (c.TIME, "quasi", "rule", "HH:MM:SS", "time of day tied to a person"),
        (c.DURATION, "quasi", "rule", "[0-9]+[dhms]", "length of time something about a person lasted"),
    )
    section(
        PIIType.QUANTITY,
        (c.MONTHLY_INCOME, "quasi", "rule", "[Currency][0-9]+", "pay or other income"),
        (c.MONTHLY_EXPENSES, "quasi", "rule", "[Currency][0-9]+", "rent, bills and other running costs"),
        (c.ACCOUNT_BALANCE, "quasi", "rule", "[Currency][0-9]+", "money held in an account, savings"),
        (c.LOAN_AMOUNT, "quasi", "rule", "[Currency][0-9]+", "mortgage, loan or other debt"),
        (c.ANNUAL_BONUS, "quasi", "rule", "[Currency][0-9]+", "yearly bonus or premium"),
        (c.CREDIT_LIMIT, "quasi", "rule", "[Currency][0-9]+", "limit of a card or credit line"),
        (
            c.SOCIAL_SECURITY_PAYMENT,
            "quasi",
            "rule",
            "[Currency][0-9]+",
            "state pension, benefit or contribution",
        ),
        (c.TAX_PAYMENT, "quasi", "rule", "[Currency][0-9]+", "tax paid, owed or refunded"),
        (c.DEBT_RATIO, "quasi", "rule", "[0-9]{1,2}.[0-9]{2}%", "debt in relation to income or assets"),
        (
            c.INVESTMENT_RETURN,
            "quasi",
            "rule",
            "[0-9]{1,2}.[0-9]{2}%",
            "yield of a portfolio, fund or deposit",
        ),
        (c.ROI, "quasi", "rule", "[0-9]{1,2}.[0-9]{2}%", "return on a single investment or business"),
        (c.CREDIT_SCORE, "quasi", "rule", "[300-850]", "score of creditworthiness"),
    )
    return tuple(rows)


TAXONOMY: tuple[CategoryInfo, ...] = _rows()
INFO: Mapping[Category, CategoryInfo] = MappingProxyType({row.category: row for row in TAXONOMY})
TYPE_OF: Mapping[Category, PIIType] = MappingProxyType({row.category: row.type for row in TAXONOMY})


def parse_category(name: str) -> Category:
    """Return the category that a name of Table 10 stands for.

    Case, surrounding space and the apostrophe's form do not matter.

    Raises:
        UnknownCategoryError: The name is none of the 55; the message names the nearest ones.
    """
    plain = name.strip().replace("\u2019", "'")
    by_folded = {category.casefold(): category for category in Category}
    if found := by_folded.get(plain.casefold()):
        return found
    near = difflib.get_close_matches(plain.casefold(), by_folded, n=2, cutoff=0.6)
    hint = " or ".join(f'"{by_folded[key]}"' for key in near) or "a name that `piibench taxonomy` lists"
    msg = f"unknown category; use {hint}"
    raise UnknownCategoryError(msg)
