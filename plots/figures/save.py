# SPDX-License-Identifier: BSD-3-Clause
"""Writing pictures: the same bytes for the same results."""

from figures.command import KINDS, script

# No dates, and no versions.
METADATA = {"png": {"Software": None}, "svg": {"Date": None},
            "pdf": {"CreationDate": None, "Producer": None, "Creator": None}}


def save(figure, arguments):
    """Writes `figure` as PNG, SVG and PDF, or as the one that --output names, and prints the
    paths."""
    target = arguments.output or arguments.results / script()
    kinds = KINDS
    if target.suffix[1:] in KINDS:
        kinds, target = [target.suffix[1:]], target.with_suffix("")
    for kind in kinds:
        path = target.with_name(f"{target.name}.{kind}")
        if not arguments.output and path.is_symlink():  # links in results are not followed
            path.unlink()
        figure.savefig(path, metadata=METADATA[kind])
        print(path)
