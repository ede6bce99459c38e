"""Names in scripts without capitals: Chinese, Japanese, Korean, Arabic, Hebrew, the scripts of India."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from piibench.data.mentions import Span
from piibench.data.taxonomy import Category
from piibench.systems.rules.candidates import LIKELY, STRONG, WEAK, Candidate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from piibench.systems.rules.passage import Passage

_CHINESE = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖"
    "贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤张陳楊黃趙吳孫馬鄭謝許馮鄧蕭葉蘇呂盧鍾譚陸廖賈"
    "韋鄒閻龍顧錢嚴湯溫莊"
)
_COMPOUND = "欧阳|司马|上官|诸葛|夏侯|皇甫|尉迟|公孙|慕容|令狐|歐陽|司馬"
_JAPANESE = (
    "佐藤|鈴木|高橋|田中|伊藤|渡辺|渡邊|山本|中村|小林|加藤|吉田|山田|佐々木|山口|松本|井上|木村|清水|山崎|池田|橋本|阿部|石川|中島|"
    "前田|藤田|小川|後藤|岡田|長谷川|村上|近藤|石井|斎藤|斉藤|坂本|遠藤|青木|藤井|西村|福田|太田|三浦|岡本|松田|中川|中野|原田|小野|"
    "竹内|金子|和田|中山|石田|上田|森田|柴田|酒井|宮崎|横山|高木|安藤|宮本|大野|小島|工藤|谷口|今井|高田|丸山|増田|杉山|村田|大塚|新井"
)
_KOREAN = "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민나진지엄채원천방공"

_CHINESE_CUE = re.compile(
    rf"(?:我叫|名叫|我是|姓名|名字是|名字叫|联系人|患者|病人|叫做|朋友|同事|女儿|儿子|妻子|丈夫)[:：是为]?\s?"
    rf"((?:{_COMPOUND}|[{_CHINESE}])[一-鿿]{{1,2}}?)(?=[，,。.；;！!、\s]|今年|住|在|是|的|今|电|手机|男|女|$)"
)
_CHINESE_TITLED = re.compile(
    rf"(?<![一-鿿])((?:{_COMPOUND}|[{_CHINESE}])[一-鿿]{{0,2}}?)(?=先生|女士|小姐|医生|老师|教授|经理|律师|同学)"
)
_CHINESE_ALONE = re.compile(
    rf"(?<![一-鿿぀-ヿ])(?:(?:{_COMPOUND})[一-鿿]{{1,2}}|[{_CHINESE}][一-鿿]{{1,2}})(?![一-鿿぀-ヿ])"
)
_JAPANESE_END = r"(?=さん|様|氏|くん|君|ちゃん|先生|です|と申|は|、|。|,|\s|$)"
_JAPANESE_NAME = re.compile(
    rf"(?<![一-鿿])(?:{_JAPANESE})(?:[ 　]?[一-鿿぀-ゟ]{{1,3}}?{_JAPANESE_END})?{_JAPANESE_END}"
)
_KOREAN_NAME = re.compile(
    rf"(?<![가-힣])(?!이름|성명|환자|담당)([{_KOREAN}][가-힣]{{2}})(?=\s?(?:씨|님|입니다|이고|이에요|예요|은|는|이|가|의|과|와|선생|교수|,|\.|\)|:|\s|$))"
)
_KOREAN_CUE = re.compile(
    r"(?:이름은|이름이|저는|성명|이름|환자|담당자)\s?[:：]?\s?([가-힣]{2,4}?)(?=입니다|이고|이에요|예요|라고|이며|,|\.|\s|$)"
)
_INTRODUCED = re.compile(
    r"(?:اسمي|انا اسمي|الاسم|اسم المريض|نام من|نام|میرا نام|שמי|קוראים לי|שם|मेरा नाम|नाम|আমার নাম|নাম"
    r"|என் பெயர்|பெயர்|ชื่อ|ผมชื่อ|ดิฉันชื่อ)"
    r"\s?[:：]?\s{1,2}([^\s\d,.،؛:;!?।\n]{2,15}(?: [^\s\d,.،؛:;!?।\n]{2,15})?)"
)
_IDEOGRAPHS, _HANGUL = re.compile(r"[一-鿿]"), re.compile(r"[가-힣]")
_CAPITALLESS = re.compile(r"[\u0590-\u06ff\u0900-\u0dff\u0e00-\u0e7f\u10a0-\u10ff]")


def find_caseless_names(passage: Passage) -> Iterator[Candidate]:
    """Propose names in scripts that know no capitals, by family names, cue words and tables."""
    text = passage.text
    if text.isascii():
        return
    if _IDEOGRAPHS.search(text):
        yield from _match(_CHINESE_CUE, text, STRONG, 1)
        yield from _match(_CHINESE_TITLED, text, STRONG, 1)
        yield from _match(_JAPANESE_NAME, text, LIKELY, 0)
        yield from _match(_CHINESE_ALONE, text, WEAK, 0)
    if _HANGUL.search(text):
        yield from _match(_KOREAN_CUE, text, STRONG, 1)
        yield from _match(_KOREAN_NAME, text, WEAK, 1)
    if _CAPITALLESS.search(text):
        yield from _match(_INTRODUCED, text, STRONG, 1)
        yield from _listed_pairs(passage)


def _match(pattern: re.Pattern[str], text: str, score: float, group: int) -> Iterator[Candidate]:
    for match in pattern.finditer(text):
        yield Candidate(
            Span(*match.span(group)), Category.FULL_NAME, score, "name in a script without capitals"
        )


def _listed_pairs(passage: Passage) -> Iterator[Candidate]:
    """Yield a listed first name that a listed family name follows, or the other way round."""
    text = passage.text
    firsts = {hit.start: hit.end for hit in passage.of("first_names") if _CAPITALLESS.match(text, hit.start)}
    lasts = {hit.start: hit.end for hit in passage.of("last_names") if _CAPITALLESS.match(text, hit.start)}
    for left, right in ((firsts, lasts), (lasts, firsts)):
        for start, end in left.items():
            if text[end : end + 1] == " " and end + 1 in right:
                span = Span(start, right[end + 1])
                yield Candidate(span, Category.FULL_NAME, LIKELY, "listed first and family name")
