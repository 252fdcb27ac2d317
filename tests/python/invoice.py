"""A small agent with the real client of the contract: one tool fails, and what the debugger answers decides the result.

Usage: invoice.py [sync|async]. It prints one JSON line with what the program itself got.
"""

import asyncio
import json
import sys

import graphmind as gm

# A tool belongs to what is configured when it is defined.
gm.configure(app="invoice-agent")


@gm.tool
def read_inbox() -> list[str]:
    return ["1,284.50 EUR"]


@gm.tool
def parse_amount(text: str) -> float:
    return float(text.split()[0])


@gm.tool
async def parse_amount_async(text: str) -> float:
    await asyncio.sleep(0)
    return float(text.split()[0])


def told(run):
    """What the program got, or how its call ended."""
    try:
        return {"value": run()}
    except gm.GraphMindAbortError:
        return {"aborted": True}
    except ValueError as error:
        return {"error": str(error)}


def sync_main():
    with gm.run("invoices"):
        return told(lambda: parse_amount(read_inbox()[0]))


async def async_main():
    async with gm.run("invoices"):
        text = read_inbox()[0]
        try:
            return {"value": await parse_amount_async(text)}
        except gm.GraphMindAbortError:
            return {"aborted": True}
        except ValueError as error:
            return {"error": str(error)}


def main():
    if not gm.ready(timeout=10):
        sys.exit("not attached")
    result = asyncio.run(async_main()) if sys.argv[1:] == ["async"] else sync_main()
    gm.dispose()
    print(json.dumps(result))


main()
