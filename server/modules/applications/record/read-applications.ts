/**
 * Reads an application together with what belongs to it, and pages of applications. Called by handlers, decisions and
 * evidence. For a change, the caller takes the lock first: what is read before the lock may be outdated.
 */
import { addMilliseconds } from '../../../base/time.ts';
import type { Transaction } from '../../../database/index.ts';
import type { Context } from '../../../request/handler.ts';
import { environmentPage, orderOf, type Page } from '../../../request/pagination.ts';
import { instantParameter } from '../../../request/query.ts';
import type { BlindIndex } from '../../../rules/blind-index.ts';
import { normaliseTaxNumber } from '../../../rules/tax-id.ts';
import { hasNoRecords, listRecords, openedRecords } from '../../decisions/index.ts';
import { listDocuments } from '../../documents/index.ts';
import { openedRow, openingKey } from '../../subject-keys/index.ts';
import { readDecisionPolicy } from '../../tenant-settings/index.ts';
import { consent, listConsents } from '../evidence/consent-store.ts';
import { currentRisk } from '../evidence/risk-store.ts';
import { newestScreening } from '../evidence/screening-store.ts';
import { listVerificationEvidence } from '../evidence/verification-store.ts';
import { type Application, subjectOf } from './application.ts';
import { type Filter, listApplications, type Order, settledUntil } from './list-store.ts';
import { type Contents, presentInList } from './present.ts';
import { submittedUnderSameNumber } from './same-tax-number-store.ts';

/**
 * Reads what belongs to the application, as of when the statements run. The statements are sent in one round trip. The
 * key that opens sealed texts is read afterwards, only if records have such texts.
 */
export async function readContents(
  tx: Transaction,
  key: { tenantId: string; applicationId: string },
): Promise<Contents> {
  const subject = subjectOf({ id: key.applicationId });
  const [documents, consents, records, screening, risk, policy, others, verifications] = await Promise.all([
    listDocuments(tx, subject),
    listConsents(tx, key),
    listRecords(tx, subject),
    newestScreening(tx, key),
    currentRisk(tx, subject),
    readDecisionPolicy(tx, key.tenantId),
    submittedUnderSameNumber(tx, key.applicationId),
    listVerificationEvidence(tx, key),
  ]);
  const isEmpty = consents.length === 0 && hasNoRecords(records);
  const opening = isEmpty ? null : await openingKey(tx, { type: 'application', id: key.applicationId });
  return {
    documents,
    verifications,
    screening,
    risk,
    policy,
    others,
    consents: consents.map((row) => openedRow(consent, row, opening)),
    ...openedRecords(records, opening),
  };
}

type ListRequest = Context<'listApplications'>;

export async function applicationPage(ctx: ListRequest, index: BlindIndex): Promise<Page<Application>> {
  const {
    tx,
    principal: { tenantId },
    query,
  } = ctx;
  const order = orderOf(query.sort ?? '-createdAt');
  return environmentPage(ctx, {
    rows: async ({ environment, after, count }) => {
      const [policy, updatedBefore] = await Promise.all([
        readDecisionPolicy(tx, tenantId),
        endOf(ctx, environment, order),
      ]);
      const filter = { ...filterOf(ctx, environment, index), updatedBefore };
      const rows = await listApplications(tx, tenantId, filter, { order, after, count });
      return rows.map((row) => ({ ...row, policy }));
    },
    position: ({ record, basis }) =>
      order.by === 'riskScore' ? [basis.risk!.score, basis.risk!.id] : [record[order.by], record.id],
    item: ({ record, basis, policy }) => presentInList(record, { ...basis, policy }, ctx),
  });
}

/**
 * Returns the instant before which a page in the order of changes must end. A client that polls for changes continues
 * after the last change that it received, so no earlier change may appear later. A page therefore ends before the
 * changes of transactions that have started to write and have not committed yet.
 */
async function endOf(
  { tx, now, timeIn }: ListRequest,
  environment: Filter['environment'],
  { by, direction }: Order,
): Promise<Date | undefined> {
  if (by !== 'updatedAt' || direction !== 'asc') return undefined;
  return addMilliseconds(await settledUntil(tx, now), timeIn(environment).getTime() - now.getTime());
}

function filterOf({ query, principal }: ListRequest, environment: Filter['environment'], index: BlindIndex): Filter {
  const { status = [], level, riskLevel = [], externalId, taxId, createdAfter, createdBefore, updatedAfter } = query;
  return {
    environment,
    statuses: status,
    level,
    riskLevels: riskLevel,
    externalId,
    taxIdMac: taxId === undefined ? undefined : index.mac(principal.tenantId, 'tax_id', normaliseTaxNumber(taxId)),
    createdAfter: instantParameter('createdAfter', createdAfter),
    createdBefore: instantParameter('createdBefore', createdBefore),
    updatedAfter: instantParameter('updatedAfter', updatedAfter),
  };
}
