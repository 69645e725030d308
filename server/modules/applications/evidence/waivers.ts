import type { RealTime } from '../../../base/time.ts';
import { uuidv7 } from '../../../base/uuid.ts';
import type { components } from '../../../contract/generated/types.ts';
import { actorOf, type AnyPrincipal } from '../../../contract/operation.ts';
import type { Access } from '../../../request/lookup.ts';
import { type BusinessClocks, calendarDate } from '../../../rules/brazilian-calendar.ts';
import { assertReason } from '../../../rules/reasons.ts';
import { sealedRow, sealingKey } from '../../subject-keys/index.ts';
import { type Invalidated, reviewAgain } from '../decisions/pending-decision.ts';
import { assertOpen, MAX_RECORDS, nextChangeTime, refusal } from '../record/application.ts';
import { lookup } from '../record/lookup.ts';
import { readContents } from '../record/read-applications.ts';
import { assessedOf, isBinding, isMet } from './requirement-rules.ts';
import { IDENTIFICATION, isWaived, requirementsOf, unknownRequirement } from './requirements.ts';
import { insertWaiver, type Waiver, waiver as waiverTable } from './waiver-store.ts';

interface Recording extends Access, BusinessClocks {
  readonly principal: AnyPrincipal;
  readonly params: { readonly applicationId: string };
  readonly body: components['schemas']['WaiverCreate'];
  readonly now: RealTime;
}

/**
 * Adds a grant or a revocation to the ledger of waivers. The lock on the application makes simultaneous records see
 * each other. A decision that waits for a second review is invalidated, because its evidence has changed.
 */
export async function recordWaiver(
  ctx: Recording,
): Promise<{ readonly waiver: Waiver; readonly invalidated: Invalidated | null }> {
  const {
    tx,
    principal,
    params: { applicationId },
  } = ctx;
  const of = { tenantId: principal.tenantId, applicationId };
  const [application, contents] = await Promise.all([
    lookup(ctx).application(applicationId).forChange(),
    readContents(tx, of),
  ]);
  const { waivers } = contents;
  assertOpen(application.status);
  const at = ctx.timeIn(application.environment);
  const { action, requirementKey, reasonCode, note } = ctx.body;
  assertReason('waiver', action, reasonCode);
  const assessed = assessedOf(application, contents, calendarDate(at));
  const requirement = requirementsOf(assessed).items.find(({ key }) => key === requirementKey);
  const isRevocable = isWaived(waivers, requirementKey);
  if (requirement === undefined && !isRevocable) throw unknownRequirement();
  if (waivers.length >= MAX_RECORDS)
    throw refusal(
      '/action',
      'too_many',
      `must not be recorded: an application has at most ${MAX_RECORDS} records of waivers`,
    );
  if (action === 'revoked' && !isRevocable)
    throw refusal('/requirementKey', 'not_waived', 'must be a requirement that is waived');
  if (action === 'granted') {
    if (IDENTIFICATION.some((key) => key === requirementKey))
      throw refusal(
        '/requirementKey',
        'not_waivable',
        'must not be one that identifies the person (Circular BCB 3.978/2020, art. 16)',
      );
    if (isBinding(assessed, requirementKey))
      throw refusal(
        '/requirementKey',
        'not_waivable',
        'must not be one that a confirmed hit, an open hit on a mandatory list or an attestation speaks against',
      );
    if (isRevocable)
      throw refusal('/requirementKey', 'already_waived', 'must be a requirement that is not waived already');
    if (requirement !== undefined && isMet(requirement))
      throw refusal('/requirementKey', 'met', 'must be a requirement that is not met');
  }
  const waiver: Waiver = {
    id: uuidv7(),
    action,
    requirementKey,
    reasonCode,
    note,
    createdBy: actorOf(principal),
    // Later than the previous record, so that the order of times is the order in which the ledger was written.
    createdAt: waivers[0] === undefined ? at.toISOString() : nextChangeTime(at, waivers[0].createdAt),
  };
  const key = await sealingKey(
    tx,
    { type: 'application', id: application.id },
    { environment: application.environment, now: at },
  );
  insertWaiver(tx, { ...sealedRow(waiverTable, waiver, key), ...of, environment: application.environment });
  return { waiver, invalidated: await reviewAgain(ctx, application) };
}
