"""What nomenklatura says of pairs of names, what it costs, and what a search with its index finds and costs.

Prints JSON; run by screening-side-by-side.ts with the path of its order, in an environment of its own. Only names are
compared, so matchers that differ only by dates and countries have equal scores.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import tempfile
import time
from collections.abc import Generator, Iterable
from functools import _lru_cache_wrapper
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from followthemoney import EntityProxy, model
from nomenklatura.blocker.index import Index
from nomenklatura.matching import get_algorithm
from rigour.reset import reset_caches

# A cache of more entries is one of names or words.
MOST_TABLES = 128
# Names that are also searched alone, because the index takes many at once.
ONE_BY_ONE = 10


def entity(key: str, schema: str, names: Iterable[str]) -> EntityProxy:
    """An entity. Names are cached by its key, so no two entities may have the same one."""
    return model.get_proxy({"id": key, "schema": schema, "properties": {"name": list(names)}})


def forget() -> None:
    """Empties the caches of names, so that names are new again. Tables that were loaded once are kept."""
    reset_caches()
    for cache in [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper)]:
        if (cache.cache_parameters()["maxsize"] or 0) > MOST_TABLES:
            cache.cache_clear()


def matcher(name: str) -> tuple[Any, Any]:
    algorithm = get_algorithm(name)
    if algorithm is None:
        raise SystemExit(f"nomenklatura {version('nomenklatura')} has no matcher {name}")
    return algorithm, algorithm.default_config()


def warm_up(algorithm: Any, config: Any) -> None:
    """Loads the tables of a matcher."""
    algorithm.compare(entity("warm", "Person", ["Warm Up"]), entity("up", "Person", ["Up Worm"]), config)


def of_pairs(order: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    for name in order["matchers"]:
        algorithm, config = matcher(name)
        cost: dict[str, list[float]] = {"first": [], "again": []}
        scores: list[float] = []
        for _ in range(order["rounds"]):
            forget()
            warm_up(algorithm, config)
            # Nothing that was parsed before is known to these entities.
            pairs = [
                (entity(f"one{place}", schema, [one]), entity(f"other{place}", schema, [other]))
                for place, (schema, one, other) in enumerate(order["pairs"])
            ]
            for turn in ("first", "again"):
                begun = time.process_time()
                scores = [algorithm.compare(one, other, config).score for one, other in pairs]
                cost[turn].append((time.process_time() - begun) / len(pairs) * 1e6)
        answer[name] = {"scores": scores, "microseconds": cost}
    return answer


class Entries:
    """The entries of a file as the index reads them."""

    scope = SimpleNamespace(name="entries")

    def __init__(self, path: str) -> None:
        self.by_key: dict[str, EntityProxy] = {}
        with open(path, encoding="utf-8") as lines:
            for key, line in enumerate(lines):
                self.by_key[str(key)] = entity(str(key), "Person", json.loads(line))

    def entities(self, include_schemata: object = None) -> Generator[EntityProxy, None, None]:
        yield from self.by_key.values()


def of_search(order: dict[str, Any]) -> dict[str, Any]:
    entries = Entries(order["entries"])
    with tempfile.TemporaryDirectory() as folder:
        index = Index(entries, Path(folder))
        begun = time.process_time()
        index.build()
        built = time.process_time() - begun
        queries = {
            f"query{place}": entity(f"query{place}", "Person", [name]) for place, name in enumerate(order["queries"])
        }
        begun = time.process_time()
        candidates = {
            found.id: [other.id for other, _ in matches] for found, matches in index.match_entities(queries.values())
        }
        blocking = (time.process_time() - begun) / len(queries) * 1e6
        few = list(queries.values())[:ONE_BY_ONE]
        begun = time.process_time()
        for query in few:
            list(index.match_entities([query]))
        one_by_one = (time.process_time() - begun) / len(few) * 1e6
        index.close()
    matchers: dict[str, Any] = {}
    for name, line in order["matchers"].items():
        algorithm, config = matcher(name)
        forget()
        warm_up(algorithm, config)
        found: list[list[int]] = []
        begun = time.process_time()
        for key, query in queries.items():
            hits = [
                other
                for other in candidates.get(key, [])
                if algorithm.compare(query, entries.by_key[other], config).score >= line
            ]
            found.append([int(hit) for hit in hits])
        matchers[name] = {"found": found, "microseconds": (time.process_time() - begun) / len(queries) * 1e6}
    return {
        "builtSeconds": built,
        "blockingMicroseconds": blocking,
        "oneByOneMicroseconds": one_by_one,
        "candidates": sum(map(len, candidates.values())) / len(queries),
        "matchers": matchers,
        "peakMegabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


ORDER = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
print(
    json.dumps(
        {
            "version": version("nomenklatura"),
            "pairs": of_pairs(ORDER["pairs"]) if "pairs" in ORDER else None,
            "search": of_search(ORDER["search"]) if "search" in ORDER else None,
        }
    )
)
