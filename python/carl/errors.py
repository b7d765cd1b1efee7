"""What can go wrong, as exceptions."""

from __future__ import annotations


class InputError(ValueError):
    """A problem that cannot be read or is none: what is wrong, where, and what to do about it.

    ``message`` and ``hint`` are the text in parts; ``file``, ``line`` and ``column`` tell the place
    in a text (line 0: the text as a whole).
    """

    def __init__(self, text: str, message: str = "", hint: str = "", file: str = "",
                 line: int = 0, column: int = 0) -> None:
        super().__init__(text)
        self.message = message or text
        self.hint = hint
        self.file = file
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type[InputError], tuple[object, ...]]:
        return type(self), (str(self), self.message, self.hint, self.file, self.line, self.column)


class OptionError(InputError):
    """An option that cannot be, or options that do not go together."""


class LimitReached(RuntimeError):
    """A limit was reached, or Ctrl-C pressed, before there was anything to return."""


class NoCertificate(RuntimeError):
    """There is no certificate for an answer, and why."""
