import { percentile } from '../statistics.ts';
import { Connection } from './connection.ts';
import { exchangesOf } from './exchanges.ts';
import type { Measurement, Plan } from './plan.ts';

/** Keeps every connection busy until the time is over. An answer that was not expected ends the measurement. */
export async function measure(plan: Plan): Promise<Measurement> {
  const connections = await Promise.all(Array.from({ length: plan.connections }, () => Connection.open(plan.port)));
  const next = exchangesOf(plan);
  const latencies: number[] = [];
  const begun = performance.now();
  const deadline = begun + plan.seconds * 1000;
  try {
    await Promise.all(connections.map(async (connection) => {
      for (let sent = performance.now(); sent < deadline;) {
        const { request, answered } = next();
        answered(await connection.send(request));
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
