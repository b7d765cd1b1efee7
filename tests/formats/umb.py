"""A writer of UMB files (the Unified Markov Binary format), made from the specification alone.

A model is a plain description; how it is written is chosen beside it, so that every way in which the format can
say a thing is written by somebody: files that stand for their defaults left out or not, doubles or fractions of
several sizes, rewards on states, choices and branches, tar files of several kinds, compressed or not.
"""
from __future__ import annotations

import io
import json
import struct
import tarfile
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Optional


@dataclass
class Branch:
    target: int
    probability: Fraction


@dataclass
class Choice:
    branches: list[Branch]
    action: int = 0


@dataclass
class Reward:
    """By entity; None: it does not apply to them."""
    states: Optional[list[Fraction]] = None
    choices: Optional[list[Fraction]] = None
    branches: Optional[list[Fraction]] = None


@dataclass
class Model:
    states: list[list[Choice]]
    initial: list[int]
    rewards: dict[str, Reward] = field(default_factory=dict)
    labels: dict[str, set[int]] = field(default_factory=dict)
    actions: Optional[list[str]] = None
    """Names of choice actions; None: choices have no actions."""
    players: int = 1

    def choices(self) -> list[Choice]:
        return [choice for state in self.states for choice in state]

    def branches(self) -> list[Branch]:
        return [branch for choice in self.choices() for branch in choice.branches]


@dataclass
class Style:
    compression: str = ""  # or "gz", "xz"
    tar_format: int = tarfile.USTAR_FORMAT
    prefix: str = ""  # or "./"
    number: dict[str, Any] = field(default_factory=lambda: {"type": "double"})
    leave_out_defaults: bool = True
    index_last: bool = False
    aliases: dict[str, str] = field(default_factory=dict)
    """By reward or label: its folder. The name is the alias then."""
    without_probabilities: bool = False
    without_strings: bool = False
    extras: bool = False
    """Things that a reader may pass over."""


def _whole(value: int, size: int, signed: bool) -> bytes:
    return value.to_bytes(size, "little", signed=signed)


def _number(value: Fraction, kind: dict[str, Any]) -> bytes:
    if kind["type"] == "double":
        return struct.pack("<d", float(value))
    half = kind.get("size", 128) // 16
    return _whole(value.numerator, half, True) + _whole(value.denominator, half, False)


def _bits(members: set[int], size: int) -> bytes:
    return sum(1 << i for i in members).to_bytes((size + 63) // 64 * 8, "little")


def _offsets(sizes: list[int]) -> bytes:
    result, total = [0], 0
    for size in sizes:
        total += size
        result.append(total)
    return struct.pack(f"<{len(result)}Q", *result)


class Files:
    """The files of a UMB model, to be spoilt by who wants to."""

    def __init__(self, model: Model, style: Style):
        self.style = style
        self.arrays: dict[str, bytes] = {}
        self.index = self._index(model)
        self._structure(model)
        self._actions(model)
        self._annotations(model)
        if style.extras:
            self._extras(model)

    def _index(self, model: Model) -> dict[str, Any]:
        system: dict[str, Any] = {
            "time": "discrete", "#players": model.players, "#states": len(model.states),
            "#initial-states": len(model.initial), "#choices": len(model.choices()),
            "#choice-actions": len(model.actions or []), "#branches": len(model.branches()),
            "#branch-actions": 0, "#observations": 0}
        if not self.style.without_probabilities:
            system["branch-probability-type"] = self.style.number
        return {"format-version": 1, "format-revision": 3,
                "file-data": {"tool": "a test", "parameters": ["--anything"]},
                "transition-system": system, "annotations": {}}

    def _structure(self, model: Model) -> None:
        choices, branches = model.choices(), model.branches()
        if not self.style.leave_out_defaults or any(len(state) != 1 for state in model.states):
            self.arrays["state-to-choices.bin"] = _offsets([len(state) for state in model.states])
        if not self.style.leave_out_defaults or any(len(choice.branches) != 1 for choice in choices):
            self.arrays["choice-to-branches.bin"] = _offsets([len(choice.branches) for choice in choices])
        if not self.style.leave_out_defaults or any(branch.target for branch in branches):
            self.arrays["branch-to-target.bin"] = struct.pack(f"<{len(branches)}Q", *(b.target for b in branches))
        if not self.style.without_probabilities:
            self.arrays["branch-to-probability.bin"] = b"".join(
                _number(branch.probability, self.style.number) for branch in branches)
        self.arrays["state-is-initial.bin"] = _bits(set(model.initial), len(model.states))

    def _actions(self, model: Model) -> None:
        if model.actions is None:
            return
        numbers = [choice.action for choice in model.choices()]
        if not self.style.leave_out_defaults or any(numbers):
            self.arrays["actions/choices/values.bin"] = struct.pack(f"<{len(numbers)}I", *numbers)
        if self.style.without_strings:
            return
        texts = [name.encode() for name in model.actions]
        self.arrays["actions/choices/string-mapping.bin"] = _offsets([len(text) for text in texts])
        self.arrays["actions/choices/strings.bin"] = b"".join(texts)

    def _annotations(self, model: Model) -> None:
        def describe(group: str, name: str, entities: list[str], kind: dict[str, Any]) -> str:
            identifier = self.style.aliases.get(name, name)
            entry: dict[str, Any] = {"applies-to": entities, "type": kind, "description": "for people"}
            if identifier != name:
                entry["alias"] = name
            self.index["annotations"].setdefault(group, {})[identifier] = entry
            return identifier

        for name, reward in model.rewards.items():
            entities = [entity for entity in ("states", "choices", "branches") if getattr(reward, entity) is not None]
            identifier = describe("rewards", name, entities, self.style.number)
            for entity in entities:
                values = getattr(reward, entity)
                if not self.style.leave_out_defaults or any(values):
                    self.arrays[f"annotations/rewards/{identifier}/{entity}/values.bin"] = b"".join(
                        _number(value, self.style.number) for value in values)
        for name, members in model.labels.items():
            identifier = describe("aps", name, ["states"], {"type": "bool"})
            if not self.style.leave_out_defaults or members:
                self.arrays[f"annotations/aps/{identifier}/states/values.bin"] = _bits(members, len(model.states))

    def _extras(self, model: Model) -> None:
        self.index["model-data"] = {"name": "a model", "authors": ["nobody"], "comment": "\u00fcber"}
        self.index["annotations"]["colours"] = {"red": {
            "applies-to": ["states"], "type": {"type": "string"}, "#strings": 1}}
        self.index["valuations"] = {"states": {"unique": True, "classes": [{"variables": [
            {"name": "x", "type": {"type": "uint", "size": 32}}]}]}}
        self.index["a-later-revision"] = {"has": [1, {"more": None}]}
        self.arrays["valuations/states/valuations.bin"] = b"".join(
            _whole(s, 4, False) for s in range(len(model.states)))
        self.arrays["annotations/colours/red/states/values.bin"] = bytes(8 * len(model.states))
        self.arrays["notes.txt"] = b"nothing of interest"

    def pack(self) -> bytes:
        out = io.BytesIO()
        entries = {"index.json": json.dumps(self.index).encode(), **self.arrays}
        if self.style.index_last:
            entries["index.json"] = entries.pop("index.json")
        with tarfile.open(fileobj=out, mode=f"w:{self.style.compression}", format=self.style.tar_format) as tar:
            for path, content in entries.items():
                info = tarfile.TarInfo(self.style.prefix + path)
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
        return out.getvalue()
