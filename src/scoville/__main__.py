"""``python -m scoville``."""

from scoville.cli import main

main()
