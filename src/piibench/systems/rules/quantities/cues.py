"""The words that say what an amount is: category -> cue words, in the row order that settles ties."""

from __future__ import annotations

from typing import Final

from piibench.data.taxonomy import Category
from piibench.systems.rules.cues import CueTable

A_PRICE: Final = None
"""Meaning of the cues of prices, discounts and other amounts about things."""

QUANTITY_CUE_WORDS: dict[Category | None, str] = {
    A_PRICE: (
        r"costs?|priced?(?: at)?|discount(?:ed)?|on sale|coupon|voucher|off|tickets?|coffee|sandwich"
        r"|sale price|retail|msrp|fare|weigh(?:s|ed|t)?|gdp|inflation|inflows?|outflows?|population"
        r"|stock price|share price|market cap|turnover|revenue|net sales|donat(?:ed|ion)s?|raised"
        r"|tax free|unemployment rate|battery|humidity|accuracy|attendance|turnout|oxygen|saturation"
        r"|grade|exam|gpa|test score"
    ),
    Category.CREDIT_SCORE: (
        r"credit (?:score|rating|report)s?|fico|cibil|schufa|vantage ?score|equifax|experian|transunion"
        r"|beacon score|credit karma|sesame credit|credit scoring|creditworthiness"
    ),
    Category.CREDIT_LIMIT: (
        r"credit (?:limit|line|ceiling)s?|line of credit|card limit"
        r"|limit on (?:the|my|her|his|their) (?:credit )?card|spending limit|credit facility"
        r"|overdraft limit|limit"
    ),
    Category.DEBT_RATIO: (
        r"debt(?: to)?(?: (?:income|equity|asset|service|capital))? ratio"
        r"|debt to (?:income|equity|assets?)|dti|leverage(?: ratio)?|debt ratio|debt burden|indebtedness"
        r"|gearing|loan to value|ltv|debt (?:level|load)"
    ),
    Category.ROI: r"roic?|returns? on (?:(?:the|my|her|his|their) )?investments?|paid back",
    Category.LOAN_AMOUNT: (
        r"(?:credit card|card|outstanding|loan|mortgage|student) (?:balance|debts?)"
        r"|(?:home|car|student|personal|auto|bank|business) loans?|loans?|mortgaged?|debts?"
        r"|ow(?:e|es|ed|ing)|borrow(?:s|ed|ing)?|financ(?:ed|ing)|overdraft|overdrawn|lent|principal"
        r"|credit of|arrears|repay(?:ing)?|hypothek|pay(?:ing)? back|line drawn"
    ),
    Category.TAX_PAYMENT: (
        r"(?:income|property|council|capital gains|inheritance|withholding|estimated|back|road|state"
        r"|federal) tax(?:es)?"
        r"|(?<!after )(?<!before )(?<!pre )(?<!post )(?<!net of )tax(?:es)?(?: (?:refund|bill|payment"
        r"|return|liability|rebate|due|deducted|paid|withheld))?|refund from the (?:irs|tax office)|irs"
        r"|hmrc|withh(?:olding|eld)|vat|tds|gst paid|paye|finanzamt|zakat|tax office"
    ),
    Category.SOCIAL_SECURITY_PAYMENT: (
        r"(?:state )?pensions?|social security(?: (?:payments?|benefits?|contributions?|check))?|ssdi|ssi"
        r"|(?:unemployment|child|disability|housing|jobseeker'?s|sickness|maternity|carer'?s|survivor'?s"
        r"|widow'?s) (?:benefits?|allowance|pay)|benefits|universal credit|welfare"
        r"|national insurance(?: contributions?)?|unemployment|jobseeker'?s allowance|pip"
        r"|attendance allowance|kindergeld|bürgergeld|arbeitslosengeld|social insurance|provident fund"
        r"|epf|cpf contribution|disability|medicare|food stamps|snap"
    ),
    Category.ANNUAL_BONUS: (
        r"(?:annual|year end|yearly|performance|signing|christmas|holiday|retention|joining"
        r"|spot)? ?bonus(?:es)?|1[34]th (?:month )?salary|thirteenth (?:month )?(?:salary|pay)"
        r"|(?<!insurance )premium(?! of insurance)|gratification|aguinaldo|profit share|commission"
        r"|incentive|weihnachtsgeld"
    ),
    Category.INVESTMENT_RETURN: (
        r"(?:investment|portfolio|annual|annualised|annualized|average|total|fund'?s?"
        r"|yearly) (?:returns?|gains?|growth|yields?)|yield(?:s|ed|ing)?|dividends?|returns?|returned"
        r"|investments?|portfolio|(?:index|mutual|hedge|bond|equity) funds?|funds?|etfs?|gained|gains?"
        r"|capital gains?|stocks|bonds|shares|annuity|interest earned|earning interest|brokerage|crypto"
        r"|(?:savings|deposit) rate|apy|appreciated"
    ),
    Category.ACCOUNT_BALANCE: (
        r"(?:account |bank |current |closing |opening |available |savings )?balances?"
        r"|savings?(?: accounts?)?|sav(?:e|es|ed|ing)(?: up)?|in the bank"
        r"|account (?:holds|has|contains|shows)|accounts?|nest egg|deposits?|deposited|set aside"
        r"|put (?:aside|by|away)|emergency fund|rainy day|down payment|left in|cash|assets|net worth"
        r"|piggy bank|guthaben|sparkonto|girokonto|tagesgeld|funds available|checking|kept in|401 k|401k"
        r"|ira|isa|inherit(?:ed|ance)|money market"
    ),
    Category.MONTHLY_EXPENSES: (
        r"rents?(?:ed|ing|al)?|bills?|expenses?|spend(?:s|ing)?|spent|utilit(?:y|ies)|grocer(?:y|ies)"
        r"|tuition|school fees|childcare|daycare|nursery|electricity|heating|internet"
        r"|insurance(?: premiums?)?|maintenance|outgoings|living costs?|cost of living|fees"
        r"|subscriptions?|alimony|child support|(?:car|mortgage|loan|monthly) (?:payments?|instal+ments?)"
        r"|instal+ments?|repayments?|food|transport|commut\w{2,3}|medication|co ?pays?|out of pocket"
        r"|upkeep|(?:monthly|household|family|weekly) budget|outlay|lodging|parking|gym|miete"
        r"|expenditures?|remit\w{0,8}|sends? home|goes on|emi|care home|lease|phone bill|petrol|fuel"
    ),
    Category.MONTHLY_INCOME: (
        r"(?:net |gross |monthly |annual |base |yearly |basic |take home |household |disposable "
        r"|taxable )*(?:income|salary|salaries|wages?)"
        r"|(?:net|gross|base|basic|take home|monthly|weekly|annual|hourly|starting|sick|severance"
        r"|overtime|my|her|his|their|our) pay|earn(?:s|ed|ing|ings)?|tak(?:es?|ing) home|took home"
        r"|pay ?(?:check|cheque|slip|roll)s?|stipend|gets? paid|is paid|was paid|pays (?:me|him|her|them)"
        r"|mak(?:es?|ing)|made|bring(?:s|ing)? (?:in|home)|brought (?:in|home)|salaried|in hand|draws?"
        r"|compensation|remuneration|gehalt|lohn|ctc|package|freelanc\w{1,4}|tips|allowance"
        r"|hourly(?: rate)?|clear(?:s|ed)?|nets|nett?|gross|scholarship|invoices|profits?|lpa|per annum"
    ),
}
"""Category -> cue words on folded text. `A_PRICE` comes first: "20% off" is nobody's return."""

_TAIL = r"(?: ?(?:amount|total))?"

QUANTITY_CUES = CueTable(
    {meaning: f"(?:{words}){_TAIL}" for meaning, words in QUANTITY_CUE_WORDS.items()}, before=90, after=45
)
"""The table, each cue with the "amount" that may follow it, as in the field "salaryAmount"."""
