"""Programs that are held at other gates than an error's. Usage: gates.py flaky|calm|parallel. Prints one JSON line."""

import asyncio
import json
import sys

import graphmind as gm

gm.configure(app="gates")
calls = 0


@gm.tool
def flaky(order: str) -> str:
    global calls
    calls += 1
    if calls == 1:
        raise ConnectionError("the line is busy")
    return f"{order} after {calls} calls"


@gm.tool
def calm(order: str) -> str:
    return f"{order} is shipped"


@gm.tool
async def fetch(part: int) -> int:
    await asyncio.sleep(0)
    raise ValueError(f"part {part} is missing")


async def parallel():
    async with gm.run("parallel"):
        return sorted(await asyncio.gather(*(fetch(part) for part in range(3))))


def main():
    if not gm.ready(timeout=10):
        sys.exit("not attached")
    if sys.argv[1] == "parallel":
        result = asyncio.run(parallel())
    else:
        with gm.run(sys.argv[1]):
            result = {"flaky": flaky, "calm": calm}[sys.argv[1]]("A-17")
    gm.dispose()
    print(json.dumps(result))


main()
