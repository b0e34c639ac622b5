"""For every test session, the notebooks in ``book`` included: a kernel of this environment and no other."""

import os

os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
os.environ.pop("JUPYTER_PATH", None)
