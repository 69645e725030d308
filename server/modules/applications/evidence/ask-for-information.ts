/**
 * Asks the applicant for information and puts the application into `needs_information`. Called by the handlers of
 * reviewers, and for processes. Refuses a second open request, a wrong status, and a request beyond the limit of
 * resubmissions.
 */
import type { components } from '../../../contract/generated/types.ts';
import type { Acting } from '../../../contract/operation.ts';
import { Problem } from '../../../contract/problem.ts';
import type { BlindIndex } from '../../../rules/blind-index.ts';
import { calendarDate } from '../../../rules/brazilian-calendar.ts';
import { assertNoneOpen, type InformationRequest, requestInformation } from '../../decisions/index.ts';
import { publish } from '../../subject-events/index.ts';
import { type ApplicationRecord, assertTransition, informationRequested, subjectOf } from '../record/application.ts';
import { beginChange, type CauseOfChange, commitChange } from '../record/change-applications.ts';
import { assessedOf } from './requirement-rules.ts';
import { requirementsOf } from './requirements.ts';

interface Requested {
  readonly request: InformationRequest;
  readonly application: ApplicationRecord;
}

/** The request of a person or a program, or of a process that asks by itself. */
type Asking = CauseOfChange & { readonly principal: Acting };

/** Asks an applicant for information. The application then waits for the applicant's answer. */
export async function askForInformation(
  ctx: Asking,
  index: BlindIndex,
  input: components['schemas']['InformationRequestCreate'],
): Promise<Requested> {
  const { before, contents, now } = await beginChange(ctx);
  const {
    informationRequests,
    policy: { rules },
  } = contents;
  assertNoneOpen(informationRequests);
  assertTransition('ask', before.status);
  if (before.resubmissionCount >= rules.resubmissionLimit) throw new Problem('resubmission_limit');
  const { items } = requirementsOf(assessedOf(before, contents, calendarDate(now)));
  const request = await requestInformation(
    ctx.tx,
    ctx.principal,
    {
      subject: subjectOf(before),
      environment: before.environment,
      now,
      requirements: items.filter(({ kind }) => kind === 'provided'),
      dueDays: rules.informationDueDays,
    },
    input,
  );
  const application = await commitChange(ctx, index, { before, now }, informationRequested(before, request));
  await publish(ctx.tx, {
    type: 'information.requested',
    subject: subjectOf(application),
    environment: application.environment,
    requestId: request.id,
    at: now,
    now: ctx.now,
  });
  return { request, application };
}
