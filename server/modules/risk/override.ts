import { appendAudit } from '../../audit/chain.ts';
import { MINUTE_SECONDS, readStatedTime } from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Context } from '../../request/handler.ts';
import { monthsLater } from '../../rules/brazilian-calendar.ts';
import { namedSubject, subjectNamedBy } from '../../rules/subject.ts';
import type { Due } from '../../tasks/due.ts';
import { sealedRow, sealingKey } from '../subject-keys/index.ts';
import { inOrder, lockAssessable } from './assessable.ts';
import { assessRecord } from './assess-task.ts';
import { effectiveLevel, publishChange } from './assess.ts';
import { type Assessment, currentAssessment, setEffectiveLevel } from './assessment-store.ts';
import { dueOverrides, endOverride, insertOverride, riskOverride } from './override-store.ts';

const MOST_MONTHS = 12;
const AT_ONCE = 50;
const ACTOR = {
  type: 'system',
  id: 'risk.override_expiry',
  display: 'Overrides of risk',
  impersonatorId: null,
} as const;

/**
 * Sets the level of a subject by the judgement of a person, until a certain time. Takes the place of the override
 * before. The caller holds the lock on the subject.
 */
export async function overrideLevel(ctx: Context<'overrideRiskAssessment'>, found: Assessment): Promise<Assessment> {
  const { tx, body, now, principal, timeIn } = ctx;
  const { id, environment, applicationId, businessId } = found;
  const subject = subjectNamedBy(found);
  const current = await currentAssessment(tx, subject);
  if (current === null || current.id !== id) throw new Problem('assessment_superseded');
  // The model prohibits the subject, or another officer does.
  const isProhibited = current.level === 'prohibited' || current.effectiveLevel === 'prohibited';
  if (isProhibited && body.level !== 'prohibited') throw new Problem('prohibited_cannot_be_lowered');
  const at = timeIn(environment);
  const expiresAt = readStatedTime(body.expiresAt);
  if (expiresAt === null || expiresAt <= at || expiresAt > monthsLater(at, MOST_MONTHS)) {
    const message = 'must be in the future and at most twelve months ahead by the clock of the environment';
    throw new Problem('validation_failed', { errors: [{ pointer: '/expiresAt', code: 'out_of_range', message }] });
  }
  endOverride(tx, subject, at);
  const key = await sealingKey(tx, { type: subject.kind, id: subject.id }, { environment, now: at });
  const { level, reasonCode, note } = body;
  const row = {
    id: uuidv7(),
    environment,
    applicationId,
    businessId,
    assessmentId: id,
    level,
    reasonCode,
    note,
    expiresAt: expiresAt.toISOString(),
    createdAt: at,
    createdBy: actorOf(principal),
  };
  insertOverride(tx, sealedRow(riskOverride, row, key));
  const effective = effectiveLevel(current.level, row);
  const levelChangedAt =
    effective.effectiveLevel === current.effectiveLevel ? current.levelChangedAt : at.toISOString();
  setEffectiveLevel(tx, id, { ...effective, levelChangedAt });
  const after = { ...current, ...effective, levelChangedAt };
  await publishChange(tx, current.effectiveLevel, after, { at, now });
  return after;
}

/** Ends overrides whose time is over. The level of the model counts again, and the subject is assessed. */
export const overrideDue: Due = {
  name: ACTOR.id,
  everySeconds: 5 * MINUTE_SECONDS,
  atOnce: AT_ONCE,
  run: async (tx, { environment, businessTime: at, now }) => {
    const effects = [];
    // All subjects are locked first, in one order, because a case that opens for one of them locks the counter of the
    // case numbers until the end of the transaction.
    const locked = [];
    for (const subject of inOrder(await dueOverrides(tx, environment, at, AT_ONCE)))
      locked.push({ subject, found: await lockAssessable(tx, subject) });
    for (const { subject, found } of locked) {
      endOverride(tx, subject, at);
      const current = await currentAssessment(tx, subject);
      if (found === null || current === null) continue;
      const levelChangedAt = current.level === current.effectiveLevel ? current.levelChangedAt : at.toISOString();
      const effective = { effectiveLevel: current.level, overriddenUntil: null, levelChangedAt };
      setEffectiveLevel(tx, current.id, effective);
      appendAudit(tx, {
        occurredAt: now.toISOString(),
        environment,
        action: 'risk.override_expired',
        outcome: 'success',
        actor: ACTOR,
        resource: { type: 'risk_assessment', id: current.id },
        changes: Object.entries({ ...namedSubject(current), effectiveLevel: current.level }).map(([name, value]) => ({
          op: 'add',
          path: `/${name}`,
          value,
        })),
      });
      await publishChange(tx, current.effectiveLevel, { ...current, ...effective }, { at, now });
      await assessRecord(tx, found, 'override_expiry', { at, now });
      effects.push({ resource: { type: 'risk_assessment', id: current.id }, change: 'override_expired' });
    }
    return effects;
  },
};
