"""Where things lie. Knows nothing of what is in them."""

from __future__ import annotations

import os
from pathlib import Path

ROOT_VARIABLE = "SCOVILLE_ROOT"


def project_root(start: Path | None = None) -> Path:
    """The folder of the book: the nearest one at or above ``start`` that holds ``_toc.yml`` and ``data``.

    A notebook runs in its own folder under nbval and JupyterLab but in the caller's under papermill, so no
    notebook may rely on the working directory. ``SCOVILLE_ROOT`` overrides the search.

    Raises:
        FileNotFoundError: when no such folder is found.
    """
    override = os.environ.get(ROOT_VARIABLE)
    if override:
        return Path(override).resolve()
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / "_toc.yml").is_file() and (folder / "notebooks").is_dir():
            return folder
    raise FileNotFoundError(
        f"no Scoville book at or above {here}: run inside the project folder, or set {ROOT_VARIABLE} to it"
    )


def data_folder(data_dir: str | Path = "data", start: Path | None = None) -> Path:
    """``data_dir`` as an absolute path; a relative one is taken from the project's root.

    For the parameters of notebooks, which do not know where they run. Paths on the command line start, as
    everywhere, at the working directory.
    """
    folder = Path(data_dir)
    return folder if folder.is_absolute() else project_root(start) / folder


def shown(path: Path) -> str:
    """``path`` as the user would type it: relative to the working directory where it lies below it."""
    try:
        return str(path.resolve().relative_to(Path.cwd().resolve()))
    except ValueError:
        return str(path)
