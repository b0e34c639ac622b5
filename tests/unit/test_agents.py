"""Tasks of several steps: the formula against a walk through the steps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoville.agents import Task

tasks = st.builds(
    Task,
    steps=st.integers(1, 60),
    first=st.integers(1, 100_000),
    added=st.integers(0, 20_000),
    written=st.integers(1, 4_000),
    reuse=st.floats(0, 1),
)


def walked(task: Task) -> tuple[float, float]:
    """Input tokens of all steps and those read anew, one step at a time."""
    context, held, total, anew = task.first, 0.0, 0.0, 0.0
    for _ in range(task.steps):
        total += context
        anew += context - task.reuse * held
        held = context + task.written
        context = held + task.added
    return total, anew


@given(tasks)
def test_the_sums_are_those_of_a_walk(task: Task) -> None:
    total, anew = walked(task)
    assert task.read == pytest.approx(total)
    assert task.read_anew == pytest.approx(anew)


def test_a_task_by_hand() -> None:
    task = Task(steps=3, first=1000, added=100, written=10, reuse=0.5)
    # inputs 1,000, 1,110 and 1,220; half of 1,010 and of 1,120 comes from the cache
    assert (task.last_input, task.read, task.output) == (1220, 3330, 30)
    assert task.read_anew == 1000 + (1110 - 505) + (1220 - 560)
    assert task.seconds(2.0, 0.01, 1000) == pytest.approx(2 * 2.265 + 3 * 9 * 0.01)
    assert task.seconds_at_fixed_wait(2.0, 0.01) == pytest.approx(6 + 0.27)


@given(tasks, st.floats(0.01, 60), st.floats(1e-4, 1))
def test_one_step_at_the_measured_length_takes_its_e2e(task: Task, ttft: float, tbt: float) -> None:
    one = Task(1, 7373, task.added, 922, task.reuse)
    assert one.seconds(ttft, tbt, 7373) == pytest.approx(ttft + 921 * tbt)
    assert one.seconds_at_fixed_wait(ttft, tbt) == pytest.approx(one.seconds(ttft, tbt, 7373))


@given(tasks)
def test_more_reuse_never_reads_more(task: Task) -> None:
    full = Task(task.steps, task.first, task.added, task.written, 1.0)
    assert full.read_anew <= task.read_anew + 1e-6
    assert full.read_anew == task.first + (task.steps - 1) * task.added
