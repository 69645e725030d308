/**
 * Figures beside the lines of the settings: how many clean names each line alerts and how many aliases it finds, on the
 * lists that the tenant searches by default. Used by the handlers. An estimate of other lists or of another algorithm
 * is never shown as current.
 */
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import { HIGHEST_LINE, LOWEST_LINE } from '../../screening/engine/estimate.ts';
import { readScreeningRules } from '../tenant-settings/index.ts';
import { activeVersions, isWatchList, watchListOf } from '../watch-lists/index.ts';
import { kindOfList, type Lines } from './bands.ts';
import { estimateFor, type EstimateRow } from './estimate-store.ts';
import { estimateKey } from './line-estimator.ts';

type Schemas = components['schemas'];
type Figures = Schemas['ScreeningEstimateFigures'];

const KINDS = ['sanctions', 'pep', 'other'] as const satisfies readonly (keyof Lines)[];
const LINES = Array.from({ length: HIGHEST_LINE - LOWEST_LINE + 1 }, (_, index) => LOWEST_LINE + index);

/** Returns the estimate for the active lists, else the latest one; null if there is none. */
export async function screeningEstimate(
  tx: Transaction,
  environment: Environment,
  tenantId: string,
): Promise<Schemas['ScreeningEstimate'] | null> {
  const [active, { rules }] = await Promise.all([activeVersions(tx, environment), readScreeningRules(tx, tenantId)]);
  const key = estimateKey(active);
  const row = await estimateFor(tx, environment, key);
  if (row === null) return null;
  const wanted = new Set(rules.defaultLists);
  return {
    environment,
    computedAt: row.computedAt,
    algorithmVersion: row.algorithmVersion,
    isCurrent: row.key === key,
    lists: row.lists.filter(({ listId }) => wanted.has(listId)),
    figures: figuresOf(row, wanted),
  };
}

/** Computes the figures of some lists, for each kind of list of which there is one. */
export function figuresOf(
  { lists, counts }: Pick<EstimateRow, 'lists' | 'counts'>,
  wanted: ReadonlySet<string>,
): Figures[] {
  const isWanted = ({ list }: { readonly list: number }): boolean => wanted.has(lists[list]!.listId);
  const listed = new Set(
    lists.flatMap(({ listId }) =>
      wanted.has(listId) && isWatchList(listId) ? [kindOfList(watchListOf(listId).category)] : [],
    ),
  );
  return KINDS.flatMap((kind) =>
    counts.flatMap(({ subject, withBirthDate, cleanTested, cleanReached, aliases }): Figures[] => {
      const ofKind = aliases.filter((one) => isWanted(one) && kindOfList(one.category) === kind);
      // Number of clean names whose highest line is this.
      const namesAt = Array<number>(HIGHEST_LINE + 1).fill(0);
      for (const { names, lines } of cleanReached) {
        const reached = lines.filter((one) => isWanted(one) && kindOfList(one.category) === kind);
        namesAt[Math.max(0, ...reached.map(({ line }) => line))]! += names;
      }
      const alerted = (from: number): number => sumOf(namesAt.slice(from), (names) => names);
      if (cleanTested === 0 || (!listed.has(kind) && ofKind.length === 0 && alerted(LOWEST_LINE) === 0)) return [];
      const found = (from: number): number =>
        sumOf(ofKind, ({ weight, reached }) => weight * sumOf(reached.slice(from - LOWEST_LINE), (count) => count));
      const inAll = sumOf(ofKind, ({ weight, tested }) => weight * tested);
      return [
        {
          kind,
          subject,
          withDateOfBirth: withBirthDate,
          cleanNames: cleanTested,
          aliases: sumOf(ofKind, ({ tested }) => tested),
          lines: LINES.map((line) => ({
            line: line / 100,
            cleanPerMille: rounded((1000 * alerted(line)) / cleanTested, 100),
            aliasPercent: inAll === 0 ? null : rounded((100 * found(line)) / inAll, 10),
          })),
        },
      ];
    }),
  );
}

const sumOf = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((sum, one) => sum + of(one), 0);

const rounded = (value: number, parts: number): number => Math.round(value * parts) / parts;
