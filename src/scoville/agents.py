"""An agent's task: steps that wait for each other, each with a longer context. How long it takes is *modelled*.

A step reads its context, of which a prefix cache may hold the part that it has seen before, and writes some tokens;
a tool adds new ones. What one step reads anew is what a server must prefill. Two numbers of a published point carry
over: its TTFT, in proportion to the tokens read anew, and its TBT, unchanged. Neither was measured for such a task:
TBT grows with the context, and the part of a TTFT that is not prefill does not shrink with it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """A chain of model calls.

    Attributes:
        steps: model calls, one after the other.
        first: input tokens of the first.
        added: input tokens that come new before each further one, as a tool's answer does.
        written: output tokens of each.
        reuse: share of the context already seen that a prefix cache serves, 0 to 1.
    """

    steps: int
    first: float
    added: float
    written: float
    reuse: float

    @property
    def last_input(self) -> float:
        """Input tokens of the last step."""
        return self.first + (self.steps - 1) * (self.added + self.written)

    @property
    def read(self) -> float:
        """Input tokens of all steps, repeated ones included."""
        return self.steps * (self.first + self.last_input) / 2

    @property
    def read_anew(self) -> float:
        """Input tokens of all steps that no cache serves.

        Step i of n brings ``added`` tokens that are new, and of the context of the step before, its answer included,
        the cache misses a share of 1 - ``reuse``. Summed: first + (n-1)*added + (1-reuse)*((n-1)*(first+written)
        + (added+written)*(n-1)*(n-2)/2).
        """
        n = self.steps - 1
        seen = n * (self.first + self.written) + (self.added + self.written) * n * (n - 1) / 2
        return self.first + n * self.added + (1 - self.reuse) * seen

    @property
    def output(self) -> float:
        """Output tokens of all steps."""
        return self.steps * self.written

    def seconds(self, ttft_s: float, tbt_s: float, input_tokens: float) -> float:
        """*Modelled* time of the task: waits in proportion to what is read anew, and decoding at an unchanged TBT.

        Args:
            ttft_s: TTFT of a point, seconds.
            tbt_s: its time between tokens, seconds.
            input_tokens: input tokens of a request there, all read anew.
        """
        return ttft_s * self.read_anew / input_tokens + self.decoding(tbt_s)

    def seconds_at_fixed_wait(self, ttft_s: float, tbt_s: float) -> float:
        """The same where every step waits the measured TTFT, however much it reads: nothing of it is prefill."""
        return self.steps * ttft_s + self.decoding(tbt_s)

    def decoding(self, tbt_s: float) -> float:
        """Seconds from the first to the last token of every step."""
        return self.steps * (self.written - 1) * tbt_s
