import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { type InsertOf, json, type RowOf, sql, statement, table, text, timestamp, type Transaction, uuid } from '../../database/index.ts';

export type Waiver = components['schemas']['Waiver'];

/** The ledger of waivers: rows are added, and never changed but by an erasure. */
const waiver = table('waiver', {
  id: uuid().fixed(),
  action: text<Waiver['action']>().fixed(),
  requirementKey: text().fixed(),
  reasonCode: text<Waiver['reasonCode']>().fixed(),
  note: text().fixed(),
  createdBy: json<Waiver['createdBy']>().fixed(),
  createdAt: timestamp().fixed(),
  tenantId: uuid().fixed(),
  applicationId: uuid().fixed(),
  environment: text<Environment>().fixed(),
  erasedAt: timestamp().nullable().defaulted(),
});

const wire = waiver.except('tenantId', 'applicationId', 'environment', 'erasedAt');

type OfApplication = { tenantId: string; applicationId: string };

const list = statement<OfApplication, RowOf<typeof wire>>('waiver.list', (p) => sql`
  SELECT ${wire} FROM waiver WHERE ${waiver.equal({ tenantId: p.tenantId, applicationId: p.applicationId })} ORDER BY sequence DESC`);

const insert = statement<InsertOf<typeof waiver>>('waiver.insert', (p) => waiver.insert(p));

/** That something was waived stays, and not what was noted. */
export const eraseWaivers = statement<OfApplication & { now: Date }>('waiver.erase', (p) => sql`
  UPDATE waiver SET ${waiver.assign({ note: '', erasedAt: p.now })} WHERE ${waiver.equal({ tenantId: p.tenantId, applicationId: p.applicationId })}`);

/** Newest first; their number is bounded when they are recorded. */
export function listWaivers(tx: Transaction, key: OfApplication): Promise<Waiver[]> {
  return tx.run(list, key);
}

export function insertWaiver(tx: Transaction, row: InsertOf<typeof waiver>): void {
  void tx.run(insert, row);
}
