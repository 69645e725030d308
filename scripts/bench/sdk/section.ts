import { median, percentile } from '../statistics.ts';
import { atMost, round, told, type Row, type Section } from '../table.ts';
import type { ClientFigures, SdkFigures } from './index.ts';
import type { Slow } from './server.ts';

const WHAT: Readonly<Record<Slow, string>> = { silence: 'no answer', stop: 'a body that stops', trickle: 'a body that trickles', refusal: 'refusals without end' };

export function sdkSection({ clients, imports, weights }: SdkFigures): Section {
  const each = Object.entries(clients);
  return {
    title: 'SDKs: a call beside the bare HTTP library on loopback, and how much later than a bare timer a deadline ends a call',
    rows: [
      ...each.map(([name, { cost }]) => told(`${name}: one call after the other`, costOf(cost))),
      ...each.flatMap(([name, { late }]) => lateRows(name, late)),
      told('Python: a new interpreter, with the import / without', `${round(median(imports.map(({ withSdk }) => withSdk)))} / ${round(median(imports.map(({ bare }) => bare)))} ms`),
      atMost('Python: import', median(imports.map(({ withSdk, bare }) => withSdk - bare)), 500, 'ms'),
      told('Python: import, CPU', `${round(median(imports.map(({ cpu }) => cpu)))} ms`),
      ...weights.map(({ title, gzip, budget }) => atMost(`TypeScript: ${title}, minified and gzipped`, gzip, budget, 'bytes', `${gzip} bytes`)),
    ],
  };
}

function costOf({ raw, sdk }: ClientFigures['cost']): string {
  const [bare, ours] = [median(raw), median(sdk)];
  return `${round(ours)} µs, bare ${round(bare)} µs: ${round(ours - bare)} µs more`;
}

function lateRows(name: string, late: ClientFigures['late']): Row[] {
  return Object.entries(late).map(([slow, times]) => {
    const sorted = Float64Array.from(times).sort();
    const [middle, most] = [percentile(sorted, 0.5), percentile(sorted, 1)];
    return atMost(`${name}: late, ${WHAT[slow as Slow]}`, most, 50, 'ms', `${round(middle)} ms, most ${round(most)} ms`);
  });
}
