/**
 * Rules of requests for information from a subject's person: what can be asked, and until when. Called, through the
 * index, by the module of the subject, which then changes its status. Refuses a second open request, and items that the
 * person cannot provide.
 */
import {
  addMilliseconds,
  type BusinessTime,
  type BusinessTimestamp,
  DAY_MILLISECONDS,
  readStatedTime,
} from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Body } from '../../contract/operation-types.ts';
import { actorOf, type Acting } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { ValidPart } from '../../request/handler.ts';
import type { Subject } from '../../rules/subject.ts';
import { type InformationRequest, informationRequest, insertInformationRequest } from './information-store.ts';
import { type LedgerSubject, sealedRecord, unknownAt } from './ledger.ts';

type Input = components['schemas']['InformationRequestCreate'];
type Askable = Pick<components['schemas']['Requirement'], 'key' | 'satisfiedBy'>;

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

/** Rejects a second open request, because a subject waits for one answer at a time. */
export function assertNoneOpen(requests: readonly Pick<InformationRequest, 'status'>[]): void {
  if (requests.some(({ status }) => status === 'open')) throw new Problem('information_request_open');
}

interface Requesting extends LedgerSubject {
  /** Requirements that the person who is asked can meet. */
  readonly requirements: readonly Askable[];
  /** Days until the request is due, unless the caller names a date. */
  readonly dueDays: number;
}

/** Creates a request for information. The caller then changes the status of the subject, which waits for the answer. */
export async function requestInformation(
  tx: Transaction,
  asker: Acting,
  about: Requesting,
  input: Input,
): Promise<InformationRequest> {
  const { subject, requirements, dueDays, now } = about;
  const faults = informationBodyFaults(input);
  if (faults.length > 0) throw new Problem('validation_failed', { errors: faults });
  assertAskable(input.items, requirements, subject);
  const request: InformationRequest = {
    id: uuidv7(),
    status: 'open',
    items: input.items.map(({ documentType = null, ...item }) => ({ ...item, documentType })),
    internalNote: input.internalNote ?? null,
    dueAt: dueAtOf(input, now, dueDays),
    createdBy: actorOf(asker),
    createdAt: now.toISOString(),
    answeredAt: null,
  };
  insertInformationRequest(tx, await sealedRecord(tx, informationRequest, request, about));
  return request;
}

/** Rejects items whose requirement cannot be asked for, and those that name a document that does not meet it. */
function assertAskable(items: Input['items'], requirements: readonly Askable[], subject: Subject): void {
  const unknown: FieldError[] = [];
  const unfit: FieldError[] = [];
  for (const [index, { requirementKey, documentType }] of items.entries()) {
    const requirement = requirements.find(({ key }) => key === requirementKey);
    if (requirement === undefined) unknown.push(unknownAt(`/items/${index}/requirementKey`, subject));
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

function dueAtOf({ dueAt }: Input, now: BusinessTime, days: number): BusinessTimestamp {
  const inDays = (count: number): BusinessTime => addMilliseconds(now, count * DAY_MILLISECONDS);
  if (dueAt === undefined) return inDays(days).toISOString();
  const due = readStatedTime(dueAt);
  if (due === null || due <= now || due > inDays(MOST_DAYS)) {
    throw new Problem('validation_failed', {
      errors: [
        { pointer: '/dueAt', code: 'range', message: `must be in the future and at most ${MOST_DAYS} days ahead` },
      ],
    });
  }
  return due.toISOString();
}
