import { HOUR_MILLISECONDS } from '../base/time.ts';
import { uuidv7 } from '../base/uuid.ts';
import type { Transaction } from '../database/index.ts';
import type { Observation } from '../modules/recoveries/index.ts';
import { scenarioNamed, startRun } from '../simulators/directory/index.ts';

const ISPB = '40511220';
const COUNTERPARTY = '90400888';

/** When each step happened, in hours before the demo was made; what has not happened yet is left out. */
interface RecoveryTimeline {
  readonly id: string;
  readonly root: string;
  readonly amount: string;
  readonly status: string;
  readonly created: number;
  readonly tracked: number;
  readonly opened?: number;
  readonly analysed?: number;
  readonly refunding?: number;
  readonly completed?: number;
}

/** Three recoveries as the directory would describe them: one closed, one waiting for its refund, one just opened. */
const RECOVERY_TIMELINES: readonly RecoveryTimeline[] = [
  {
    id: '3f8a4c1e-52d7-4b0a-9c61-7d2e8f90a1b3', root: 'E40511220202611101014k3Jq81LmZ0a', amount: '812.40', status: 'COMPLETED',
    created: 260, tracked: 259.9, opened: 259.8, analysed: 180, refunding: 176, completed: 172,
  },
  { id: '8b27d9f0-1c4e-4f6b-8a35-0e9c7b6d5a42', root: 'E40511220202611171822h7Tn20PwX4c', amount: '2450.00', status: 'ANALYSED', created: 90, tracked: 89.9, opened: 89.8, analysed: 40 },
  { id: 'c5e1a7b2-9d38-4e07-b6f4-2a8d3c1f5e60', root: 'E40511220202611210930q5Vb63RsY8e', amount: '199.90', status: 'TRACKED', created: 0.4, tracked: 0.3 },
];

/** What following the directory would have seen of them, so that records and events come about as they always do. */
export function demoRecoveries(now: Date): Observation[] {
  const at = (hoursAgo: number): string => new Date(now.getTime() - hoursAgo * HOUR_MILLISECONDS).toISOString();
  return RECOVERY_TIMELINES.map((timeline) => observation(timeline, now, at));
}

function observation({ id, root, amount, status, created, tracked, opened, analysed, refunding, completed }: RecoveryTimeline, now: Date, at: (hoursAgo: number) => string): Observation {
  const read = { source: 'DEMO', correlationId: null, receivedAt: now.toISOString(), signature: 'NONE', sha256: null } as const;
  const notification = (event: string, hoursAgo: number | undefined) => (hoursAgo === undefined ? [] : [{
    Id: String(Date.parse(at(hoursAgo))), Event: `FUNDS_RECOVERY_${event}`, EntityType: 'FUNDS_RECOVERY', EntityId: id, Timestamp: at(hoursAgo), Participant: ISPB,
  }]);
  const [reportId, refundId] = [`7${id.slice(1)}`, `2${id.slice(1)}`];
  return {
    ispb: ISPB, at: now, page: read, read, gapSince: null,
    notifications: [...notification('ANALYSED', analysed), ...notification('COMPLETED', completed)],
    recovery: {
      Id: id, Status: status, RootTransactionId: root, ReporterParticipant: ISPB, SituationType: 'SCAM',
      CreationTime: at(created), LastModified: at(completed ?? refunding ?? analysed ?? opened ?? tracked),
    },
    graph: {
      FundsRecoveryId: id, RootTransactionId: root, CreationTime: at(tracked), Persons: [{ Id: 'p1' }, { Id: 'p2' }],
      Accounts: [{ Id: 'a1', PersonId: 'p1', Participant: ISPB }, { Id: 'a2', PersonId: 'p2', Participant: COUNTERPARTY }],
      Transactions: [{ Id: root, DebtorAccountId: 'a1', CreditorAccountId: 'a2', Amount: amount, RefundableAmount: amount, SettlementTime: at(created + 8) }],
    },
    reports: opened === undefined ? [] : [{
      Id: reportId, FundsRecoveryId: id, TransactionId: root, Reason: 'REFUND_REQUEST', ReporterParticipant: ISPB, CounterpartyParticipant: COUNTERPARTY, InfractionAmount: amount,
      CreationTime: at(opened), ...analysed === undefined ? { Status: 'OPEN', LastModified: at(opened) } : { Status: 'CLOSED', AnalysisResult: 'AGREED', LastModified: at(analysed) },
    }],
    refunds: refunding === undefined ? [] : [{
      Id: refundId, FundsRecoveryId: id, InfractionReportId: reportId, TransactionId: root, RefundReason: 'FRAUD', RequestingParticipant: ISPB, ContestedParticipant: COUNTERPARTY,
      RefundAmount: amount, CreationTime: at(refunding), ...completed === undefined ? { Status: 'OPEN', LastModified: at(refunding) } : {
        Status: 'CLOSED', AnalysisResult: 'TOTALLY_ACCEPTED', EffectiveRefundedAmount: amount, RefundTransactionId: `D${root.slice(1)}`, LastModified: at(completed),
      },
    }],
  };
}

/** A recovery that has been refunded, and one for whose last answer everybody waits. */
const RUNS = [['happy-path', 72], ['tracking-three-reports', 25]] as const;

/** What the directory of the sandbox has been playing for a while when the demo tenant is first looked at. */
export async function startDemoRuns(tx: Transaction, now: Date): Promise<void> {
  for (const [name, hoursAgo] of RUNS) {
    const at = new Date(now.getTime() - hoursAgo * HOUR_MILLISECONDS);
    const scenario = scenarioNamed(name);
    if (scenario !== null) await startRun(tx, at, scenario, { runId: uuidv7(), role: 'SENT', amount: '812.40', pace: 'stepped', onTimeout: null, situation: 'SCAM' });
  }
}
