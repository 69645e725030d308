import { randomUUID } from 'node:crypto';
import { percentile } from '../statistics.ts';
import { Connection } from './connection.ts';
import type { Measurement, Plan, Prepared } from './plan.ts';

/** Keeps every connection busy until the time is over. An answer with another status ends the measurement. */
export async function measure(plan: Plan): Promise<Measurement> {
  const connections = await Promise.all(Array.from({ length: plan.connections }, () => Connection.open(plan.port)));
  const latencies: number[] = [];
  let turn = 0;
  const begun = performance.now();
  const deadline = begun + plan.seconds * 1000;
  try {
    await Promise.all(connections.map(async (connection) => {
      for (let sent = performance.now(); sent < deadline;) {
        const prepared = plan.requests[turn++ % plan.requests.length] as Prepared;
        const { status, body } = await connection.send(render(prepared, plan.idempotencyKeys));
        if (status !== plan.expectedStatus) throw new Error(`${prepared.head.split('\r\n', 1)[0]} was answered by ${status}: ${body.slice(0, 500)}`);
        const received = performance.now();
        latencies.push(received - sent);
        sent = received;
      }
    }));
  } finally {
    for (const connection of connections) connection.close();
  }
  const seconds = (performance.now() - begun) / 1000;
  const sorted = Float64Array.from(latencies).sort();
  return {
    requests: sorted.length, perSecond: sorted.length / seconds,
    p50Milliseconds: percentile(sorted, 0.5), p99Milliseconds: percentile(sorted, 0.99),
  };
}

function render({ head, body }: Prepared, withKey: boolean): string {
  return withKey ? `${head}Idempotency-Key: ${randomUUID()}\r\n\r\n${body}` : `${head}\r\n${body}`;
}
