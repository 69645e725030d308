/**
 * Table `information_request` and its statements. Used by information-requests.ts and the evidence manifest, and
 * exported by the index. At most one request of a subject is open; callers that read or end it hold the lock on the
 * subject. Messages and notes are sealed.
 */
import type { BusinessTimestamp } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  code,
  codes,
  type InsertOf,
  json,
  type RowOf,
  sql,
  statement,
  table,
  text,
  businessTimestamp,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { Subject } from '../../rules/subject.ts';
import { bySubject, keyOf, type OfSubject } from '../../rules/subject-rows.ts';

export type InformationRequest = components['schemas']['InformationRequest'] & {
  readonly dueAt: BusinessTimestamp;
  readonly createdAt: BusinessTimestamp;
  readonly answeredAt: BusinessTimestamp | null;
};

/** Requests for information about a subject. */
export const informationRequest = table(
  'information_request',
  {
    id: uuid(),
    status: code<InformationRequest['status']>().changes(
      'the request is answered or overdue, or the subject is withdrawn',
    ),
    items: json<InformationRequest['items']>()
      .sealedEach('messageToApplicant')
      .erasedTo(sql`(
    SELECT jsonb_agg(item || '{"messageToApplicant": ""}' ORDER BY at) FROM jsonb_array_elements(items)
      WITH ORDINALITY AS each (item, at))`),
    internalNote: text().nullable().sealed().erasedTo(null),
    dueAt: businessTimestamp(),
    createdBy: actor(),
    createdAt: businessTimestamp(),
    answeredAt: businessTimestamp()
      .nullable()
      .changes('the request is answered or overdue, or the subject is withdrawn'),
    // Pointers to the members that were sent after the request was created.
    provided: codes().defaulted().changes('an item of the request is provided'),
    tenantId: uuid(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    environment: code<Environment>(),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the subject of the request is erased'),
  },
  {
    owner: 'applicationOrBusiness',
    sealedAs: 'informationRequest',
    timeline: {
      'information_request.created': 'needs_information',
      'information_request.answered': null,
      'information_request.overdue': null,
    },
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { status: 'open', items: [], internalNote: 'Look closely.' },
  },
);

const own = informationRequest.except('provided', 'tenantId', 'applicationId', 'businessId', 'environment', 'erasedAt');

/** Highest number of requests that a response shows. */
const SHOWN = 100;

const list = bySubject((member, kind) =>
  statement<OfSubject, RowOf<typeof own>>(
    `informationRequest.list.${kind}`,
    (p) => sql`
  SELECT ${own} FROM information_request
    WHERE ${informationRequest.equal({ tenantId: p.tenantId, [member]: p.subjectId })}
  ORDER BY sequence DESC LIMIT ${SHOWN}`,
  ),
);

const insert = statement<InsertOf<typeof informationRequest>>('informationRequest.insert', (p) =>
  informationRequest.insert(p),
);

type End = { status: Exclude<InformationRequest['status'], 'open'>; answeredAt: BusinessTimestamp | null };

const end = bySubject((member, kind) =>
  statement<OfSubject & End, { id: string }>(
    `informationRequest.end.${kind}`,
    (p) => sql`
  UPDATE information_request SET ${informationRequest.assign({ status: p.status, answeredAt: p.answeredAt })}
  WHERE ${informationRequest.equal({ tenantId: p.tenantId, [member]: p.subjectId, status: 'open' })}
    RETURNING id`,
  ),
);

const findOpen = bySubject((member, kind) =>
  statement<OfSubject, OpenRequest>(
    `informationRequest.findOpen.${kind}`,
    (p) => sql`
  SELECT ${informationRequest.select('id', 'items', 'createdAt', 'provided')} FROM information_request
  WHERE ${informationRequest.equal({ tenantId: p.tenantId, [member]: p.subjectId, status: 'open' })}`,
  ),
);

const provide = bySubject((member, kind) =>
  statement<OfSubject & { provided: readonly string[] }>(
    `informationRequest.provide.${kind}`,
    (p) => sql`
  UPDATE information_request SET ${informationRequest.assign({ provided: p.provided })}
  WHERE ${informationRequest.equal({ tenantId: p.tenantId, [member]: p.subjectId, status: 'open' })}`,
    { expectRows: 1 },
  ),
);

/** Open request for information, with the members that were sent after it was created. */
export interface OpenRequest {
  readonly id: Uuid;
  readonly items: InformationRequest['items'];
  readonly createdAt: BusinessTimestamp;
  readonly provided: readonly string[];
}

/** Finds the open request of a subject. The caller must hold the lock on the subject. */
export async function findOpenRequest(tx: Transaction, subject: Subject): Promise<OpenRequest | null> {
  const [row] = await tx.run(findOpen(subject), keyOf(tx, subject));
  return row ?? null;
}

export function noteProvided(tx: Transaction, subject: Subject, provided: readonly string[]): void {
  void tx.run(provide(subject), { ...keyOf(tx, subject), provided });
}

/** Lists the requests about a subject, newest first. */
export function listInformationRequests(tx: Transaction, subject: Subject): Promise<InformationRequest[]> {
  return tx.run(list(subject), keyOf(tx, subject));
}

export function insertInformationRequest(tx: Transaction, row: InsertOf<typeof informationRequest>): void {
  void tx.run(insert, row);
}

/** Ends the open request of a subject and returns its id. The caller must hold the lock on the subject. */
export async function endInformationRequest(tx: Transaction, subject: Subject, how: End): Promise<string | null> {
  const [row] = await tx.run(end(subject), { ...keyOf(tx, subject), ...how });
  return row?.id ?? null;
}
