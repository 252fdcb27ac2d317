"""Bakes the three font files of the viewer from the upstream TTFs.

Usage: python3 subset.py INTER_REGULAR INTER_SEMIBOLD JETBRAINS_MONO_REGULAR OUT_DIR   (needs `fonttools`)

egui does not switch OpenType features, so tabular digits become the default glyphs of Inter, and ligatures are
dropped from both families. Everything outside the listed ranges falls back to a system font.
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

RANGES = [
    (0x0020, 0x024F),  # Latin
    (0x0300, 0x036F),  # combining marks
    (0x0370, 0x03FF),  # Greek
    (0x0400, 0x052F),  # Cyrillic
    (0x1E00, 0x1EFF),  # Latin, Vietnamese
    (0x2000, 0x206F),  # punctuation
    (0x2070, 0x209F),  # superscripts
    (0x20A0, 0x20BF),  # currencies
    (0x2100, 0x214F),  # letterlike
    (0x2190, 0x21FF),  # arrows
    (0x2200, 0x22FF),  # mathematics
    (0x2300, 0x23FF),  # keys
    (0x2500, 0x25FF),  # boxes and shapes
    (0x2700, 0x27BF),  # ticks and crosses
    (0xFFFD, 0xFFFD),
]


def bake_tabular(font):
    """Points every codepoint whose glyph has a `tnum` alternate at that alternate."""
    gsub = font["GSUB"].table
    lookups = {
        index
        for record in gsub.FeatureList.FeatureRecord
        if record.FeatureTag == "tnum"
        for index in record.Feature.LookupListIndex
    }
    swap = {}
    for index in lookups:
        for table in gsub.LookupList.Lookup[index].SubTable:
            swap.update(getattr(table, "ExtSubTable", table).mapping)
    for table in font["cmap"].tables:
        for code, name in list(table.cmap.items()):
            if 0x30 <= code <= 0x39 and name in swap:
                table.cmap[code] = swap[name]


def bake(source, target, tabular):
    font = TTFont(source)
    if tabular:
        bake_tabular(font)
    options = Options()
    options.layout_features = ["kern", "mark", "mkmk", "ccmp"]
    options.hinting = False
    options.desubroutinize = True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.notdef_outline = True
    options.recalc_timestamp = False
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[c for low, high in RANGES for c in range(low, high + 1)])
    subsetter.subset(font)
    font.save(target)


def main():
    regular, semibold, mono, out = sys.argv[1:5]
    out = Path(out)
    bake(regular, out / "Inter-Regular.ttf", tabular=True)
    bake(semibold, out / "Inter-SemiBold.ttf", tabular=True)
    bake(mono, out / "JetBrainsMono-Regular.ttf", tabular=False)


main()
