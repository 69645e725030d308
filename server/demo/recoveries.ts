import { HOUR_MILLISECONDS } from '../base/time.ts';
import { uuidv7 } from '../base/uuid.ts';
import type { Transaction } from '../database/index.ts';
import type { Observation } from '../modules/recoveries/index.ts';
import { type RunOptions, scenarioNamed, startRun } from '../simulators/directory/index.ts';

const ISPB = '40511220';
const COUNTERPARTY = '90400888';

/** Time of each step, in hours before the demo was created. Steps that have not happened yet are omitted. */
interface RecoveryTimeline {
  readonly id: string;
  readonly amount: string;
  readonly status: string;
  readonly created: number;
  readonly tracked: number;
  readonly opened?: number;
  readonly analysed?: number;
  readonly refunding?: number;
  readonly completed?: number;
}

/**
 * Three recoveries as the directory would describe them: one closed, one waiting for its refund and one just opened.
 */
const RECOVERY_TIMELINES: readonly RecoveryTimeline[] = [
  {
    id: '3f8a4c1e-52d7-4b0a-9c61-7d2e8f90a1b3',
    amount: '812.40',
    status: 'COMPLETED',
    created: 260,
    tracked: 259.9,
    opened: 259.8,
    analysed: 180,
    refunding: 176,
    completed: 172,
  },
  {
    id: '8b27d9f0-1c4e-4f6b-8a35-0e9c7b6d5a42',
    amount: '2450.00',
    status: 'ANALYSED',
    created: 90,
    tracked: 89.9,
    opened: 89.8,
    analysed: 40,
  },
  {
    id: 'c5e1a7b2-9d38-4e07-b6f4-2a8d3c1f5e60',
    amount: '299.90',
    status: 'TRACKED',
    created: 0.4,
    tracked: 0.3,
  },
];

/**
 * Returns what a poll of the directory would have observed, so that records and events are created in the usual way.
 */
export function demoRecoveries(now: Date): Observation[] {
  const at = (hoursAgo: number): string => new Date(now.getTime() - hoursAgo * HOUR_MILLISECONDS).toISOString();
  return RECOVERY_TIMELINES.map((timeline) => observation(timeline, now, at));
}

function observation(
  { id, amount, status, created, tracked, opened, analysed, refunding, completed }: RecoveryTimeline,
  now: Date,
  at: (hoursAgo: number) => string,
): Observation {
  const read = {
    source: 'DEMO',
    correlationId: null,
    receivedAt: now.toISOString(),
    signature: 'NONE',
    sha256: null,
  } as const;
  const notification = (event: string, hoursAgo: number | undefined) =>
    hoursAgo === undefined
      ? []
      : [
          {
            Id: String(Date.parse(at(hoursAgo))),
            Event: `FUNDS_RECOVERY_${event}`,
            EntityType: 'FUNDS_RECOVERY',
            EntityId: id,
            Timestamp: at(hoursAgo),
            Participant: ISPB,
          },
        ];
  const settled = at(created + 8);
  const transaction = (kind: 'E' | 'D', ispb: string, time: string): string =>
    `${kind}${ispb}${time.replaceAll(/\D/g, '').slice(0, 12)}${id.replaceAll('-', '').slice(0, 11)}`;
  const root = transaction('E', ISPB, settled);
  const details = 'The customer did not recognise the payment.';
  const contact = { Email: 'recovery@example.com', Phone: '+5561900000000' };
  const [reportId, refundId] = [`7${id.slice(1)}`, `2${id.slice(1)}`];
  return {
    ispb: ISPB,
    at: now,
    page: read,
    read,
    gapSince: null,
    notifications: [...notification('ANALYSED', analysed), ...notification('COMPLETED', completed)],
    recovery: {
      Id: id,
      Status: status,
      RootTransactionId: root,
      ReporterParticipant: ISPB,
      SituationType: 'SCAM',
      ReportDetails: details,
      ContactInformation: contact,
      CreationTime: at(created),
      LastModified: at(completed ?? refunding ?? analysed ?? opened ?? tracked),
    },
    graph: {
      FundsRecoveryId: id,
      RootTransactionId: root,
      CreationTime: at(tracked),
      Parameters: {
        MinTransactionAmount: '200.00',
        MaxTransactions: '5',
        HopWindow: 'PT2H',
        MaxHops: '2',
      },
      Persons: [
        { Id: '101', Type: 'NATURAL_PERSON' },
        { Id: '102', Type: 'LEGAL_PERSON', EntityCreationDate: at(created + 2000) },
      ],
      Accounts: [
        {
          Id: '1',
          OwnerId: '101',
          Participant: ISPB,
          OpeningDate: at(created + 40_000),
        },
        {
          Id: '2',
          OwnerId: '102',
          Participant: COUNTERPARTY,
          OpeningDate: at(created + 800),
        },
      ],
      Transactions: [
        {
          Id: root,
          DebtorAccountId: '1',
          CreditorAccountId: '2',
          Amount: amount,
          RefundableAmount: amount,
          SettlementTime: settled,
        },
      ],
    },
    reports:
      opened === undefined
        ? []
        : [
            {
              Id: reportId,
              FundsRecoveryId: id,
              TransactionId: root,
              Reason: 'REFUND_REQUEST',
              SituationType: 'SCAM',
              ReportDetails: details,
              ContactInformation: contact,
              ReporterParticipant: ISPB,
              CounterpartyParticipant: COUNTERPARTY,
              InfractionAmount: amount,
              CreationTime: at(opened),
              ...(analysed === undefined
                ? { Status: 'OPEN', LastModified: at(opened) }
                : {
                    Status: 'CLOSED',
                    AnalysisResult: 'AGREED',
                    FraudMarkerId: `5${id.slice(1)}`,
                    LastModified: at(analysed),
                  }),
            },
          ],
    refunds:
      refunding === undefined
        ? []
        : [
            {
              Id: refundId,
              FundsRecoveryId: id,
              InfractionReportId: reportId,
              TransactionId: root,
              RefundReason: 'FRAUD',
              RequestingParticipant: ISPB,
              ContestedParticipant: COUNTERPARTY,
              RefundAmount: amount,
              RefundDetails: details,
              MonitorAccount: String(completed === undefined),
              CreationTime: at(refunding),
              RefundAccount: {
                TaxIdNumber: '00000000191',
                Participant: ISPB,
                Branch: '0001',
                AccountNumber: '0007654321',
                AccountType: 'CACC',
              },
              ...(completed === undefined
                ? { Status: 'OPEN', LastModified: at(refunding) }
                : {
                    Status: 'CLOSED',
                    AnalysisResult: 'TOTALLY_ACCEPTED',
                    EffectiveRefundedAmount: amount,
                    RefundTransactionId: transaction('D', COUNTERPARTY, at(completed)),
                    LastModified: at(completed),
                  }),
            },
          ],
  };
}

type DemoRun = readonly [name: string, hoursAgo: number, options?: Partial<RunOptions>];

/**
 * Runs of the demo: a refunded recovery, one that waits for its last answer, and cases that clients seldom see (reasons
 * of a rejection, a payment that is too small, and documents with only the mandatory elements).
 */
const RUNS: readonly DemoRun[] = [
  ['happy-path', 72],
  ['tracking-three-reports', 25],
  ['no-balance', 60, { rejectionReason: 'ACCOUNT_CLOSURE', situation: 'ACCOUNT_TAKEOVER' }],
  ['partial-refund', 50, { documents: 'MINIMAL', situation: 'COERCION' }],
  ['happy-path', 48, { amount: '150.00' }],
];

/**
 * Starts runs in the past, so that the sandbox directory already has a history when the demo tenant is first opened.
 */
export async function startDemoRuns(tx: Transaction, now: Date): Promise<void> {
  for (const [name, hoursAgo, options] of RUNS) {
    const at = new Date(now.getTime() - hoursAgo * HOUR_MILLISECONDS);
    const scenario = scenarioNamed(name);
    if (scenario !== null)
      await startRun(tx, at, scenario, {
        runId: uuidv7(),
        role: 'SENT',
        amount: '812.40',
        pace: 'stepped',
        onTimeout: null,
        situation: 'SCAM',
        ...options,
      });
  }
}
