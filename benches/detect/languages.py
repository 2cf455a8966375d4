"""The languages that charsets of eight bits and those of East Asia were made to write, and where text in each is found.

A language is a row: its code, that of its declaration of human rights (`udhr`), and, where they differ from the code, its names
in catalogues, at CLDR, and at `faker`.
"""

from typing import NamedTuple


class Language(NamedTuple):
    code: str
    udhr: str
    catalogues: str = ""
    names: str = ""
    cldr: str = ""

    def locales(self):
        return (self.catalogues or self.code).split()


LATIN = """
de deu_1996,gsw1 de,de_DE,gsw de_DE
fr fra - fr_FR
es spa es,es_ES,es_MX,es_419,es_AR es_ES,es_MX
it ita - it_IT
pt por_PT,por_BR pt,pt_PT,pt_BR,pt-BR pt_PT,pt_BR
ca cat - es_CA
nl nld - nl_NL,nl_BE
sv swe - sv_SE
nb nob nb,no no_NO
nn nno - no_NO
da dan - da_DK
fi fin - fi_FI
is isl - is_IS
eu eus - es_ES
gl glg - es_ES
ga gle - ga_IE
sq als - sq_AL
en eng en_GB,en_AU,en en_GB
af afr
ast ast
br bre
fy fri
lb ltz - lb_LU
oc oci_1,lnc,oci_2
gd gla
fo fao
fur fur
cy cym
rm roh_rumgr - - rm
wa wln - - -
co cos - - -
lij lij - - lij
vec vec - - vec
sc src - - sc
ht hat_popular - - -
gn gug - - gn
kl kal - - kl
qu quz - - qu
kea kea - - kea
mi mri - - mi
pl pol - pl_PL
cs ces - cs_CZ
sk slk - sk_SK
hu hun - hu_HU
ro ron_2006,ron_1993 - ro_RO
hr hrv - hr_HR
sl slv - sl_SI
bs bos_latn - bs_BA
sr_Latn srp_latn sr_Latn,sr@latin,sr@Latn,sr-Latn hr_HR sr-Latn
hsb hsb hsb,dsb
eo epo
mt mlt - mt_MT
lt lit - lt_LT
lv lav - lv_LV
et est - et_EE
tr tur - tr_TR
ku kmr ku,kmr - ku
vi vie - vi_VN
se sme - - se
"""

OTHER = """
ru rus - ru_RU
uk ukr - uk_UA
bg bul - bg_BG
sr srp_cyrl,cnr sr sr_BA
mk mkd - mk_MK
be bel
el ell_monotonic - el_GR
he heb - he_IL
yi ydd
ar arb - ar_SA,ar_EG,ar_PS
fa pes_1,pes_2 - fa_IR
ur urd,urd_2
th tha,tha2 - th_TH
"""

EAST_ASIAN = """
zh_Hans cmn_hans zh_Hans,zh_CN,zh-Hans zh_CN zh-Hans
zh_Hant cmn_hant zh_Hant,zh_TW,zh-Hant zh_TW zh-Hant
ja jpn - ja_JP
ko kor - ko_KR
"""


def rows(table):
    for line in table.split("\n"):
        fields = ["" if field == "-" else field.replace(",", " ") for field in line.split()]
        if fields:
            yield Language(*fields)


ALL = {language.code: language for table in (LATIN, OTHER, EAST_ASIAN) for language in rows(table)}
IS_LATIN = {language.code for language in rows(LATIN)}
IS_CYRILLIC = set("ru uk bg sr mk be".split())
IS_EAST_ASIAN = {language.code for language in rows(EAST_ASIAN)}
WITHOUT_SPACES = {"th", "zh_Hans", "zh_Hant", "ja"}
