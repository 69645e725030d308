/**
 * This file derives the events of each report and refund: opened, acknowledged, answered, cancelled, or changed
 * otherwise. The first four follow from the newest document alone, so they are the same however often it was read. A
 * change follows from two versions.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, type Json } from '../../base/canonical-json.ts';
import type { DocumentValue } from '../../providers/directory/index.ts';
import { eventType, type Fact, type Snapshot, toMilliseconds } from './recovery.ts';

type Kind = (typeof kinds)[number];
type Listed = Snapshot['InfractionReports'][number] | Snapshot['Refunds'][number];

const kinds = [
  {
    prefix: 'ir',
    list: 'InfractionReports',
    name: 'REPORT',
    closed: 'COUNTERPARTY_ANALYSED',
  },
  {
    prefix: 'rf',
    list: 'Refunds',
    name: 'REFUND',
    closed: 'REFUND_CLOSED',
  },
] as const;

/**
 * Lists what happened to the documents of a recovery according to their newest versions, and what changed since the
 * versions known before.
 */
export function documentFacts(before: Snapshot | null, snapshot: Snapshot): Fact[] {
  return kinds.flatMap((kind) => {
    const known = new Map<string, Listed>((before?.[kind.list] ?? []).map((document) => [document.Id, document]));
    return snapshot[kind.list].flatMap((document) => [
      ...steps(kind, document),
      ...changes(kind, known.get(document.Id), document),
    ]);
  });
}

function factOf(
  { prefix, list }: Kind,
  document: Listed,
  { key, name, at }: { readonly key: string; readonly name: string; readonly at: string },
): Fact {
  return {
    key: `${prefix}:${document.Id}:${key}`,
    eventType: eventType(name),
    reaches: null,
    at: toMilliseconds(at),
    origin: 'DERIVED',
    documents: { [list]: [document] },
  };
}

function steps(kind: Kind, document: Listed): Fact[] {
  const { Status: status, CreationTime, LastModified } = document;
  const step = (key: string, name: string, at: string): Fact => factOf(kind, document, { key, name, at });
  return [
    step('OPENED', `${kind.name}_OPENED`, CreationTime),
    // An answered report must have been received. If no read has shown the acknowledgement, the time of the answer is
    // the latest possible time of the acknowledgement.
    ...(kind.name === 'REPORT' && (status === 'ACKNOWLEDGED' || status === 'CLOSED')
      ? [step('ACKNOWLEDGED', 'REPORT_ACKNOWLEDGED', LastModified)]
      : []),
    ...(status === 'CLOSED' ? [step('CLOSED', kind.closed, LastModified)] : []),
    ...(status === 'CANCELLED' ? [step('CANCELLED', `${kind.name}_CANCELLED`, LastModified)] : []),
  ];
}

/**
 * Transitions that have an event of their own. The elements that change with them are not reported as a separate
 * change.
 */
const usualSteps: ReadonlySet<string> = new Set([
  'OPEN ACKNOWLEDGED',
  'OPEN CLOSED',
  'ACKNOWLEDGED CLOSED',
  'OPEN CANCELLED',
  'ACKNOWLEDGED CANCELLED',
  'CLOSED CANCELLED',
]);

/**
 * Reports a change that is not one of these steps: a changed answer, changed information, or a return to an earlier
 * status.
 */
function changes(kind: Kind, before: Listed | undefined, document: Listed): Fact[] {
  if (before === undefined || usualSteps.has(`${before.Status} ${document.Status}`)) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(document)])]
    .filter((name) => name !== 'LastModified' && !isDeepStrictEqual(before[name], document[name]))
    .sort();
  if (names.length === 0) return [];
  const after = only(document, names);
  // The hash separates changes with equal times, and makes a change equal to itself if a read shows it again.
  const hash = createHash('sha256').update(canonicalJson(after)).digest('hex').slice(0, 16);
  const fact = factOf(kind, document, {
    key: `CHANGED:${document.LastModified}:${hash}`,
    name: `${kind.name}_CHANGED`,
    at: document.LastModified,
  });
  return [{ ...fact, documents: { ...fact.documents, Changed: { Before: only(before, names), After: after } } }];
}

/**
 * Selects the elements with these names. They keep their names, so that masking and erasure of personal data find them.
 */
function only(document: Listed, names: readonly string[]): Readonly<Record<string, Json & DocumentValue>> {
  return Object.fromEntries(
    names
      .map((name) => [name, document[name]])
      .filter((entry): entry is [string, Json & DocumentValue] => entry[1] !== undefined),
  );
}
