"""A limit of time that is set only where something waits."""

import asyncio

import pytest

from api.streams.timeouts import in_time


async def test_work_that_never_waits_sets_no_timeout(monkeypatch):
    done = []

    async def work() -> None:
        done.append(1)

    monkeypatch.setattr(asyncio, "timeout", None)
    await in_time(work(), 1)
    assert done == [1]


async def test_work_that_waits_resumes_and_gets_each_result_or_error():
    results = []

    async def work() -> None:
        await asyncio.sleep(0)
        results.append(await asyncio.wait_for(answer, 5))
        try:
            await failing
        except ValueError as error:
            results.append(str(error))
        results.append("end")

    loop = asyncio.get_running_loop()
    answer, failing = loop.create_future(), loop.create_future()
    loop.call_later(0.01, answer.set_result, "yes")
    loop.call_later(0.02, failing.set_exception, ValueError("no"))
    await in_time(work(), 5)
    assert results == ["yes", "no", "end"]


async def test_work_that_waits_for_too_long_is_stopped_and_may_clean_up():
    ended = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cleaned")

    with pytest.raises(TimeoutError):
        await in_time(work(), 0.01)
    assert ended == ["cleaned"]


async def test_a_cancellation_from_outside_is_no_time_limit():
    began = asyncio.Event()

    async def work() -> None:
        began.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(in_time(work(), 5))
    await began.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert task.cancelled()


async def test_an_exception_of_the_work_is_raised():
    async def work() -> None:
        raise OSError("broken")

    with pytest.raises(OSError, match="broken"):
        await in_time(work(), 1)
