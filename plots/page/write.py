# SPDX-License-Identifier: BSD-3-Clause
"""The page itself: one file, with all that it needs inside."""

import base64
import gzip
import json
from pathlib import Path

import jinja2
from figures.replace import replace
from markupsafe import Markup
from plotly.offline import get_plotlyjs

HERE = Path(__file__).parent
SCRIPTS = ["draw.js", "timeline.js", "start.js", "tables.js"]


def page(content):
    """The HTML of `content`, the variables of page.html."""
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE), autoescape=True,
                                     undefined=jinja2.StrictUndefined, trim_blocks=True,
                                     lstrip_blocks=True)
    return environment.get_template("page.html").render(
        **content, style=_source("page.css"), scripts=[_source(name) for name in SCRIPTS],
        packed=packed, plotly=get_plotlyjs)


def packed(text):
    """`text` so that start.js unpacks it: in letters that end no script."""
    if not isinstance(text, str):
        text = json.dumps(text, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


def save(path, text):
    """Replaces `path` at once; where that is a link, the link."""
    replace(path, lambda beside: beside.write_text(text, encoding="utf-8"))


def _source(name):
    return Markup((HERE / name).read_text("utf-8"))
