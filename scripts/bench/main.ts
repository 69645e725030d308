/** `make bench`: what the request path costs, beside the least it could cost. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { startTestPostgres } from '../../test/support/global-setup.ts';
import { MissingTool, requirePython } from '../generate/tools.ts';
import { misused, readOptions } from '../options.ts';
import { measureBacktests } from './backtests.ts';
import { measureCases } from './cases.ts';
import { measureDecisions } from './decisions.ts';
import { measureDocumentReading } from './document-reading.ts';
import { type Extent, FULL, QUICK } from './extent.ts';
import { measureFairness } from './fairness.ts';
import { measureFeed } from './feed.ts';
import { endOnSignals, goalsMet, render, type Section } from './figures.ts';
import { measureAuthentication, measureFootprint } from './footprint.ts';
import { measureHostile } from './hostile.ts';
import { measureIngestion } from './ingestion.ts';
import { type Laboratory, openLaboratory } from './laboratory.ts';
import { measureOwnership } from './ownership.ts';
import { measurePack } from './pack.ts';
import { measureScreeningAccuracy } from './screening-accuracy.ts';
import { measureScreeningDelta } from './screening-delta.ts';
import { measureScreeningService } from './screening-service.ts';
import { measureScreeningAtShippedLines } from './screening-shipped.ts';
import { measureScreeningSideBySide } from './screening-side-by-side.ts';
import { measureScreeningSpeed } from './screening-speed.ts';
import { measureSdks } from './sdk.ts';
import { measureSealing } from './sealing.ts';
import { measureValidation, ROOT } from './validation.ts';
import { measureWholeCase } from './whole-case.ts';
import { measureAudit, measureWholePath } from './whole-path.ts';
import { measureWorkflows } from './workflows.ts';

const TENANTS = 50;
export const MEASUREMENTS: Readonly<Record<string, (laboratory: Laboratory) => Promise<Section[]>>> = {
  'whole path': measureWholePath,
  'decisions': measureDecisions,
  'cases': measureCases,
  'backtests': measureBacktests,
  'audit': measureAudit,
  'validation': measureValidation,
  'footprint': measureFootprint,
  'authentication': measureAuthentication,
  'ingestion': measureIngestion,
  'feed': measureFeed,
  'sealing': measureSealing,
  'pack': measurePack,
  'screening accuracy': measureScreeningAccuracy,
  'screening at shipped lines': measureScreeningAtShippedLines,
  'screening side by side': measureScreeningSideBySide,
  'screening speed': measureScreeningSpeed,
  'screening delta': measureScreeningDelta,
  'screening service': measureScreeningService,
  'document reading': measureDocumentReading,
  'whole case': measureWholeCase,
  'ownership': measureOwnership,
  'workflows': measureWorkflows,
  'fairness': measureFairness,
  'hostile': measureHostile,
  'SDKs': measureSdks,
};

const HELP = `Measure the request path against a bare node:http + pg server that runs the same statements.

Usage: make bench, or npx node scripts/bench/main.ts [options]
  --quick           shorter turns and smaller feeds: good for a first look, too short for a verdict
  --only NAME       only the measurements whose name contains this: ${Object.keys(MEASUREMENTS).join(', ')}
  --feed-events N   also read a feed of so many stored events, with small payloads (also FEED_EVENTS=N; ten million
                    take 8 GB and a quarter of an hour)
  --help            this text

Servers take turns (A B A B …) on one PostgreSQL in one run, so that only ratios are read; the machine should otherwise
be idle. In full it takes about an hour on two cores; each measurement says what it took. Everything it makes lies in
temporary folders and is removed, except what "side by side" installs into build/nomenklatura. Each section is printed,
and written to build/bench.json, when it is done; one that fails is named, and the rest goes on.

Exit status: 0 measured, whether or not every goal was met; 1 something could not be measured; 2 wrong options; 3 there
is no Python environment.`;

/** What is to be measured, and how long; null when only help is wanted. */
export function readExtent(
  args: string[],
  env: Readonly<Record<string, string | undefined>>,
): { readonly extent: Extent; readonly only: string } | null {
  const {
    values: { help, quick, only, 'feed-events': feedEvents = env['FEED_EVENTS'] },
  } = readOptions({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
      'feed-events': { type: 'string' },
    },
  });
  const extent = quick ? QUICK : FULL;
  const largest = feedEvents === undefined ? null : Number(feedEvents);
  if (largest !== null && !(Number.isSafeInteger(largest) && largest >= 1000))
    misused('--feed-events takes a number of events, a thousand or more');
  if (!Object.keys(MEASUREMENTS).some((name) => name.includes(only)))
    misused(`No measurement has "${only}" in its name: they are ${Object.keys(MEASUREMENTS).join(', ')}`);
  if (help) console.log(HELP);
  return help ? null : { only, extent: { ...extent, feed: { ...extent.feed, largest } } };
}

async function main(extent: Extent, only: string): Promise<number> {
  const signals = endOnSignals();
  const chosen = Object.fromEntries(Object.entries(MEASUREMENTS).filter(([name]) => name.includes(only)));
  const begun = performance.now();
  const say = (line: string): void =>
    console.log(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${line}`);
  try {
    if (Object.values(chosen).includes(measureSdks)) requirePython(ROOT, 'The SDKs cannot be measured');
    const machine = describeMachine();
    console.log(machine);
    say(`${TENANTS} tenants on a PostgreSQL of their own …`);
    await using opened = new AsyncDisposableStack();
    // Its commits wait for the disk, as the service's do.
    const server = opened.adopt(await startTestPostgres(true), (one) => one.stop());
    const laboratory = opened.use(await openLaboratory(extent, TENANTS, say, server));
    mkdirSync(join(ROOT, 'build'), { recursive: true });
    const { sections, failed } = await measureEach(chosen, laboratory, {
      signal: signals,
      print: (text) => console.log(`\n${text}\n`),
      keep: (done) =>
        writeFileSync(
          join(ROOT, 'build/bench.json'),
          `${JSON.stringify(
            {
              at: new Date().toISOString(),
              machine,
              extent,
              sections: done,
            },
            null,
            2,
          )}\n`,
        ),
    });
    console.log(`\n${goalsMet(sections)}`);
    for (const name of failed) console.log(`could not be measured: ${name}`);
    say('done; all figures are in build/bench.json');
    return failed.length === 0 ? 0 : 1;
  } catch (error) {
    // Whatever breaks after a signal breaks because of it.
    const failure = error instanceof MissingTool ? error.message : error;
    console.error(signals.aborted ? signals.reason.message : failure);
    return error instanceof MissingTool ? 3 : 1;
  }
}

interface Report {
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
  /** Is given all sections that are done so far. */
  readonly keep: (sections: readonly Section[]) => void;
}

/**
 * Measures one thing after the other. What is done is printed and kept at once, and what fails is named, so that a late
 * failure loses no earlier figure; only a signal ends everything.
 */
export async function measureEach<L>(
  measurements: Readonly<Record<string, (laboratory: L) => Promise<Section[]>>>,
  laboratory: L,
  { signal, print, keep }: Report,
) {
  const [sections, failed]: [Section[], string[]] = [[], []];
  for (const [name, measure] of Object.entries(measurements)) {
    try {
      const begun = performance.now();
      const done = await measure(laboratory);
      sections.push(...done);
      for (const section of done) print(render(section));
      print(`${name} took ${((performance.now() - begun) / 1000).toFixed(0)} s`);
      keep(sections);
    } catch (error) {
      signal.throwIfAborted();
      failed.push(name);
      print(
        `${name} could not be measured: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  }
  return { sections, failed };
}

function describeMachine(): string {
  const [load = Number.NaN] = loadavg();
  const busy =
    load > 0.5
      ? `\nOthers are using this machine (load ${load.toFixed(1)}): read the ratios only, and repeat the run.`
      : '';
  return (
    `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ` +
    `${arch()}, node ${process.versions.node}${busy}`
  );
}

if (import.meta.main) {
  const order = readExtent(process.argv.slice(2), process.env);
  // A process that could not be started properly would keep this one alive.
  if (order !== null) process.exit(await main(order.extent, order.only));
}
