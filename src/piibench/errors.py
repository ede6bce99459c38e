"""Every exception that piibench raises on purpose.

    PiibenchError                 base; its message is one line, safe to print, free of personal values
    ├── InputError                what the caller handed over cannot be used (exit code 2)
    │   ├── DataError             a file or record is malformed: names the place, the field, the remedy
    │   ├── UnknownCategoryError  a category that is not among the 55
    │   ├── UnknownSystemError    no privacy protection system of that name
    │   ├── UnknownStrategyError  no way to ask a model of that name
    │   ├── MissingExtraError     an optional package is not installed: names the command that brings it
    │   ├── ConfigError           a configuration file (custom patterns) is wrong
    │   ├── VaultError            a vault file cannot be read or written
    │   └── EndpointSetupError    a model's address, key or name is wrong
    ├── SystemFailureError        a detector or selector failed while it ran (exit code 1)
    └── EndpointError             a model's endpoint gave no usable reply (exit code 1)
        └── PromptRefusedError    it refuses this one prompt, now and later

Messages say what is wrong, where, and what to do. They never repeat a personal value.
"""

from __future__ import annotations


class PiibenchError(Exception):
    """Base of all errors raised on purpose; `str(error)` is one printable line."""


class InputError(PiibenchError):
    """The caller's input cannot be used."""


class DataError(InputError):
    """A file or a record is malformed.

    Args:
        problem: What is wrong and what to do, without any personal value.
        place: File name, or "standard input".
        line: 1-based line number in that file.
        field: Path of the field, such as "entities[2].mentions[0]".
    """

    def __init__(
        self,
        problem: str,
        *,
        place: str | None = None,
        line: int | None = None,
        field: str | None = None,
    ) -> None:
        self.problem = problem
        self.place = place
        self.line = line
        self.field = field
        where = [part for part in (place, f"line {line}" if line else None, field) if part]
        super().__init__(": ".join([", ".join(where), problem]) if where else problem)


class UnknownCategoryError(InputError):
    """A category name that is not among the 55 of Table 10."""


class UnknownSystemError(InputError):
    """No privacy protection system of that name is installed."""


class UnknownStrategyError(InputError):
    """No strategy of that name is installed."""


class MissingExtraError(InputError):
    """What was asked for needs an optional package.

    Args:
        what: What needs it, such as "the embedder use".
        package: The package's name on PyPI.
        extra: The extra of piibench that brings it; None where none does.
    """

    def __init__(self, what: str, package: str, *, extra: str | None = "eval") -> None:
        self.package = package
        wanted = f"'piibench[{extra}]'" if extra else package
        super().__init__(f"{what} needs {package}; install it with: pip install {wanted}")


class ConfigError(InputError):
    """A configuration file cannot be used."""


class VaultError(InputError):
    """A vault file cannot be read or written."""


class SystemFailureError(PiibenchError):
    """A privacy protection system failed while it ran."""


class EndpointSetupError(InputError):
    """A model's address, key or name is wrong; asking again is of no use."""


class EndpointError(PiibenchError):
    """A model's endpoint gave no usable reply; asking again later may help."""


class PromptRefusedError(EndpointError):
    """A model's endpoint refuses one prompt (HTTP 400, 413 or 422), as too long or against its rules."""
