/** What calls cost with the TypeScript SDK beside a bare `fetch`, and how late a deadline ends them. Prints JSON; run by index.ts. */
import { ComplianceOnboarding } from '../../../sdks/typescript/src/index.ts';
import { alternate } from '../rounds.ts';
import { SLOW } from './server.ts';

const [, , url = '', rounds = '5', calls = '500', deadlines = '20'] = process.argv;
const key = 'kyc_test_Abcdefgh_secret';
const id = '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21';
const client = new ComplianceOnboarding({ baseUrl: url, apiKey: key });

const timed = (work: () => PromiseLike<unknown>) => async (): Promise<number> => {
  const begun = performance.now();
  for (let call = 0; call < Number(calls); call++) await work();
  return (performance.now() - begun) / Number(calls) * 1_000;
};
const contenders = {
  raw: timed(async () => (await fetch(`${url}/v1/applications/${id}`, { headers: { 'X-API-Key': key } })).json()),
  sdk: timed(() => client.applications.get(id)),
};
await alternate(1, contenders);
const cost = await alternate(Number(rounds), contenders);

const late: Record<string, number[]> = {};
for (const slow of SLOW) {
  const slowly = new ComplianceOnboarding({ baseUrl: `${url}/${slow}`, apiKey: key, timeout: 10_000, maxRetries: 1_000, retryBudget: Infinity });
  late[slow] = [];
  for (let round = 0; round < Number(deadlines); round++) {
    const deadline = 100 + (round % 5) * 20;
    // A busy machine is late with any timer; what counts is how much later than a bare one the call ends.
    const bare = new Promise<number>((resolve) => { setTimeout(() => resolve(performance.now()), deadline); });
    const ended = slowly.applications.get(id, { deadline }).catch(() => undefined).then(() => performance.now());
    late[slow].push(await ended - await bare);
  }
}
console.log(JSON.stringify({ cost, late }));
process.exit(0);
