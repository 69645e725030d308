/**
 * Scores pairs and searches with the engine of the service in a process of its own, so that its processor time and
 * memory are comparable with those of another program. Used by screening-side-by-side.ts.
 */
import { readFileSync } from 'node:fs';
import { NameIndexBuilder } from '../../server/screening/engine/name-index.ts';
import { NameSearch } from '../../server/screening/engine/search.ts';
import type { NameOf } from '../../server/screening/names/token.ts';
import { serve } from './program.ts';
import { RULES, subject } from './screening-data.ts';
import { scoreOfNames } from './screening-pairs.ts';
import { entity, nameMaker } from './screening-speed.ts';

export interface OwnOrder {
  readonly pairs?: readonly (readonly [of: NameOf, one: string, other: string])[];
  readonly search?: { readonly entries: string; readonly queries: readonly string[]; readonly line: number };
}

export interface OwnAnswer {
  readonly pairs: {
    readonly scores: readonly number[];
    /** Of names that were not seen before, and of the same names once more. */
    readonly microseconds: { readonly first: number; readonly again: number };
  } | null;
  readonly search: {
    readonly builtSeconds: number;
    readonly found: readonly (readonly number[])[];
    readonly microseconds: number;
    readonly peakMegabytes: number;
  } | null;
}

const WARM_UP = 5_000;

/** Returns the microseconds of all threads, and what the work returned. */
function timed<T>(work: () => T): readonly [microseconds: number, done: T] {
  const begun = process.cpuUsage();
  const done = work();
  const { user, system } = process.cpuUsage(begun);
  return [user + system, done];
}

function ofPairs(pairs: NonNullable<OwnOrder['pairs']>): OwnAnswer['pairs'] {
  const { name } = nameMaker(1);
  for (let call = 0; call < WARM_UP; call++) scoreOfNames(name(), name(), call % 2 === 0 ? 'person' : 'organisation');
  const all = (): number[] => pairs.map(([of, one, other]) => scoreOfNames(one, other, of));
  const [[first], [again, scores]] = [timed(all), timed(all)];
  return { scores, microseconds: { first: first / pairs.length, again: again / pairs.length } };
}

function ofSearch({ entries, queries, line }: NonNullable<OwnOrder['search']>): OwnAnswer['search'] {
  const lines = readFileSync(entries, 'utf8').trimEnd().split('\n');
  const [built, search] = timed(() => {
    const builder = new NameIndexBuilder('person');
    lines.forEach((names, key) => builder.add(entity(key, JSON.parse(names) as string[]), 0));
    return new NameSearch(builder.build());
  });
  const options = { threshold: line, rules: RULES };
  const { name } = nameMaker(2);
  for (let call = 0; call < WARM_UP / 10; call++) search.search(subject('person', name()), options);
  const [microseconds, found] = timed(() =>
    queries.map((query) => search.search(subject('person', query), options).map(({ entity: { key } }) => Number(key))),
  );
  return {
    builtSeconds: built / 1e6,
    found,
    microseconds: microseconds / queries.length,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
  };
}

if (import.meta.main)
  serve(
    ({ pairs, search }: OwnOrder): OwnAnswer => ({
      pairs: pairs === undefined ? null : ofPairs(pairs),
      search: search === undefined ? null : ofSearch(search),
    }),
  );
