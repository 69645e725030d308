/**
 * This file tells the life of each report and refund: that it was opened, acknowledged, answered or cancelled, and what else of it changed.
 * The first four follow from the newest document alone, so they are the same however often it was read; a change follows from two versions.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { canonicalJson, type Json } from '../../base/canonical-json.ts';
import type { DocumentValue } from '../../providers/directory/index.ts';
import { eventType, type Fact, type Snapshot, toMilliseconds } from './recovery.ts';

type Kind = typeof kinds[number];
type Listed = Snapshot['InfractionReports'][number] | Snapshot['Refunds'][number];

const kinds = [
  { prefix: 'ir', list: 'InfractionReports', name: 'REPORT', closed: 'COUNTERPARTY_ANALYSED' },
  { prefix: 'rf', list: 'Refunds', name: 'REFUND', closed: 'REFUND_CLOSED' },
] as const;

/** What happened to the documents of a recovery, as far as the newest ones tell, and what changed since those that were known before. */
export function documentFacts(before: Snapshot | null, snapshot: Snapshot): Fact[] {
  return kinds.flatMap((kind) => {
    const known = new Map<string, Listed>((before?.[kind.list] ?? []).map((document) => [document.Id, document]));
    return snapshot[kind.list].flatMap((document) => [...steps(kind, document), ...changes(kind, known.get(document.Id), document)]);
  });
}

function factOf({ prefix, list }: Kind, document: Listed, { key, name, at }: { readonly key: string; readonly name: string; readonly at: string }): Fact {
  return { key: `${prefix}:${document.Id}:${key}`, eventType: eventType(name), reaches: null, at: toMilliseconds(at), origin: 'DERIVED', documents: { [list]: [document] } };
}

function steps(kind: Kind, document: Listed): Fact[] {
  const { Status: status, CreationTime, LastModified } = document;
  const step = (key: string, name: string, at: string): Fact => factOf(kind, document, { key, name, at });
  return [
    step('OPENED', `${kind.name}_OPENED`, CreationTime),
    // Whoever answers a report has received it; if no read has shown the acknowledgement, the answer gives the latest time of it.
    ...(kind.name === 'REPORT' && (status === 'ACKNOWLEDGED' || status === 'CLOSED') ? [step('ACKNOWLEDGED', 'REPORT_ACKNOWLEDGED', LastModified)] : []),
    ...(status === 'CLOSED' ? [step('CLOSED', kind.closed, LastModified)] : []),
    ...(status === 'CANCELLED' ? [step('CANCELLED', `${kind.name}_CANCELLED`, LastModified)] : []),
  ];
}

/** Statuses whose coming is told by an event of its own; the elements that come with them are no further change. */
const usualSteps: ReadonlySet<string> = new Set([
  'OPEN ACKNOWLEDGED', 'OPEN CLOSED', 'ACKNOWLEDGED CLOSED', 'OPEN CANCELLED', 'ACKNOWLEDGED CANCELLED', 'CLOSED CANCELLED',
]);

/** A change that is none of these steps: of an answer that was given, of information, or back to a status before. */
function changes(kind: Kind, before: Listed | undefined, document: Listed): Fact[] {
  if (before === undefined || usualSteps.has(`${before.Status} ${document.Status}`)) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(document)])]
    .filter((name) => name !== 'LastModified' && !isDeepStrictEqual(before[name], document[name])).sort();
  if (names.length === 0) return [];
  const after = only(document, names);
  // The hash tells changes apart whose times are equal, or that a read shows again.
  const hash = createHash('sha256').update(canonicalJson(after)).digest('hex').slice(0, 16);
  const fact = factOf(kind, document, { key: `CHANGED:${document.LastModified}:${hash}`, name: `${kind.name}_CHANGED`, at: document.LastModified });
  return [{ ...fact, documents: { ...fact.documents, Changed: { Before: only(before, names), After: after } } }];
}

/** The elements of these names. They keep their names, so that what masks or erases personal data finds them. */
function only(document: Listed, names: readonly string[]): Readonly<Record<string, Json & DocumentValue>> {
  return Object.fromEntries(names.map((name) => [name, document[name]]).filter((entry): entry is [string, Json & DocumentValue] => entry[1] !== undefined));
}
