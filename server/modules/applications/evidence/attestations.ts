/**
 * Records what a person has looked up elsewhere about an applicant. Called by the handlers of reviewers; the ledger
 * itself is in the module decisions. Refused once the application is decided. Invalidates a decision that waits for a
 * second person.
 */
import type { RealTime } from '../../../base/time.ts';
import type { components } from '../../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../../contract/operation.ts';
import type { Access } from '../../../request/lookup.ts';
import { type BusinessClocks, calendarDate } from '../../../rules/brazilian-calendar.ts';
import { type Attestation, type Invalidated, recordAttestation } from '../../decisions/index.ts';
import { publish } from '../../subject-events/index.ts';
import { reviewAgain } from '../decisions/pending-decision.ts';
import { assertOpen, subjectOf } from '../record/application.ts';
import { lookup } from '../record/lookup.ts';
import { readContents } from '../record/read-applications.ts';
import { attestedPerson } from './attested.ts';
import { assessedOf, isAttestable, isKnown } from './requirement-rules.ts';
import { requirementsOf } from './requirements.ts';

interface Recording extends Access, BusinessClocks {
  readonly principal: AnyPrincipal;
  readonly params: { readonly applicationId: string };
  readonly body: components['schemas']['AttestationCreate'];
  readonly now: RealTime;
}

/**
 * Records what a person has looked up about an applicant. A decision that waits for a second review is invalidated,
 * because its evidence has changed.
 */
export async function attestRequirement(
  ctx: Recording,
): Promise<{ readonly attestation: Attestation; readonly invalidated: Invalidated | null }> {
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
  const { items } = requirementsOf(assessedOf(application, contents, calendarDate(now)));
  const attestation = await recordAttestation(
    tx,
    principal,
    {
      subject: subjectOf(application),
      environment,
      now,
      ledger: contents.attestations,
      documents: contents.documents,
      identity: attestedPerson(application.applicant),
      // Accepts any known requirement, even if the policy does not demand it, because an adverse finding counts in any
      // case.
      isAttestable: (wanted) =>
        isKnown(wanted) || items.some(({ key }) => key === wanted) ? isAttestable(wanted) : null,
    },
    ctx.body,
  );
  const invalidated = await reviewAgain(ctx, application);
  await publish(tx, {
    type: 'requirement.attested',
    subject: subjectOf(application),
    environment,
    at: now,
    now: ctx.now,
  });
  return { attestation, invalidated };
}
