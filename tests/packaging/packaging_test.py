# SPDX-License-Identifier: BSD-3-Clause
"""What makes packages and containers, as far as it can be looked at without their tools: there is one
list of packages, that of jobs/setup.sh, and one of steps."""

import pathlib
import re
import shutil
import subprocess
import sys
import types

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
STEPS = "/usr/src/regroup/packaging/container.sh"
PROJECT = (ROOT / "CMakeLists.txt").read_text()
VERSION = re.search(r"^project\(regroup VERSION (\S+)", PROJECT, re.MULTILINE)[1]


def commands(name):
    """The lines of a file but for comments."""
    return [line for line in (PACKAGING / name).read_text().splitlines()
            if line.strip() and not line.startswith("#")]


def test_the_dockerfile_takes_its_steps_from_the_script():
    assert commands("Dockerfile") == [
        "FROM debian:12", "COPY . /usr/src/regroup",
        f"RUN {STEPS} && apt-get clean && rm -rf /var/lib/apt/lists/*",
        "WORKDIR /work", 'ENTRYPOINT ["regroup"]']


def test_the_definition_for_apptainer_takes_its_steps_from_the_script():
    sections = re.split(r"^%(\w+)\n", "\n".join(commands("apptainer.def")), flags=re.MULTILINE)
    assert sections[0].split("\n")[:2] == ["Bootstrap: docker", "From: debian:12"]
    found = {name: [line.strip() for line in text.splitlines()]
             for name, text in zip(sections[1::2], sections[2::2])}
    assert found["files"] == [". /usr/src/regroup"]
    assert found["post"] == [STEPS, "apt-get clean", "rm -rf /var/lib/apt/lists/*"]
    assert found["runscript"] == ['exec regroup "$@"']


def test_no_other_list_of_debian_packages_is_kept():
    packages = re.search(r"^packages=\((.*?)\)", (ROOT / "jobs/setup.sh").read_text(),
                         re.MULTILINE | re.DOTALL)[1].split()
    assert "libyaml-dev" in packages
    for path in PACKAGING.iterdir():
        words = set(re.findall(r"[\w+.-]+", path.read_text())) if path.is_file() else set()
        assert not words & (set(packages) - {"git", "cmake", "mpich"}), path
        assert "apt-get install" not in " ".join(words), path


@pytest.mark.parametrize("arguments, prefix", [([], "/usr/local"), (["/opt/re group"], "/opt/re group")])
def test_the_steps_are_set_up_build_and_installation(tmp_path, arguments, prefix):
    tree = tmp_path / "a tree"
    for name in ("packaging/container.sh", "jobs/setup.sh", "bin/cmake"):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(f'#!/bin/sh\necho "$(basename "$0")|$PWD|$*" >>{tmp_path}/calls\n')
        (tree / name).chmod(0o755)
    shutil.copy(PACKAGING / "container.sh", tree / "packaging/container.sh")
    subprocess.run([tree / "packaging/container.sh", *arguments], cwd="/", check=True,
                   env={"PATH": f"{tree}/bin:/usr/bin:/bin"})
    calls = [line.split("|") for line in (tmp_path / "calls").read_text().splitlines()]
    build = f"{tree}/build-container"
    assert [(tool, words) for tool, _, words in calls][:2] == [
        ("setup.sh", ""), ("cmake", f"--preset release -B {build} -D REGROUP_TESTS=OFF")]
    assert calls[2][2].startswith(f"--build {build}") and len(calls) == 4
    assert calls[3][2] == f"--install {build} --prefix {prefix}"
    assert {place for _, place, _ in calls} == {str(tree)}


def test_nothing_is_built_where_the_set_up_fails(tmp_path):
    for name in ("packaging/container.sh", "jobs/setup.sh", "bin/cmake"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"#!/bin/sh\necho {name} >>{tmp_path}/calls\nexit 2\n")
        (tmp_path / name).chmod(0o755)
    shutil.copy(PACKAGING / "container.sh", tmp_path / "packaging/container.sh")
    done = subprocess.run([tmp_path / "packaging/container.sh"],
                          env={"PATH": f"{tmp_path}/bin:/usr/bin:/bin"})
    assert done.returncode == 2 and (tmp_path / "calls").read_text() == "jobs/setup.sh\n"


# What CMakeLists.txt looks for, and who has it for Spack.
IN_SPACK = {"MPI": "mpi", "fmt": "fmt", "yaml": "libyaml", "CLI11": "cli11",
            "nlohmann_json": "nlohmann-json", "csv": "libcsv", "Random123/philox.h": "random123",
            "OpenSSL": "openssl", "utf8.h": "utf8cpp", "pugixml": "pugixml", "re2": "re2",
            "hwloc": "hwloc", "otf2": "otf2", "otf2/otf2.h": "otf2"}


def spack_package(name, monkeypatch):
    """What its package.py says to Spack: a list of calls."""
    said = []

    def call(what):
        return lambda *words, **options: said.append((what, words[0] if words else "", options))

    spack = types.ModuleType("spack.package")
    for what in ("version", "depends_on", "license", "conflicts", "generator"):
        setattr(spack, what, call(what))
    spack.CMakePackage = spack.AutotoolsPackage = object
    monkeypatch.setitem(sys.modules, "spack", types.ModuleType("spack"))
    monkeypatch.setitem(sys.modules, "spack.package", spack)
    file = PACKAGING / "spack/packages" / name / "package.py"
    exec(compile(file.read_text(), file, "exec"), {})
    return said


def test_spack_is_told_every_library_that_cmake_looks_for(monkeypatch):
    sought = re.findall(r"^\s*find_package\((\w+)", PROJECT, re.MULTILINE)
    sought += re.findall(r"^\s*find_(?:library|path)\(\w+ (\S+)", PROJECT, re.MULTILINE)
    assert sorted(sought) == sorted(IN_SPACK)
    said = spack_package("regroup", monkeypatch)
    needed = {words.split("@")[0] for what, words, options in said
              if what == "depends_on" and options.get("type") != "run"}
    assert needed == {*IN_SPACK.values(), "c", "cxx", "cmake", "ninja"}
    assert ("version", VERSION, {}) in said
    least = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)", PROJECT)[1]
    assert ("depends_on", f"cmake@{least}:", {"type": "build"}) in said


def test_spack_finds_the_packages(monkeypatch):
    assert "namespace: regroup" in (PACKAGING / "spack/repo.yaml").read_text()
    versions = [options for what, _, options in spack_package("libcsv", monkeypatch)
                if what == "version"]
    assert versions and all(re.fullmatch("[0-9a-f]{64}", options["sha256"]) for options in versions)
    page = (ROOT / "docs/installing.md").read_text()
    assert f"spack dev-build --source-path \"$PWD\" regroup@{VERSION}" in page


def test_a_module_file_finds_its_prefix_wherever_that_is(tmp_path):
    if not shutil.which("tclsh"):
        pytest.skip("there is no tclsh")
    file = tmp_path / "pre fix/share/modulefiles/regroup/0.1.0"
    file.parent.mkdir(parents=True)
    file.write_text((PACKAGING / "modulefile.in").read_text())
    script = ("proc module-whatis {args} {}\nproc conflict {args} {}\n"
              'proc prepend-path {name value} {puts "$name=$value"}\n'
              "set ModulesCurrentModulefile [lindex $argv 0]\nsource [lindex $argv 0]\n")
    (tmp_path / "script").write_text(script)
    done = subprocess.run(["tclsh", tmp_path / "script", file], capture_output=True, text=True)
    prefix = tmp_path / "pre fix"
    assert done.stdout.splitlines() == [f"PATH={prefix}/bin", f"CMAKE_PREFIX_PATH={prefix}"]
