import type { KeyObject } from 'node:crypto';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  businessTimestamp,
  code,
  codes,
  type InsertOf,
  type RowOf,
  sql,
  statement,
  table,
  text,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { openedRow } from '../subject-keys/index.ts';

type Schemas = components['schemas'];
type Status = 'pending_review' | 'effective' | 'returned' | 'invalidated' | 'reopened';

const ENDED = 'a second person reviews the resolution, or the case changes or is reopened';

export const caseResolution = table(
  'case_resolution',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    caseId: uuid(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    outcome: code<Schemas['CaseOutcomeInput']>(),
    reasonCodes: codes<Schemas['CaseReasonCode']>(),
    note: text().sealed().erasedTo(''),
    status: code<Status>().changes(ENDED),
    fourEyesReasons: codes(),
    evidenceDigest: text().impersonal('a digest of the evidence, most of which is sealed'),
    decisionId: uuid().nullable(),
    madeBy: actor(),
    reviewedBy: actor().nullable().changes(ENDED),
    reviewNote: text().nullable().sealed().erasedTo(null).changes(ENDED),
    createdAt: businessTimestamp(),
    effectiveAt: businessTimestamp().nullable().changes(ENDED),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the subject of the case is erased'),
  },
  {
    owner: 'applicationOrBusiness',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: {
      outcome: 'cleared',
      reasonCodes: ['other'],
      status: 'pending_review',
      fourEyesReasons: [],
      evidenceDigest: 'd',
    },
  },
);

const wire = caseResolution.except('tenantId', 'environment', 'caseId', 'applicationId', 'businessId', 'erasedAt');
export type CaseResolution = RowOf<typeof wire>;

/** Highest number of resolutions that a response shows. */
const SHOWN = 50;

const insert = statement<InsertOf<typeof caseResolution>>('caseResolution.insert', (p) => caseResolution.insert(p));

const list = statement<{ tenantId: string; caseId: string }, CaseResolution>(
  'caseResolution.list',
  (p) => sql`
  SELECT * FROM (
    SELECT ${wire} FROM case_resolution WHERE ${caseResolution.equal({ tenantId: p.tenantId, caseId: p.caseId })}
    ORDER BY id DESC LIMIT ${SHOWN}) newest ORDER BY id`,
);

type End = Pick<InsertOf<typeof caseResolution>, 'status' | 'reviewedBy' | 'reviewNote' | 'effectiveAt'>;

const end = statement<{ tenantId: string; id: string } & End>(
  'caseResolution.end',
  (p) => sql`
  UPDATE case_resolution SET ${caseResolution.assign({
    status: p.status,
    reviewedBy: p.reviewedBy,
    reviewNote: p.reviewNote,
    effectiveAt: p.effectiveAt,
  })}
  WHERE ${caseResolution.equal({ tenantId: p.tenantId, id: p.id, status: 'pending_review' })}`,
  { expectRows: 1 },
);

const reopen = statement<{ tenantId: string; caseId: string }>(
  'caseResolution.reopen',
  (p) => sql`
  UPDATE case_resolution SET ${caseResolution.assign({ status: 'reopened' })}
  WHERE ${caseResolution.equal({ tenantId: p.tenantId, caseId: p.caseId, status: 'effective' })}`,
);

/** Inserts a resolution whose texts are sealed. */
export function insertResolution(
  tx: Transaction,
  row: Omit<InsertOf<typeof caseResolution>, 'tenantId'>,
): Promise<unknown> {
  return tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

/** Returns the resolutions of a case, the oldest first, with their texts opened. */
export async function listResolutions(
  tx: Transaction,
  caseId: string,
  key: KeyObject | null,
): Promise<CaseResolution[]> {
  const rows = await tx.run(list, { tenantId: tx.tenantId!, caseId });
  return rows.map((row) => openedRow(caseResolution, row, key));
}

/** Ends a resolution that waits for a second person. */
export function endResolution(tx: Transaction, id: string, ended: End): Promise<unknown> {
  return tx.run(end, { ...ended, tenantId: tx.tenantId!, id });
}

/** Marks the effective resolution of a case that is opened again. */
export function reopenResolution(tx: Transaction, caseId: string): Promise<unknown> {
  return tx.run(reopen, { tenantId: tx.tenantId!, caseId });
}
