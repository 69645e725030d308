import type { DiffRule } from '../change.ts';
import { operationPairs, without } from '../pairs.ts';

/** Auditors filter, export and alert by the names of events. */
export const auditEventsChanged: DiffRule = (base, revision) => operationPairs(base, revision).flatMap(({ place, ...pair }) => {
  const [before, after] = [pair.base['x-audit-events'] ?? [], pair.revision['x-audit-events'] ?? []];
  return [
    ...without(before, after).map((event) => ({ impact: 'major' as const, place, message: `no longer writes ${event}` })),
    ...without(after, before).map((event) => ({ impact: 'minor' as const, place, message: `also writes ${event}` })),
  ];
});
