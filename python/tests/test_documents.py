"""The pages and the notebook do what they say."""
import doctest
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_sessions(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False,
                                     optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried > 0 and failed == 0


def test_first_example():
    run = subprocess.run([sys.executable, ROOT / "examples/python/first.py"], text=True,
                         capture_output=True, check=True)
    assert "with 10 to spend: 1.714; one more would save 0.143" in run.stdout


def test_notebook(tmp_path):
    pytest.importorskip("nbconvert")
    pytest.importorskip("ipykernel")
    run = subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output-dir",
         str(tmp_path), str(ROOT / "examples/python/tutorial.ipynb")],
        cwd=tmp_path, capture_output=True, text=True,
        env={**{key: value for key, value in os.environ.items() if key != "MPLBACKEND"},
             "JUPYTER_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)})
    assert run.returncode == 0, run.stderr
    done = (tmp_path / "tutorial.ipynb").read_text()
    assert "image/png" in done and "Optimal" in done


def test_reference_is_up_to_date():
    run = subprocess.run([sys.executable, ROOT / "tools/python-api"], capture_output=True,
                         text=True, check=True)
    assert run.stdout == (ROOT / "docs/python-api.md").read_text(), \
        "write it anew: tools/python-api > docs/python-api.md"
