# SPDX-License-Identifier: BSD-3-Clause
"""What a page of the documentation holds: headings, links, code."""

import re
import unicodedata

# A block that shows a file of the project, or a piece of it.
FILE = re.compile(r"^<!-- file: (\S+) -->\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchor(heading):
    """As mkdocs makes it of a heading."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())


class Page:
    def __init__(self, path):
        self.path = path
        text = path.read_text()
        self.lines = text.count("\n")
        self.files = {}
        for name, piece in FILE.findall(text):
            self.files.setdefault(name, []).append(piece)
        text = FILE.sub("", text)
        self.blocks = [(language, code) for language, code in FENCE.findall(text)]
        prose = re.sub(r"<!--.*?-->", "", FENCE.sub("", text), flags=re.DOTALL)
        self.code = CODE.findall(prose)
        self.links = LINK.findall(CODE.sub("", prose))
        self.anchors = {anchor(heading) for heading in HEADING.findall(prose)}

    def __repr__(self):
        return self.path.name

    def blocks_of(self, language):
        return [code for found, code in self.blocks if found == language]
