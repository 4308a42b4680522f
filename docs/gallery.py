#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Redraws the pictures of the gallery (pictures.md) in some minutes: docs/gallery.py [NAME…]

Most sweeps are smaller than those on the page, so that two cores suffice."""

import io
import os
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[1]
REGROUP = os.environ.get("REGROUP", ROOT / "build/regroup")
REPLICAS = ["workload={kind: constant, mean_items: 1000}"]
CHAINS = ["repetitions=1", "walker={kind: lennard_jones, atoms: 4000, temperature: 0.3, burn_in_items: 10}",
          "balancers=[none, spread]"]

# Name of the picture: (configuration, overridden keys).
PICTURES = {
    "figure2": ("figure2", []),
    "table1": ("table1", []),
    "timeline": ("demo", ["engine=virtual", "repetitions=1"]),
    "balance": ("workloads", ["ranks=64"]),
    "scale": ("scale", []),
    "faults": ("faults", ["ranks=512", "repetitions=5"]),
    "chains": ("chains", CHAINS),
    "learning": ("chains", CHAINS),
    "temperatures": ("replicas", REPLICAS),
    "figure1": ("creation", ["ranks=16", "group_size=[2, 4, 8, 16]", "pattern=one_group",
                             "communicator=[comm_split, create_group, intercomm_merge, range]"]),
    "speedup": ("items", ["ranks=2", "walker=[{kind: lennard_jones, atoms: 500}, {kind: lennard_jones, atoms: 4000}]"]),
    "sort": ("sort", ["ranks=8", "elements_per_rank=[1, 16, 256, 4096]", "samples=6",
                      "communicator=[range, create_group, sample_sort]"]),
    "rbc": ("rbc", ["ranks=8", "group_size=8", "bytes=[8, 128, 2K, 32K]", "samples=6"]),
}


def draw(name, place):
    config, values = PICTURES[name]
    out = place / config
    if not out.exists():
        keys = [word for value in values for word in ("--set", value)]
        subprocess.run([REGROUP, "run", ROOT / f"configs/{config}.yaml", *keys, "--jobs", "1", "--out", out],
                       check=False)
    subprocess.run([ROOT / f"plots/{name}.py", out, "-o", place / f"{name}.png"], check=True,
                   env=dict(os.environ, REGROUP=str(REGROUP), PYTHONDONTWRITEBYTECODE="1"))
    picture = Image.open(place / f"{name}.png").convert("RGB")
    picture.thumbnail((900, 900), Image.LANCZOS)
    packed = io.BytesIO()
    picture.quantize(48).save(packed, "PNG", optimize=True)
    (ROOT / f"docs/gallery/{name}.png").write_bytes(packed.getvalue())


with tempfile.TemporaryDirectory() as folder:
    (ROOT / "docs/gallery").mkdir(exist_ok=True)
    for one in sys.argv[1:] or PICTURES:
        draw(one, pathlib.Path(folder))
