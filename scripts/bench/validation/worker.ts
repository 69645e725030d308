/** Measures validation in a process of its own, whose heap and compiled code nobody else has used. */
import { readFileSync } from 'node:fs';
import type { RuntimeContract } from '../../../server/contract/pruned-contract.ts';
import { alternate } from '../rounds.ts';
import { median } from '../statistics.ts';
import type { Candidate, Sample } from './candidate.ts';
import { growContract } from './grow-contract.ts';
import type { ValidationFigures, ValidationOrder } from './index.ts';
import { microsecondsPerCall } from './microseconds.ts';
import { ours } from './ours.ts';
import { readSamples } from './samples.ts';
import { stock } from './stock.ts';

process.once('message', (order: ValidationOrder) => {
  void run(order).then((figures) => process.send?.(figures, () => process.disconnect()));
});

async function run({ contractFile, runtimeContractFile, sizes, rounds, calls, stockCalls }: ValidationOrder): Promise<ValidationFigures> {
  const contract = JSON.parse(readFileSync(runtimeContractFile, 'utf8')) as RuntimeContract;
  const { create, application } = readSamples(contractFile);
  const body = JSON.stringify(create);
  const samples: Record<'GET' | 'POST', () => Sample> = {
    GET: () => ({ method: 'GET', path: `/v1/applications/${String(application['id'])}`, headers: { accept: '*/*' }, body: undefined, status: 200, answer: application }),
    POST: () => ({
      method: 'POST', path: '/v1/applications', body: JSON.parse(body) as unknown, status: 201, answer: application,
      headers: { 'accept': '*/*', 'content-type': 'application/json', 'content-length': String(body.length), 'idempotency-key': '6f1d2c1e-4a55-4a39-9f3b-2d8b0a7c9e10' },
    }),
  };
  const contenders: Record<string, () => Promise<number>> = {};
  for (const size of sizes) {
    const grown = growContract(contract, size);
    const candidates: Record<string, readonly [Candidate, number]> = { ours: [ours(grown), calls], stock: [stock(structuredClone(grown)), stockCalls] };
    for (const [name, [candidate, times]] of Object.entries(candidates)) {
      for (const [method, sample] of Object.entries(samples)) {
        contenders[`${name} ${method} ${size}`] = () => microsecondsPerCall(candidate, sample, times);
      }
    }
  }
  contenders['JSON.stringify'] = () => microsecondsPerCall(() => void JSON.stringify(application), samples.GET, calls);
  // The first rounds compile: the stock validator its schemas, the engine everything.
  await alternate(2, contenders);
  const results = await alternate(rounds, contenders);
  return Object.fromEntries(Object.entries(results).map(([name, values]) => [name, median(values)]));
}
