"""The words that announce a code: category -> cue words, in the row order that settles ties."""

from __future__ import annotations

from typing import Final

from piibench.data.taxonomy import Category
from piibench.systems.rules.cues import CueTable

NOT_PERSONAL: Final = None
"""Meaning of the cues of numbers about things: orders, invoices, parcels, books, versions."""

CODE_CUE_WORDS: dict[Category | None, str] = {
    NOT_PERSONAL: (
        r"pin|otp|passcode|verification code|security code|cvv|cvc|prescription|rx|insurance"
        r"|member(?:ship)?|order|invoice|ticket|tracking|isbn|issn|ean|upc|sku|model|version|release"
        r"|serial|part number|part no|booking|reservation|confirmation|flight|room|parcel|shipment|docket"
        r"|purchase order|po|imei|batch|lot|postcode|post code|postal code|zip|zip code|area code|policy"
        r"|claim|case number|case no|reference|ref|commit|checksum|revision|doi|transaction|receipt"
        r"|coupon|voucher|meter|warranty|product|catalogue|item|page|population|voters"
        r"|(?:license |licence |number )?plate|(?:medical|nursing|business|software|liquor) licen[sc]e"
        r"|medical record|mrn|patient id|patient number|chart number|http status|error code"
    ),
    Category.DRIVERS_LICENSE: (
        r"driver'?s?'? (?:licen[sc]es?|permit)|driving (?:licen[sc]e|permit)|licen[sc]e"
        r"|dl(?: ?(?:number|no|n))?|dln|f(?:ü|ue)hrerschein\w*|permis de conduire|dvla|dmv"
    ),
    Category.PASSPORT_NUMBER: r"passports?|travel document|reisepass\w*|passeport|pasaporte",
    Category.STUDENT_ID: (
        r"student|matriculation|matric|matrikel\w*|enrol+ment|registration (?:number|no)"
        r"|roll (?:number|no)|pupil|campus id|university id|school id|admission (?:number|no)|learner"
    ),
    Category.EMPLOYEE_ID: (
        r"employee|emp(?: ?(?:id|no))?|staff|badge|personnel|payroll (?:number|no|id)|worker id"
        r"|clock (?:number|no)|colleague id|service number|crew id|hr id|personalnummer"
    ),
    Category.TAX_ID: (
        r"tax(?:payer)? (?:id(?:entification)?|number|no|ref(?:erence)?|file|code)|taxpayer|tin|itin|ein"
        r"|employer identification|tfn|vat(?: (?:id|no|number|reg\w*))?|pan(?: (?:card|number|no))?|nif"
        r"|nie|steuer\w*|utr|unique taxpayer|rfc|cnpj|cpf|nip|gstin|abn|partita iva|idnr|inn|tax id"
    ),
    Category.SOCIAL_SECURITY_NUMBER: (
        r"social security|ssn?|social insurance|national insurance|ni (?:number|no)|nino"
        r"|sin(?: (?:number|no))?|social(?! (?:media|work|club|service|housing|network))|aadhaa?r|bsn"
        r"|burgerservicenummer|pesel|codice fiscale|curp|resident id\w*"
        r"|identity (?:card|number|no|document)|id card|national id\w*|citizen id"
        r"|personal (?:id|number|identification number)|personnummer|dni|nric|individual number"
        r"|my number card|nhs (?:number|no)|medicare(?: (?:number|no))?|sozialversicherungs\w*|rvnr|nir"
        r"|s[ée]curit[ée] sociale|cnic|hkid|emirates id|id number"
    ),
    Category.CREDIT_CARD: (
        r"(?:credit|debit|bank|payment|charge|gift) ?cards?|cards?|visa|mastercard|master card|amex"
        r"|american express|maestro|discover|diners|cc|pan number|cardholder"
    ),
    Category.BANK_ACCOUNT: (
        r"(?:bank |checking |savings? |current |deposit )?account|acct|acc(?: (?:no|number))?|a c|a/c"
        r"|iban|sort code|routing|aba|bsb|clabe|konto\w*|kontonummer|cuenta|compte|transit|giro"
        r"|beneficiary|wire|direct deposit"
    ),
    Category.PHONE_NUMBER: (
        r"(?:tele)?phones?|tel|mobile|mob|cell(?:phone|ular)?|call(?:ed|ing)?|ring|dial"
        r"|text(?:ed)? (?:me|him|her|us|them)|text|reach(?:ed|able)?|whats ?app|fax|contact(?:ed)?"
        r"|hotline|landline|sms|handy|ph|pager|imessage|viber"
        r"|(?:my|his|her|their|our|new|old|work|home|office|best) number|hand ?phone|signal|tel[ée]fono"
        r"|telefon|t[ée]l[ée]phone|portable|celular|emergency contact|voicemail"
    ),
    Category.IP_ADDRESS: (
        r"ips?|ipv[46]|ip address|log(?:ged)? ?in"
        r"|host|server|router|subnet|dns|traceroute|connection"
    ),
    Category.PASSWORD_HASH: (
        r"(?:password|passwd|pw|pwd)(?: ?hash(?:es)?)?|hash(?:es|ed)?|md5|sha ?\d{0,3}|sha 2 256|bcrypt"
        r"|argon2|digest|salted|credentials?"
    ),
}
"""Category -> cue words on folded text. `NOT_PERSONAL` comes first: "order number" is no account."""

_TAIL = r"(?: ?(?:id|card|identification))?(?: ?(?:numbers?|num|no|nr|code))?"

CODE_CUES = CueTable({meaning: f"(?:{words}){_TAIL}" for meaning, words in CODE_CUE_WORDS.items()})
"""The table, each cue with the "ID number" that may follow it, so that "employee number" is one cue.

The space may be missing, as in names of fields: "employeeNumber"."""
