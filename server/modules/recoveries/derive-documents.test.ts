/** Tests of the events that are derived from infraction reports and refunds, by reading generated histories of them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { each } from '../../../test/support/each.ts';
import type { InfractionReportDocument, RecoveryDocument, RefundDocument } from '../../providers/directory/index.ts';
import { derive } from './derive.ts';
import type { Observation } from './observation.ts';
import { type RecoveryRecord, standardStageLimits } from './recovery.ts';

const startMilliseconds = Date.parse('2026-11-21T12:00:00.000Z');
const at = (minute: number): string => new Date(startMilliseconds + minute * 60_000).toISOString();
/** ISPB, the identifier of a participant of the payment system: here the institution that reads the directory. */
const ispb = '40511220';

const recovery: RecoveryDocument = {
  Id: 'f0e1d2c3-0000-4000-8000-000000000001',
  Status: 'AWAITING_ANALYSIS',
  RootTransactionId: 'E1',
  ReporterParticipant: ispb,
  CreationTime: at(0),
  LastModified: at(0),
};

/** Step in the history of a document, in order. `CHANGED` sets another answer. */
type Step = 'OPENED' | 'ACKNOWLEDGED' | 'CLOSED' | 'CANCELLED' | 'CHANGED';
interface DocumentHistory {
  readonly kind: 'report' | 'refund';
  readonly steps: readonly { readonly step: Step; readonly minute: number }[];
}

const reportSteps = fc.constantFrom<readonly Step[]>(
  ['OPENED'],
  ['OPENED', 'ACKNOWLEDGED'],
  ['OPENED', 'ACKNOWLEDGED', 'CLOSED'],
  ['OPENED', 'ACKNOWLEDGED', 'CLOSED', 'CHANGED', 'CHANGED'],
  ['OPENED', 'CANCELLED'],
  ['OPENED', 'ACKNOWLEDGED', 'CANCELLED'],
  ['OPENED', 'ACKNOWLEDGED', 'CLOSED', 'CHANGED', 'CANCELLED'],
  ['OPENED', 'CHANGED', 'ACKNOWLEDGED', 'CLOSED'],
);
const refundSteps = fc.constantFrom<readonly Step[]>(
  ['OPENED'],
  ['OPENED', 'CLOSED'],
  ['OPENED', 'CLOSED', 'CHANGED', 'CHANGED', 'CHANGED'],
  ['OPENED', 'CANCELLED'],
  ['OPENED', 'CHANGED', 'CLOSED'],
);
const arbitraryHistories = fc
  .array(
    fc.tuple(
      fc.constantFrom<DocumentHistory['kind'][]>('report', 'refund'),
      reportSteps,
      refundSteps,
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 5, maxLength: 5 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) =>
    all.map(([kind, ofReport, ofRefund, waits]): DocumentHistory => {
      let minute = 0;
      return {
        kind,
        steps: (kind === 'report' ? ofReport : ofRefund).map((step, index) => ({
          step,
          minute: (minute += waits[index]!),
        })),
      };
    }),
  );

/** Returns the document as the directory serves it at that minute, or null before it is opened. */
function documentAt(
  { kind, steps }: DocumentHistory,
  index: number,
  minute: number,
): (InfractionReportDocument & RefundDocument) | null {
  const past = steps.filter((step) => step.minute <= minute);
  const last = past.at(-1);
  if (last === undefined) return null;
  const status = past.findLast(({ step }) => step !== 'CHANGED')!.step;
  return {
    Id: `${kind} ${index}`,
    TransactionId: `E${index + 1}`,
    Status: status === 'OPENED' ? 'OPEN' : status,
    ReporterParticipant: ispb,
    CounterpartyParticipant: '90400888',
    RequestingParticipant: ispb,
    ContestedParticipant: '90400888',
    AnalysisDetails: `version ${past.filter(({ step }) => step === 'CHANGED').length}`,
    ...(status === 'CLOSED' && { AnalysisResult: 'AGREED' }),
    CreationTime: at(steps[0]!.minute),
    LastModified: at(last.minute),
  };
}

const eventNames: Readonly<Record<DocumentHistory['kind'], Readonly<Record<Step, string>>>> = {
  report: {
    OPENED: 'REPORT_OPENED',
    ACKNOWLEDGED: 'REPORT_ACKNOWLEDGED',
    CLOSED: 'COUNTERPARTY_ANALYSED',
    CANCELLED: 'REPORT_CANCELLED',
    CHANGED: 'REPORT_CHANGED',
  },
  refund: {
    OPENED: 'REFUND_OPENED',
    ACKNOWLEDGED: '',
    CLOSED: 'REFUND_CLOSED',
    CANCELLED: 'REFUND_CANCELLED',
    CHANGED: 'REFUND_CHANGED',
  },
};

/**
 * Returns the steps that these reads can reveal, as event names. The opening is revealed by any read after it. Another
 * status is revealed if a read shows it before the next one; an acknowledgement also follows from a closing that was
 * read. A change is revealed if reads with the same status show the document before it and before the next step.
 */
function revealedSteps({ kind, steps }: DocumentHistory, readMinutes: readonly number[]): string[] {
  const lastSeen = (minute: number) => steps.filter((step) => step.minute <= minute).at(-1);
  const isKnown = (step: DocumentHistory['steps'][number], index: number): boolean => {
    const seenWhileLast = readMinutes.some((readMinute) => lastSeen(readMinute) === step);
    const next = steps.slice(index + 1).find((later) => later.step !== 'CHANGED');
    const seenBeforeNextStatus = readMinutes.some(
      (readMinute) => readMinute >= step.minute && (next === undefined || readMinute < next.minute),
    );
    switch (step.step) {
      case 'OPENED':
        return readMinutes.some((readMinute) => readMinute >= step.minute);
      case 'ACKNOWLEDGED':
        return seenBeforeNextStatus || (next?.step === 'CLOSED' && isKnown(next, steps.indexOf(next)));
      case 'CLOSED':
      case 'CANCELLED':
        return seenBeforeNextStatus;
      // A change is relative to an earlier version with the same status, because another status has its own event.
      case 'CHANGED': {
        const before = steps.slice(0, index).findLast((earlier) => earlier.step !== 'CHANGED')!;
        return (
          seenWhileLast && readMinutes.some((readMinute) => readMinute >= before.minute && readMinute < step.minute)
        );
      }
    }
  };
  return steps.filter((step, index) => isKnown(step, index)).map(({ step }) => eventNames[kind][step]);
}

function eventsOf(histories: readonly DocumentHistory[], readMinutes: readonly number[]) {
  let record: RecoveryRecord | null = null;
  return readMinutes.flatMap((minute) => {
    const documents = histories.map((history, index) => [history.kind, documentAt(history, index, minute)] as const);
    const of = (kind: DocumentHistory['kind']) =>
      documents.flatMap(([one, document]) => (one === kind && document !== null ? [document] : []));
    const observation: Observation = {
      ispb,
      at: new Date(at(minute)),
      notifications: [],
      page: null,
      recovery,
      graph: null,
      reports: of('report'),
      refunds: of('refund'),
      gapSince: null,
      read: {
        source: 'DICT',
        correlationId: null,
        receivedAt: at(minute),
        signature: 'VERIFIED',
        sha256: null,
      },
    };
    const derived = derive(record, observation, standardStageLimits);
    record = derived.record;
    return derived.events;
  });
}

it('publishes, in order and once, exactly the steps that the reads can reveal', () => {
  fc.assert(
    fc.property(
      arbitraryHistories,
      fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 20 }),
      (histories, minutes) => {
        // Each read is repeated, and the repetition adds nothing.
        const readMinutes = minutes.toSorted((one, other) => one - other).flatMap((minute) => [minute, minute]);
        const events = eventsOf(histories, readMinutes);
        expect(new Set(events.map(({ dedupeKey }) => dedupeKey)).size).toBe(events.length);
        histories.forEach((history, index) => {
          const prefix = `${history.kind === 'report' ? 'ir' : 'rf'}:${history.kind} ${index}:`;
          const published = events.filter(({ dedupeKey }) => dedupeKey.startsWith(prefix));
          expect(published.map(({ eventType }) => eventType.replace('FUNDS_RECOVERY_', ''))).toEqual(
            revealedSteps(history, readMinutes),
          );
        });
      },
    ),
    { numRuns: 500 },
  );
});

it('publishes each step with its own time if the directory is read every minute', () => {
  fc.assert(
    fc.property(arbitraryHistories, (histories) => {
      const events = eventsOf(
        histories,
        Array.from({ length: 460 }, (_, minute) => minute),
      );
      each(histories).forEach((history, index) => {
        const published = events
          .filter(({ dedupeKey }) => dedupeKey.includes(`:${history.kind} ${index}:`))
          .map(({ eventType, occurredAt }) => [eventType, occurredAt]);
        expect(published).toEqual(
          history.steps.map(({ step, minute }) => [`FUNDS_RECOVERY_${eventNames[history.kind][step]}`, at(minute)]),
        );
      });
    }),
    { numRuns: 10 },
  );
});

it('publishes a second report, a second refund, and a changed answer with its values before and after', () => {
  const closed: DocumentHistory = {
    kind: 'report',
    steps: [
      { step: 'OPENED', minute: 1 },
      { step: 'ACKNOWLEDGED', minute: 2 },
      { step: 'CLOSED', minute: 3 },
      { step: 'CHANGED', minute: 9 },
    ],
  };
  const second: DocumentHistory = { kind: 'report', steps: [{ step: 'OPENED', minute: 5 }] };
  const events = eventsOf(
    [
      closed,
      second,
      { kind: 'refund', steps: [{ step: 'OPENED', minute: 6 }] },
      { kind: 'refund', steps: [{ step: 'OPENED', minute: 7 }] },
    ],
    [4, 10],
  );
  expect(
    events
      .map(({ eventType }) => eventType.replace('FUNDS_RECOVERY_', ''))
      .filter((type) => /^(REPORT|REFUND)_/.test(type)),
  ).toEqual([
    'REPORT_OPENED',
    'REPORT_ACKNOWLEDGED',
    'REPORT_OPENED',
    'REFUND_OPENED',
    'REFUND_OPENED',
    'REPORT_CHANGED',
  ]);
  expect(events.at(-1)?.rawPayload).toMatchObject({
    Changed: { Before: { AnalysisDetails: 'version 0' }, After: { AnalysisDetails: 'version 1' } },
  });
});
