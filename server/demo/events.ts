import type { NewEvent } from '../groups/funds-recovery/index.ts';

const HOUR = 3_600_000;

type Step = readonly [eventType: string, status: NewEvent['status'], hoursAgo: number];

/** Three recoveries as the directory would tell them: one closed, one waiting for its refund, one just opened. */
const RECOVERIES: readonly { readonly id: string; readonly root: string; readonly steps: readonly Step[] }[] = [
  {
    id: '3f8a4c1e-52d7-4b0a-9c61-7d2e8f90a1b3', root: 'E40511220202611101014k3Jq81LmZ0a',
    steps: [
      ['CREATED', 'CREATED', 260], ['TRACKED', 'TRACKED', 259.9], ['AWAITING_ANALYSIS', 'AWAITING_ANALYSIS', 259.8],
      ['COUNTERPARTY_ANALYSED', 'AWAITING_ANALYSIS', 180], ['ANALYSED', 'ANALYSED', 180], ['REFUNDING', 'REFUNDING', 176],
      ['REFUND_CLOSED', 'REFUNDING', 172], ['COMPLETED', 'COMPLETED', 172],
    ],
  },
  {
    id: '8b27d9f0-1c4e-4f6b-8a35-0e9c7b6d5a42', root: 'E40511220202611171822h7Tn20PwX4c',
    steps: [
      ['CREATED', 'CREATED', 90], ['TRACKED', 'TRACKED', 89.9], ['AWAITING_ANALYSIS', 'AWAITING_ANALYSIS', 89.8],
      ['COUNTERPARTY_ANALYSED', 'AWAITING_ANALYSIS', 40], ['ANALYSED', 'ANALYSED', 40],
    ],
  },
  { id: 'c5e1a7b2-9d38-4e07-b6f4-2a8d3c1f5e60', root: 'E40511220202611210930q5Vb63RsY8e', steps: [['CREATED', 'CREATED', 0.5], ['TRACKED', 'TRACKED', 0.4]] },
];

export function demoEvents(now: Date): NewEvent[] {
  return RECOVERIES.flatMap(({ id, root, steps }) => steps.map(([name, status, hoursAgo]) => {
    const occurredAt = new Date(now.getTime() - hoursAgo * HOUR).toISOString();
    return {
      fundsRecoveryId: id,
      eventType: `FUNDS_RECOVERY_${name}`,
      status,
      occurredAt,
      dedupeKey: `demo:${id}:${name}`,
      rawPayload: {
        FundsRecovery: { Id: id, Status: status, RootTransactionId: root, LastModified: occurredAt },
        '@meta': { source: 'DEMO', origin: 'DERIVED' },
      },
    };
  }));
}
