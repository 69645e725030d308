/**
 * Waives a requirement of an application, or revokes a waiver. Called by the handlers of reviewers; the ledger is in
 * the module decisions. Requirements that identify the person, and adverse findings, cannot be waived. Invalidates a
 * decision that waits for a second person.
 */
import type { RealTime } from '../../../base/time.ts';
import type { components } from '../../../contract/generated/types.ts';
import { type AnyPrincipal } from '../../../contract/operation.ts';
import type { Access } from '../../../request/lookup.ts';
import { type BusinessClocks, calendarDate } from '../../../rules/brazilian-calendar.ts';
import { type Invalidated, isMet, recordWaiver, type Waiver } from '../../decisions/index.ts';
import { reviewAgain } from '../decisions/pending-decision.ts';
import { assertOpen, subjectOf } from '../record/application.ts';
import { lookup } from '../record/lookup.ts';
import { readContents } from '../record/read-applications.ts';
import { type Assessed, assessedOf, isBinding } from './requirement-rules.ts';
import { IDENTIFICATION, requirementsOf } from './requirements.ts';

interface Recording extends Access, BusinessClocks {
  readonly principal: AnyPrincipal;
  readonly params: { readonly applicationId: string };
  readonly body: components['schemas']['WaiverCreate'];
  readonly now: RealTime;
}

/**
 * Waives a requirement of an application, or revokes a waiver. A decision that waits for a second review is
 * invalidated, because its evidence has changed.
 */
export async function waiveRequirement(
  ctx: Recording,
): Promise<{ readonly waiver: Waiver; readonly invalidated: Invalidated | null }> {
  const {
    tx,
    principal,
    params: { applicationId },
  } = ctx;
  const [application, contents] = await Promise.all([
    lookup(ctx).application(applicationId).forChange(),
    readContents(tx, { tenantId: principal.tenantId, applicationId }),
  ]);
  assertOpen(application.status);
  const { environment } = application;
  const now = ctx.timeIn(environment);
  const assessed = assessedOf(application, contents, calendarDate(now));
  const { items } = requirementsOf(assessed);
  const waiver = await recordWaiver(
    tx,
    principal,
    {
      subject: subjectOf(application),
      environment,
      now,
      ledger: contents.waivers,
      requirementOf: (wanted) => {
        const requirement = items.find(({ key }) => key === wanted);
        return requirement === undefined
          ? null
          : { isMet: isMet(requirement), unwaivable: unwaivable(assessed, wanted) };
      },
    },
    ctx.body,
  );
  return { waiver, invalidated: await reviewAgain(ctx, application) };
}

/** Returns which requirements nobody may waive, if the given one is among them. */
function unwaivable(assessed: Assessed, requirementKey: string): string | null {
  if (IDENTIFICATION.some((key) => key === requirementKey))
    return 'identifies the person (Circular BCB 3.978/2020, art. 16)';
  if (isBinding(assessed, requirementKey))
    return 'a confirmed hit, an open hit on a mandatory list or an attestation speaks against';
  return null;
}
