/**
 * Invented recoveries for the demo, as if the directory had described them. Called by seed.ts. The documents must look
 * like real ones, which a test of the house checks.
 */
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

/** A recovery with what its documents share. */
interface Described extends RecoveryTimeline {
  readonly at: (hoursAgo: number) => string;
  /** Time and id of the disputed payment. */
  readonly settled: string;
  readonly root: string;
  readonly reportId: string;
}

const DETAILS = 'The customer did not recognise the payment.';
const CONTACT = { Email: 'recovery@example.com', Phone: '+5561900000000' };

/**
 * Returns what a poll of the directory would have observed, so that records and events are created in the usual way.
 */
export function demoRecoveries(now: Date): Observation[] {
  const at = (hoursAgo: number): string => new Date(now.getTime() - hoursAgo * HOUR_MILLISECONDS).toISOString();
  return RECOVERY_TIMELINES.map((timeline) => {
    const settled = at(timeline.created + 8);
    const root = transactionId('E', ISPB, settled, timeline.id);
    const reportId = `7${timeline.id.slice(1)}`;
    const described: Described = {
      ...timeline,
      at,
      settled,
      root,
      reportId,
    };
    return observation(described, now);
  });
}

function observation(described: Described, now: Date): Observation {
  const read = {
    source: 'DEMO',
    correlationId: null,
    receivedAt: now.toISOString(),
    signature: 'NONE',
    sha256: null,
  } as const;
  return {
    ispb: ISPB,
    at: now,
    page: read,
    read,
    gapSince: null,
    notifications: [
      ...notificationsOf(described, 'ANALYSED', described.analysed),
      ...notificationsOf(described, 'COMPLETED', described.completed),
    ],
    recovery: recoveryOf(described),
    graph: graphOf(described),
    reports: reportsOf(described),
    refunds: refundsOf(described),
  };
}

function transactionId(kind: 'E' | 'D', ispb: string, time: string, recoveryId: string): string {
  return `${kind}${ispb}${time.replaceAll(/\D/g, '').slice(0, 12)}${recoveryId.replaceAll('-', '').slice(0, 11)}`;
}

function notificationsOf(
  { id, at }: Described,
  event: string,
  hoursAgo: number | undefined,
): Observation['notifications'] {
  if (hoursAgo === undefined) return [];
  return [
    {
      Id: String(Date.parse(at(hoursAgo))),
      Event: `FUNDS_RECOVERY_${event}`,
      EntityType: 'FUNDS_RECOVERY',
      EntityId: id,
      Timestamp: at(hoursAgo),
      Participant: ISPB,
    },
  ];
}

function recoveryOf(described: Described): Observation['recovery'] {
  const { id, status, root, at, created, tracked, opened, analysed, refunding, completed } = described;
  return {
    Id: id,
    Status: status,
    RootTransactionId: root,
    ReporterParticipant: ISPB,
    SituationType: 'SCAM',
    ReportDetails: DETAILS,
    ContactInformation: CONTACT,
    CreationTime: at(created),
    LastModified: at(completed ?? refunding ?? analysed ?? opened ?? tracked),
  };
}

function graphOf({ id, amount, root, settled, at, created, tracked }: Described): Observation['graph'] {
  return {
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
  };
}

function reportsOf({ id, amount, root, reportId, at, opened, analysed }: Described): Observation['reports'] {
  if (opened === undefined) return [];
  const state =
    analysed === undefined
      ? { Status: 'OPEN', LastModified: at(opened) }
      : {
          Status: 'CLOSED',
          AnalysisResult: 'AGREED',
          FraudMarkerId: `5${id.slice(1)}`,
          LastModified: at(analysed),
        };
  return [
    {
      Id: reportId,
      FundsRecoveryId: id,
      TransactionId: root,
      Reason: 'REFUND_REQUEST',
      SituationType: 'SCAM',
      ReportDetails: DETAILS,
      ContactInformation: CONTACT,
      ReporterParticipant: ISPB,
      CounterpartyParticipant: COUNTERPARTY,
      InfractionAmount: amount,
      CreationTime: at(opened),
      ...state,
    },
  ];
}

function refundsOf({ id, amount, root, reportId, at, refunding, completed }: Described): Observation['refunds'] {
  if (refunding === undefined) return [];
  const state =
    completed === undefined
      ? { Status: 'OPEN', LastModified: at(refunding) }
      : {
          Status: 'CLOSED',
          AnalysisResult: 'TOTALLY_ACCEPTED',
          EffectiveRefundedAmount: amount,
          RefundTransactionId: transactionId('D', COUNTERPARTY, at(completed), id),
          LastModified: at(completed),
        };
  return [
    {
      Id: `2${id.slice(1)}`,
      FundsRecoveryId: id,
      InfractionReportId: reportId,
      TransactionId: root,
      RefundReason: 'FRAUD',
      RequestingParticipant: ISPB,
      ContestedParticipant: COUNTERPARTY,
      RefundAmount: amount,
      RefundDetails: DETAILS,
      MonitorAccount: String(completed === undefined),
      CreationTime: at(refunding),
      RefundAccount: {
        TaxIdNumber: '00000000191',
        Participant: ISPB,
        Branch: '0001',
        AccountNumber: '0007654321',
        AccountType: 'CACC',
      },
      ...state,
    },
  ];
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
