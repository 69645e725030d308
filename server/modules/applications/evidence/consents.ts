/**
 * Records grants and withdrawals of consents. Called by the handlers of applications. Refuses a capture time in the
 * future, a withdrawal without a grant, and too many grants. A withdrawal of biometric processing also rejects the
 * pictures; any record invalidates a decision that waits for a second person.
 */
import { isIP } from 'node:net';
import {
  type BusinessTime,
  type BusinessTimestamp,
  MINUTE_MILLISECONDS,
  nextChangeTime,
  readStatedTime,
  type RealTime,
} from '../../../base/time.ts';
import { uuidv7 } from '../../../base/uuid.ts';
import type { components } from '../../../contract/generated/types.ts';
import type { Body } from '../../../contract/operation-types.ts';
import { actorOf, type AnyPrincipal } from '../../../contract/operation.ts';
import { type FieldError, Problem } from '../../../contract/problem.ts';
import type { ValidPart } from '../../../request/handler.ts';
import type { Access } from '../../../request/lookup.ts';
import type { Invalidated } from '../../decisions/index.ts';
import type { BusinessClocks } from '../../../rules/brazilian-calendar.ts';
import { findDocument } from '../../documents/index.ts';
import { sealedRow, sealingKey } from '../../subject-keys/index.ts';
import { reviewAgain } from '../decisions/pending-decision.ts';
import { publish } from '../../subject-events/index.ts';
import { assertTakesConsents, subjectOf } from '../record/application.ts';
import { lookup } from '../record/lookup.ts';
import { endsBiometrics, rejectBiometrics } from './biometrics.ts';
import { type Consent, consent, insertConsent, listConsents, recordInForce } from './consent-store.ts';

type ConsentWanted = components['schemas']['ConsentCreate'];

/**
 * Highest number of grants. Each withdrawal needs a grant of its own, so a ledger has at most twice as many records.
 */
const MAX_GRANTS = 50;
/** Time by which the clock of a phone may be ahead. */
const TOLERANCE = 5 * MINUTE_MILLISECONDS;
const EARLIEST_CAPTURE = '1900-01-01T00:00:00.000Z';

/** Checks the rules that depend only on the body. */
export function consentBodyFaults({ ip, capturedAt }: ValidPart<Body<'recordConsent'>>): FieldError[] {
  return [
    ...(ip == null || isIP(ip) !== 0 ? [] : [{ pointer: '/ip', code: 'format', message: 'must be an IP address' }]),
    ...(capturedAt === undefined || momentOf(capturedAt) !== null
      ? []
      : [{ pointer: '/capturedAt', code: 'range', message: `must be an instant after ${EARLIEST_CAPTURE}` }]),
  ];
}

function momentOf(text: string): BusinessTimestamp | null {
  const instant = readStatedTime(text)?.toISOString();
  return instant === undefined || instant < EARLIEST_CAPTURE ? null : instant;
}

interface Recording extends Access, BusinessClocks {
  readonly principal: AnyPrincipal;
  readonly params: { readonly applicationId: string };
  readonly body: ConsentWanted;
  readonly now: RealTime;
}

interface Recorded {
  readonly consent: Consent;
  /** Documents that may no longer be used because of the record. */
  readonly rejected: Awaited<ReturnType<typeof rejectBiometrics>>;
  readonly invalidated: Invalidated | null;
}

/**
 * Adds a record to the ledger of consents. The lock on the application makes simultaneous records see each other. A
 * decision that waits for a second review is invalidated, because its evidence has changed.
 */
export async function recordConsent(ctx: Recording): Promise<Recorded> {
  const {
    tx,
    principal,
    params: { applicationId },
    body,
  } = ctx;
  const of = { tenantId: principal.tenantId, applicationId };
  const { evidenceDocumentId = null } = body;
  const [application, ledger, evidence] = await Promise.all([
    lookup(ctx).application(applicationId).forChange(),
    listConsents(tx, of),
    evidenceDocumentId === null ? null : findDocument(tx, subjectOf({ id: applicationId }), evidenceDocumentId),
  ]);
  assertTakesConsents(application.status);
  const faults = consentBodyFaults(body);
  if (evidenceDocumentId !== null && evidence === null)
    faults.push({
      pointer: '/evidenceDocumentId',
      code: 'unknown_document',
      message: 'must be a document of this application',
    });
  if (faults.length > 0) throw new Problem('validation_failed', { errors: faults });
  const at = ctx.timeIn(application.environment);
  const record: Consent = {
    id: uuidv7(),
    action: body.action,
    purpose: body.purpose,
    legalBasis: body.legalBasis,
    textVersion: body.textVersion,
    textSha256: body.textSha256,
    locale: body.locale,
    channel: body.channel,
    capturedAt: momentOf(body.capturedAt)!,
    ip: body.ip ?? null,
    userAgent: body.userAgent ?? null,
    evidenceDocumentId,
    // Later than the previous record, so that the order of times is the order in which the ledger was written.
    createdAt: ledger[0] === undefined ? at.toISOString() : nextChangeTime(at, ledger[0].createdAt),
  };
  assertRecordable(record, ledger, at);
  const key = await sealingKey(
    tx,
    { type: 'application', id: application.id },
    { environment: application.environment, now: at },
  );
  insertConsent(tx, {
    ...sealedRow(consent, record, key),
    ...of,
    environment: application.environment,
    createdBy: actorOf(principal),
  });
  const rejected = endsBiometrics(record) ? await rejectBiometrics(tx, application.id, at) : [];
  if (endsBiometrics(record))
    await publish(tx, {
      type: 'biometrics.withdrawn',
      subject: subjectOf(application),
      environment: application.environment,
      at,
      now: ctx.now,
    });
  return { consent: record, rejected, invalidated: await reviewAgain(ctx, application) };
}

/** Rejects a record that contradicts the time or the earlier records. */
export function assertRecordable(
  { action, purpose, capturedAt }: Consent,
  ledger: readonly Consent[],
  at: BusinessTime,
): void {
  if (Date.parse(capturedAt) > at.getTime() + TOLERANCE) {
    throw new Problem('capture_time_in_future', {
      errors: [
        {
          pointer: '/capturedAt',
          code: 'range',
          message: 'must be at most five minutes ahead of the clock of the service',
        },
      ],
    });
  }
  if (action === 'granted') {
    if (ledger.filter((before) => before.action === 'granted').length >= MAX_GRANTS) throw new Problem('consent_limit');
    return;
  }
  const last = recordInForce(ledger, purpose);
  if (last?.action !== 'granted' || last.capturedAt > capturedAt) {
    throw new Problem('withdraw_without_grant', {
      errors: [
        { pointer: '/purpose', code: 'no_grant', message: 'has no consent that was captured before and still stands' },
      ],
    });
  }
}
