import type { LoadGenerator } from '../load/generator.ts';
import type { Following, Measurement, Repeating } from '../load/plan.ts';

export interface Timed extends Measurement {
  /** CPU time of the server process per request. */
  readonly cpuMicroseconds: number;
}

interface Target {
  readonly port: number;
  metric(name: string): Promise<number>;
}

const CPU = 'process_cpu_seconds_total';

/** One turn of one server under one kind of load. */
export function contender(generator: LoadGenerator, target: Target, plan: Omit<Repeating, 'port'> | Omit<Following, 'port'>): () => Promise<Timed> {
  return async () => {
    const before = await target.metric(CPU);
    const measurement = await generator.run({ ...plan, port: target.port });
    const used = await target.metric(CPU) - before;
    return { ...measurement, cpuMicroseconds: used * 1e6 / measurement.requests };
  };
}
