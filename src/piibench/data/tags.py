"""Other people's words for the 7 types and the 55 categories.

`TAGS` lists wordings of the released PII-Bench data and near relatives of Table 10's names; `LABELS` lists
the entity labels of general PII data sets, many of which fix only the type.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from piibench.data.taxonomy import TYPE_OF, Category, PIIType

if TYPE_CHECKING:
    from collections.abc import Mapping

_c, _t = Category, PIIType

TAGS: Mapping[Category, tuple[str, ...]] = MappingProxyType(
    {
        _c.FULL_NAME: ("Name", "Person Name", "Real Name", "Complete Name", "First and Last Name"),
        _c.SOCIAL_MEDIA_HANDLE: (
            "Social Media Account",
            "Social Media Username",
            "Social Media",
            "Social Account",
            "Username",
            "User Name",
            "Online Handle",
            "Screen Name",
        ),
        _c.NICKNAME: ("Alias", "First Name", "Given Name", "Pet Name", "Preferred Name"),
        _c.SOCIAL_SECURITY_NUMBER: (
            "SSN",
            "Social Security",
            "Social Insurance Number",
            "National Insurance Number",
        ),
        _c.DRIVERS_LICENSE: (
            "Driver License",
            "Driving License",
            "Driving Licence",
            "Driver's Licence",
            "Driver's License Number",
            "Driver License Number",
            "Driving Licence Number",
        ),
        _c.BANK_ACCOUNT: ("Bank Account Number", "Bank Card Number", "Account Number", "IBAN", "IBAN Code"),
        _c.CREDIT_CARD: ("Credit Card Number", "Debit Card Number", "Payment Card Number", "Card Number"),
        _c.PHONE_NUMBER: (
            "Phone",
            "Telephone",
            "Telephone Number",
            "Mobile Phone",
            "Mobile Number",
            "Fax Number",
        ),
        _c.IP_ADDRESS: ("IP", "IPv4", "IPv6", "IPv4 Address", "IPv6 Address", "Internet Protocol Address"),
        _c.EMAIL_ADDRESS: ("Email", "E-mail", "E-mail Address", "Mail Address"),
        _c.PASSWORD_HASH: ("Password", "Hashed Password", "Password Hash Value", "Hash"),
        _c.PASSPORT_NUMBER: ("Passport", "Passport ID", "Passport No"),
        _c.TAX_ID: (
            "Tax Number",
            "Tax ID Number",
            "Tax Identification Number",
            "Taxpayer Identification Number",
            "Taxpayer ID",
            "TIN",
        ),
        _c.EMPLOYEE_ID: (
            "Employee Number",
            "Employee ID Number",
            "Staff ID",
            "Staff Number",
            "Work ID",
            "Job Number",
        ),
        _c.STUDENT_ID: ("Student Number", "Student ID Number", "Matriculation Number"),
        _c.STREET_ADDRESS: (
            "Address",
            "Detailed Address",
            "Home Address",
            "Work Address",
            "Residential Address",
            "Mailing Address",
            "Work or Home Address",
            "Home or Work Address",
            "Work or Home Detailed Address",
            "Home or Work Detailed Address",
        ),
        _c.CITY_REGION: (
            "City",
            "Region",
            "City or Region",
            "City and Region",
            "City or Region Name",
            "City Name",
            "Province",
            "State",
            "Country",
            "Geographic Region",
        ),
        _c.LANDMARK: (
            "Landmark Name",
            "Landmark Building",
            "Famous Landmark",
            "Scenic Spot",
            "Place of Interest",
        ),
        _c.COMPANY_NAME: (
            "Company",
            "Employer",
            "Business Name",
            "Corporation",
            "Corporate Name",
            "Enterprise Name",
        ),
        _c.EDUCATIONAL_INSTITUTION: (
            "Educational Institution Name",
            "Education Institution",
            "Education Institution Name",
            "School",
            "School Name",
            "University",
            "University Name",
        ),
        _c.GOVERNMENT_AGENCY: (
            "Government Agency Name",
            "Government",
            "Government Department",
            "Government Institution",
            "Government Institution Name",
            "Government Organization",
            "Government Organization Name",
        ),
        _c.NGO: (
            "NGO Name",
            "Non-Governmental Organization",
            "Non-Governmental Organization Name",
            "Nongovernmental Organization",
            "Non-Profit Organization",
            "Non-Profit Organization Name",
            "Charity",
        ),
        _c.HEALTHCARE_FACILITY: (
            "Healthcare Facility Name",
            "Health Care Facility",
            "Healthcare Institution",
            "Healthcare Institution Name",
            "Medical Institution",
            "Medical Institution Name",
            "Medical Facility",
            "Hospital",
            "Hospital Name",
        ),
        _c.OCCUPATION: ("Job", "Job Title", "Profession", "Position", "Occupation Name", "Career"),
        _c.AGE: ("Age in Years",),
        _c.GENDER: ("Sex", "Gender Identity"),
        _c.HEIGHT: ("Body Height", "Stature"),
        _c.WEIGHT: ("Body Weight",),
        _c.BLOOD_TYPE: ("Blood Group",),
        _c.SEXUAL_ORIENTATION: ("Sexuality", "Sexual Preference"),
        _c.NATIONALITY: ("Citizenship",),
        _c.ETHNICITY: ("Ethnic Group", "Ethnic Background", "Ethnic Origin"),
        _c.RACE: ("Racial Group", "Racial Background"),
        _c.RELIGIOUS_BELIEF: ("Religion", "Religious Affiliation", "Faith", "Belief"),
        _c.POLITICAL_AFFILIATION: (
            "Political Party",
            "Political Orientation",
            "Political View",
            "Political Stance",
            "Political Status",
        ),
        _c.EDUCATION_LEVEL: (
            "Education",
            "Level of Education",
            "Educational Level",
            "Educational Background",
        ),
        _c.ACADEMIC_DEGREE: ("Degree", "Academic Degree Name", "Degree Obtained"),
        _c.PHYSICAL_FEATURES: (
            "Physical Characteristic",
            "Appearance",
            "Physical Appearance",
            "Appearance Feature",
        ),
        _c.MEDICAL_CONDITION: (
            "Health Status",
            "Health Condition",
            "Medical History",
            "Disease",
            "Disease Name",
            "Illness",
            "Diagnosis",
        ),
        _c.DISABILITY_STATUS: ("Disability", "Disability Condition", "Disability Type"),
        _c.DATE: ("Specific Date", "Calendar Date", "Date of Birth", "Birthday", "Birth Date", "Year"),
        _c.TIME: ("Specific Time", "Specific Time Point", "Time of Day", "Time Point", "Clock Time"),
        _c.DURATION: ("Time Duration", "Specific Duration", "Duration of Time", "Time Period", "Time Span"),
        _c.MONTHLY_INCOME: ("Income", "Salary", "Wage", "Monthly Salary", "Annual Income"),
        _c.MONTHLY_EXPENSES: ("Expense", "Expenditure", "Monthly Expenditure", "Monthly Spending"),
        _c.ACCOUNT_BALANCE: ("Bank Account Balance", "Bank Balance", "Balance", "Savings", "Deposit Amount"),
        _c.LOAN_AMOUNT: ("Loan", "Debt", "Mortgage", "Mortgage Amount"),
        _c.ANNUAL_BONUS: ("Bonus", "Year-End Bonus", "Yearly Bonus"),
        _c.CREDIT_LIMIT: ("Credit Card Limit", "Credit Line"),
        _c.SOCIAL_SECURITY_PAYMENT: (
            "Social Security Payment Amount",
            "Social Security Contribution",
            "Social Security Benefit",
            "Social Insurance Payment",
            "Pension",
        ),
        _c.TAX_PAYMENT: ("Tax", "Tax Amount", "Tax Payment Amount", "Taxes Paid"),
        _c.DEBT_RATIO: (
            "Debt to Income Ratio",
            "Debt-Income Ratio",
            "Debt to Asset Ratio",
            "Liability Ratio",
        ),
        _c.INVESTMENT_RETURN: ("Investment Yield", "Investment Return Rate"),
        _c.ROI: ("Return on Investment", "ROI Rate", "Return on Investment Rate"),
        _c.CREDIT_SCORE: ("Credit Rating", "Credit Rating Score", "Personal Credit Score"),
    }
)
"""Category -> wordings other than its own name; case, punctuation and a plural s do not matter."""

TYPES: Mapping[str, PIIType] = MappingProxyType(
    {type_.casefold(): type_ for type_ in PIIType}
    | {
        "person": _t.PER,
        "name": _t.PER,
        "location": _t.LOC,
        "organization": _t.ORG,
        "organisation": _t.ORG,
        "demographic": _t.DEM,
        "demographics": _t.DEM,
        "date_time": _t.DATETIME,
        "date": _t.DATETIME,
        "time": _t.DATETIME,
    }
)
"""Wordings of the seven types, casefolded."""


class Label(NamedTuple):
    """What a foreign label says: a type, and a category where it fixes one."""

    type: PIIType
    category: Category | None = None


def _label(category: Category) -> Label:
    return Label(TYPE_OF[category], category)


LABELS: Mapping[str, Label | None] = MappingProxyType(
    {
        "PERSON": Label(_t.PER),
        "PER": Label(_t.PER),
        "FIRST_NAME": _label(_c.NICKNAME),
        "LAST_NAME": _label(_c.FULL_NAME),
        "USERNAME": _label(_c.SOCIAL_MEDIA_HANDLE),
        "ADDRESS": _label(_c.STREET_ADDRESS),
        "STREET_ADDRESS": _label(_c.STREET_ADDRESS),
        "GPE": _label(_c.CITY_REGION),
        "CITY": _label(_c.CITY_REGION),
        "STATE": _label(_c.CITY_REGION),
        "COUNTRY": _label(_c.CITY_REGION),
        "LOCATION": Label(_t.LOC),
        "LOC": Label(_t.LOC),
        "FAC": Label(_t.LOC),
        "ZIP_CODE": Label(_t.LOC),
        "ORGANIZATION": Label(_t.ORG),
        "ORG": Label(_t.ORG),
        "PHONE_NUMBER": _label(_c.PHONE_NUMBER),
        "PHONE": _label(_c.PHONE_NUMBER),
        "EMAIL_ADDRESS": _label(_c.EMAIL_ADDRESS),
        "EMAIL": _label(_c.EMAIL_ADDRESS),
        "IP_ADDRESS": _label(_c.IP_ADDRESS),
        "CREDIT_CARD": _label(_c.CREDIT_CARD),
        "IBAN_CODE": _label(_c.BANK_ACCOUNT),
        "US_BANK_NUMBER": _label(_c.BANK_ACCOUNT),
        "US_SSN": _label(_c.SOCIAL_SECURITY_NUMBER),
        "US_ITIN": _label(_c.TAX_ID),
        "US_DRIVER_LICENSE": _label(_c.DRIVERS_LICENSE),
        "US_PASSPORT": _label(_c.PASSPORT_NUMBER),
        "UK_NINO": _label(_c.SOCIAL_SECURITY_NUMBER),
        "UK_NHS": Label(_t.CODE),
        "MEDICAL_LICENSE": Label(_t.CODE),
        "CRYPTO": Label(_t.CODE),
        "ID": Label(_t.CODE),
        "AGE": _label(_c.AGE),
        "NATIONALITY": _label(_c.NATIONALITY),
        "RELIGION": _label(_c.RELIGIOUS_BELIEF),
        "NRP": Label(_t.DEM),
        "DATE_TIME": Label(_t.DATETIME),
        "DATE": _label(_c.DATE),
        "TIME": _label(_c.TIME),
        "TITLE": None,
        "PREFIX": None,
        "DOMAIN_NAME": None,
        "URL": None,
    }
)
"""Label of presidio-research, lifebench-pii and relatives; None: no PII in the sense of Table 10.

NRP joins nationality, religion and politics, DATE_TIME dates, times and durations: they fix only the type.
"""


_PLURAL = re.compile(r"(?<=..)[es]+$")
"""Off go "s" and "es", and with them the end of "address" and "age": each wording is folded the same way."""


def find_category(tag: str) -> Category | None:
    """Return the category that a tag's wording stands for; None where no wording is known."""
    return _BY_FOLDED.get(_fold(tag))


def find_type(label: str) -> PIIType | None:
    """Return the type that a label's wording stands for; None where no wording is known."""
    return TYPES.get(label.strip().casefold())


def _fold(tag: str) -> str:
    plain = tag.casefold().replace("\u2019", "'").replace("'s", "").replace("'", "")
    return " ".join(_PLURAL.sub("", word) for word in re.findall(r"[a-z0-9]+", plain))


_BY_FOLDED: Mapping[str, Category] = MappingProxyType(
    {_fold(name): category for category in reversed(Category) for name in (category, *TAGS[category])}
)
