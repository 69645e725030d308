import {
  addMilliseconds,
  type BusinessTime,
  type BusinessTimestamp,
  DAY_MILLISECONDS,
  readStatedTime,
} from '../../../base/time.ts';
import { uuidv7 } from '../../../base/uuid.ts';
import type { components } from '../../../contract/generated/types.ts';
import type { Body } from '../../../contract/operation-types.ts';
import { actorOf } from '../../../contract/operation.ts';
import { type FieldError, Problem } from '../../../contract/problem.ts';
import type { ValidPart } from '../../../request/handler.ts';
import type { BlindIndex } from '../../../rules/blind-index.ts';
import { calendarDate } from '../../../rules/brazilian-calendar.ts';
import { sealedRow, sealingKey } from '../../subject-keys/index.ts';
import {
  type ApplicationRecord,
  assertTransition,
  informationRequested,
  type Requirement,
} from '../record/application.ts';
import { beginChange, type ChangeRequest, commitChange } from '../record/change-applications.ts';
import { type InformationRequest, informationRequest, insertInformationRequest } from './information-store.ts';
import { assessedOf } from './requirement-rules.ts';
import { requirementsOf } from './requirements.ts';

type Input = components['schemas']['InformationRequestCreate'];

const MOST_DAYS = 90;

/** Checks the rules that depend only on the body. */
export function informationBodyFaults({ items = [] }: ValidPart<Body<'createInformationRequest'>>): FieldError[] {
  const keys = items.map((item) => item?.requirementKey);
  return keys.flatMap((key, index) =>
    key !== undefined && keys.indexOf(key) < index
      ? [{ pointer: `/items/${index}/requirementKey`, code: 'duplicate', message: 'is asked for above already' }]
      : [],
  );
}

interface Requested {
  readonly request: InformationRequest;
  readonly application: ApplicationRecord;
}

/** Creates a request for information. The application then waits for the applicant's answer. */
export async function requestInformation(ctx: ChangeRequest, index: BlindIndex, input: Input): Promise<Requested> {
  const { tx, principal } = ctx;
  const { before, contents, now } = await beginChange(ctx);
  const {
    informationRequests,
    policy: { rules },
  } = contents;
  if (informationRequests.some(({ status }) => status === 'open')) throw new Problem('information_request_open');
  assertTransition('createInformationRequest', before.status);
  if (before.resubmissionCount >= rules.resubmissionLimit) throw new Problem('resubmission_limit');
  const faults = informationBodyFaults(input);
  if (faults.length > 0) throw new Problem('validation_failed', { errors: faults });
  assertAskable(
    input.items,
    requirementsOf(assessedOf(before, contents, calendarDate(now))).items.filter(({ kind }) => kind === 'provided'),
  );
  const request: InformationRequest = {
    id: uuidv7(),
    status: 'open',
    items: input.items.map(({ documentType = null, ...item }) => ({ ...item, documentType })),
    internalNote: input.internalNote ?? null,
    dueAt: dueAtOf(input, now, rules.informationDueDays),
    createdBy: actorOf(principal),
    createdAt: now.toISOString(),
    answeredAt: null,
  };
  const key = await sealingKey(tx, { type: 'application', id: before.id }, { environment: before.environment, now });
  insertInformationRequest(tx, {
    ...sealedRow(informationRequest, request, key),
    tenantId: principal.tenantId,
    applicationId: before.id,
    environment: before.environment,
  });
  return {
    request,
    application: await commitChange(ctx, index, { before, now }, informationRequested(before, request)),
  };
}

/** Rejects items unless the applicant provides their requirement, and unless a named document type meets it. */
function assertAskable(items: Input['items'], requirements: readonly Requirement[]): void {
  const unknown: FieldError[] = [];
  const unfit: FieldError[] = [];
  for (const [index, { requirementKey, documentType }] of items.entries()) {
    const requirement = requirements.find(({ key }) => key === requirementKey);
    if (requirement === undefined)
      unknown.push({
        pointer: `/items/${index}/requirementKey`,
        code: 'unknown',
        message: 'must be a requirement of the application',
      });
    else if (documentType != null && !requirement.satisfiedBy.some((source) => source.documentType === documentType)) {
      unfit.push({
        pointer: `/items/${index}/documentType`,
        code: 'unfit',
        message: 'must be a document that meets the requirement',
      });
    }
  }
  if (unknown.length > 0) throw new Problem('unknown_requirement', { errors: unknown });
  if (unfit.length > 0) throw new Problem('validation_failed', { errors: unfit });
}

function dueAtOf({ dueAt }: Input, at: BusinessTime, days: number): BusinessTimestamp {
  if (dueAt === undefined) return addMilliseconds(at, days * DAY_MILLISECONDS).toISOString();
  const due = readStatedTime(dueAt);
  if (due === null || due <= at || due > addMilliseconds(at, MOST_DAYS * DAY_MILLISECONDS)) {
    throw new Problem('validation_failed', {
      errors: [
        { pointer: '/dueAt', code: 'range', message: `must be in the future and at most ${MOST_DAYS} days ahead` },
      ],
    });
  }
  return due.toISOString();
}
