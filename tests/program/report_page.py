# SPDX-License-Identifier: BSD-3-Clause
"""Helpers for tests of the report page: small runs, and checks of whole pages."""

import base64
import gzip
import json
import re
from html.parser import HTMLParser

RUNS = """experiment: small
engine: virtual
ranks: 32
group_size: 4
item_ms: 100
workload: {kind: cyclic, multiplier: 10, modulus: 32}
balancers:
  - none
  - collective: {exchange_interval: 128, communicator: comm_split}
  - asynchronous: {communicator: create_group}
"""


class Page(HTMLParser):
    """Collects the content of a page for readers, browsers and screen readers."""

    def __init__(self, text):
        super().__init__()
        self.text, self.open, self.tags, self.words, self.wrong = text, [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == [] and self.wrong == []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "img", "link", "br", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        if not {"script", "style"} & set(self.open):
            self.words.append(data)

    def said(self):
        return " ".join(" ".join(self.words).split())

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


def report(workspace, *words):
    """Creates the page of results and checks it as a whole."""
    done = workspace.run("report", *words, "-o", "page.html", timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "page.html\n", "")
    page = Page((workspace.path / "page.html").read_text())
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {word for _, attributes in page.tags for key in ("for", "aria-describedby")
            if (word := attributes.get(key))} <= set(ids)
    assert all(one["alt"] and one["src"].startswith("data:image/") for one in page.all("img"))
    headings = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert headings[0] == 1 and headings.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(headings, headings[1:]))
    assert page.all("html") == [{"lang": "en"}] and all("scope" in one for one in page.all("th"))
    assert len(page.all("caption")) == len(page.all("table"))
    assert_needs_no_network(page)
    return page


def assert_needs_no_network(page):
    for tag, attributes in page.tags:
        for key in ("src", "href", "action", "data", "poster"):
            assert attributes.get(key, "#").startswith(("#", "data:")), (tag, attributes)
    policy = next(one["content"] for one in page.all("meta") if "http-equiv" in one)
    assert policy.startswith("default-src 'none';") and "http" not in policy


def data(page):
    """Returns the data of the timelines."""
    packed = re.search(r'<script type="text/plain" id="data">([^<]*)</script>', page.text)[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def make(workspace, name, text, command="run"):
    workspace.write(f"{name}.yaml", text)
    done = workspace.run(command, f"{name}.yaml", "--out", name)
    assert done.returncode == 0, done.stderr
    return name
