import type { BusinessTimestamp } from '../../../base/time.ts';
import type { Uuid } from '../../../base/uuid.ts';
import type { components } from '../../../contract/generated/types.ts';
import type { Environment } from '../../../contract/operation.ts';
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
} from '../../../database/index.ts';

export type InformationRequest = components['schemas']['InformationRequest'] & {
  readonly dueAt: BusinessTimestamp;
  readonly createdAt: BusinessTimestamp;
  readonly answeredAt: BusinessTimestamp | null;
};

/** Requests for information to applicants. */
export const informationRequest = table(
  'information_request',
  {
    id: uuid(),
    status: code<InformationRequest['status']>().changes(
      'the applicant answers the request or misses its due date, or the application is withdrawn',
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
      .changes('the applicant answers the request or misses its due date, or the application is withdrawn'),
    // Pointers to the members that were sent after the request was created.
    provided: codes().defaulted().changes('the applicant provides an item of the request'),
    tenantId: uuid(),
    applicationId: uuid(),
    environment: code<Environment>(),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the application of the request is erased'),
  },
  {
    owner: 'application',
    sealedAs: 'informationRequest',
    timeline: {
      'information_request.created': 'needs_information',
      'information_request.answered': null,
      'information_request.overdue': null,
    },
    sandboxReset: 'along',
    insertedBy: 'app',
    example: { status: 'open', items: [], internalNote: 'Look closely.' },
  },
);

const own = informationRequest.except('provided', 'tenantId', 'applicationId', 'environment', 'erasedAt');

type OfApplication = { tenantId: string; applicationId: string };

/** Highest number of requests that a response shows. */
const SHOWN = 100;

const list = statement<OfApplication, RowOf<typeof own>>(
  'informationRequest.list',
  (p) => sql`
  SELECT ${own} FROM information_request
    WHERE ${informationRequest.equal({ tenantId: p.tenantId, applicationId: p.applicationId })}
  ORDER BY sequence DESC LIMIT ${SHOWN}`,
);

const insert = statement<InsertOf<typeof informationRequest>>('informationRequest.insert', (p) =>
  informationRequest.insert(p),
);

type End = { status: Exclude<InformationRequest['status'], 'open'>; answeredAt: BusinessTimestamp | null };

const end = statement<OfApplication & End, { id: string }>(
  'informationRequest.end',
  (p) => sql`
  UPDATE information_request SET ${informationRequest.assign({ status: p.status, answeredAt: p.answeredAt })}
  WHERE ${informationRequest.equal({ tenantId: p.tenantId, applicationId: p.applicationId, status: 'open' })}
    RETURNING id`,
);

const findOpen = statement<OfApplication, OpenRequest>(
  'informationRequest.findOpen',
  (p) => sql`
  SELECT ${informationRequest.select('id', 'items', 'createdAt', 'provided')} FROM information_request
  WHERE ${informationRequest.equal({ tenantId: p.tenantId, applicationId: p.applicationId, status: 'open' })}`,
);

const provide = statement<OfApplication & { provided: readonly string[] }>(
  'informationRequest.provide',
  (p) => sql`
  UPDATE information_request SET ${informationRequest.assign({ provided: p.provided })}
  WHERE ${informationRequest.equal({ tenantId: p.tenantId, applicationId: p.applicationId, status: 'open' })}`,
  { expectRows: 1 },
);

/** Open request for information, with the members that were sent after it was created. */
export interface OpenRequest {
  readonly id: Uuid;
  readonly items: InformationRequest['items'];
  readonly createdAt: BusinessTimestamp;
  readonly provided: readonly string[];
}

/** Finds the open request of an application. The caller must hold the lock on the application. */
export async function findOpenRequest(tx: Transaction, applicationId: string): Promise<OpenRequest | null> {
  const [row] = await tx.run(findOpen, { tenantId: tx.tenantId!, applicationId });
  return row ?? null;
}

export function noteProvided(tx: Transaction, applicationId: string, provided: readonly string[]): void {
  void tx.run(provide, { tenantId: tx.tenantId!, applicationId, provided });
}

/** Lists the requests of an application, newest first. */
export function listInformationRequests(tx: Transaction, key: OfApplication): Promise<InformationRequest[]> {
  return tx.run(list, key);
}

export function insertInformationRequest(tx: Transaction, row: InsertOf<typeof informationRequest>): void {
  void tx.run(insert, row);
}

/** Ends the open request of an application and returns its id. The caller must hold the lock on the application. */
export async function endInformationRequest(tx: Transaction, applicationId: string, how: End): Promise<string | null> {
  const [row] = await tx.run(end, { tenantId: tx.tenantId!, applicationId, ...how });
  return row?.id ?? null;
}
