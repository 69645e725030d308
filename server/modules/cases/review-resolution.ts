import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Context } from '../../request/handler.ts';
import type { BlindIndex } from '../../rules/blind-index.ts';
import { namedSubject, subjectNamedBy } from '../../rules/subject.ts';
import { review } from '../second-review/index.ts';
import { sealedRow, sealingKey } from '../subject-keys/index.ts';
import { aboutCase } from './audit-cases.ts';
import { returnToReview, reviewDecision } from './case-subject.ts';
import { type CaseFile, readCaseFile } from './read-case.ts';
import { assertStep, type Held, holdCase, takeEffect } from './resolve.ts';
import { type CaseResolution, caseResolution, endResolution } from './resolution-store.ts';
import { type CaseRecord, saveCase } from './store.ts';

type Reviewing = Context<'reviewCaseResolution'>;

/** Ends a resolution that waits for a second person by that person's verdict, with the decision that it carries. */
export async function reviewResolution(ctx: Reviewing, index: BlindIndex): Promise<CaseResolution> {
  const { tx, body, principal, params } = ctx;
  const held = await holdCase(ctx, params.caseId, ctx.headers['if-match']);
  const { record, subject } = held;
  const file = await readCaseFile(tx, record, subject);
  const proposed = file.resolutions.find(({ id }) => id === params.resolutionId.toLowerCase());
  if (proposed === undefined) throw new Problem('not_found');
  if (proposed.status !== 'pending_review') throw new Problem('resolution_not_pending');
  assertStep('reviewCaseResolution', record.status);
  const at = ctx.timeIn(record.environment);
  const outcome = await review(tx, { type: 'case_resolution', id: proposed.id }, currentDigest(file, proposed, held), {
    verdict: body.verdict,
    digest: body.evidenceDigest === file.evidenceDigest ? currentDigest(file, proposed, held) : body.evidenceDigest,
    note: null,
    checker: principal,
    now: at,
  });
  switch (outcome) {
    case 'not_pending':
      throw new Problem('resolution_not_pending');
    case 'unread':
      throw new Problem('evidence_changed', { currentDigest: file.evidenceDigest });
    case 'stale':
      await invalidate(ctx, held, proposed);
      throw new Problem('evidence_changed', { currentDigest: file.evidenceDigest }).keeping();
    case 'returned':
    case 'confirmed': {
      const { decisionId } = proposed;
      if (decisionId !== null)
        await reviewDecision(ctx, index, subject, {
          decisionId,
          verdict: body.verdict,
          note: body.note,
          evidenceDigest: file.ofSubject.digest,
        });
      return settle(ctx, record, proposed, outcome);
    }
  }
}

/** Digest that no evidence has. */
const OVERTAKEN = 'overtaken';

/**
 * Returns the current digest of the evidence. If the decision that the resolution carries no longer waits, because it
 * was reviewed or invalidated by itself, the resolution is stale.
 */
function currentDigest(
  { evidenceDigest, ofSubject }: CaseFile,
  { decisionId }: CaseResolution,
  { subject }: Held,
): string {
  const isWaiting =
    decisionId === null ||
    (subject.record.status === 'pending_approval' &&
      ofSubject.decisions.some(({ id, status }) => id === decisionId && status === 'pending_review'));
  return isWaiting ? evidenceDigest : OVERTAKEN;
}

/** Returns a case to work whose resolution was overtaken, and the subject with it if a decision waits. */
async function invalidate(ctx: Reviewing, { record, subject }: Held, proposed: CaseResolution): Promise<void> {
  const { tx } = ctx;
  await endResolution(tx, proposed.id, {
    status: 'invalidated',
    reviewedBy: null,
    reviewNote: null,
    effectiveAt: null,
  });
  const after = await saveCase(tx, record, backToWork(record), ctx.timeIn(record.environment));
  ctx.audit('case.resolution_invalidated', aboutCase(after), {
    ...namedSubject(record),
    resolutionId: proposed.id,
  });
  if (proposed.decisionId !== null) await returnToReview(ctx, subject);
}

function backToWork({ assigneeId }: CaseRecord): Pick<CaseRecord, 'status'> {
  return { status: assigneeId === null ? 'open' : 'in_progress' };
}

async function settle(
  { tx, body, principal, timeIn, audit }: Reviewing,
  record: CaseRecord,
  proposed: CaseResolution,
  outcome: 'confirmed' | 'returned',
): Promise<CaseResolution> {
  const { environment } = record;
  const { kind, id } = subjectNamedBy(record);
  const at = timeIn(environment);
  const isConfirmed = outcome === 'confirmed';
  const ended = {
    status: isConfirmed ? ('effective' as const) : ('returned' as const),
    reviewedBy: actorOf(principal),
    effectiveAt: isConfirmed ? at.toISOString() : null,
  };
  const key = await sealingKey(tx, { type: kind, id }, { environment, now: at });
  const sealed = sealedRow(caseResolution, { id: proposed.id, reviewNote: body.note }, key);
  await endResolution(tx, proposed.id, { ...ended, reviewNote: sealed.reviewNote });
  if (isConfirmed) await takeEffect(tx, audit, record, { resolution: proposed, at });
  else {
    const after = await saveCase(tx, record, backToWork(record), at);
    audit('case.resolution_returned', aboutCase(after), { ...namedSubject(record), resolutionId: proposed.id });
  }
  return { ...proposed, ...ended, reviewNote: body.note };
}
