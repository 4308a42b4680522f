# SPDX-License-Identifier: BSD-3-Clause
"""Parses a page of the documentation: headings, links, code."""

import re
import unicodedata
from collections import namedtuple

# A block of code, with an optional comment before it:
#   <!-- file: PATH -->   a file of the project, or a part of it
#   <!-- as: PATH -->     a file that the reader writes
#   <!-- prints -->       the output of the commands before it, or some of its lines
FENCE = re.compile(r"^(?:<!-- (file|as|prints)(?:: (\S+))? -->\n)?```(\w*)\n(.*?)^```$",
                   re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)

Block = namedtuple("Block", "mark path language code")


def anchor(heading):
    """Returns the anchor that mkdocs generates for a heading."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


class Page:
    def __init__(self, path):
        self.path = path
        text = path.read_text()
        self.lines = text.count("\n")
        self.blocks = [Block(*found) for found in FENCE.findall(text)]
        self.files = {}
        for block in self.blocks:
            if block.mark == "file":
                self.files.setdefault(block.path, []).append(block.code)
        prose = re.sub(r"<!--.*?-->", "", FENCE.sub("", text), flags=re.DOTALL)
        self.code = CODE.findall(prose)
        self.links = LINK.findall(CODE.sub("", prose))
        self.anchors = {anchor(heading) for heading in HEADING.findall(prose)}

    def __repr__(self):
        return self.path.name

    def blocks_of(self, *languages):
        """Returns the code of blocks that show no file of the project."""
        return [block.code for block in self.blocks
                if block.language in languages and block.mark != "file"]
