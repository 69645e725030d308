/** `make bench`: what the request path costs, beside the least it could cost. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MissingTool, requirePython } from '../generate/tools.ts';
import { measureAudit } from './audit/index.ts';
import { measureAuthentication } from './authentication.ts';
import { measureFeed } from './feed/index.ts';
import { feedSections } from './feed/section.ts';
import { grownService } from './footprint/grown-service.ts';
import { measureMemory } from './footprint/memory.ts';
import { measureStartUp, type StartUp } from './footprint/start-up.ts';
import { LoadGenerator } from './load/generator.ts';
import { closeAtInterrupt, closeOnSignals } from './interrupt.ts';
import { describeMachine, type Machine } from './machine.ts';
import { HELP, readOptions, UsageError, type Extent } from './options.ts';
import { auditSection, authenticationSection, footprintSection, validationSection, wholePathSections } from './sections.ts';
import { measureSdks } from './sdk/index.ts';
import { sdkSection } from './sdk/section.ts';
import { render } from './table.ts';
import { measureValidation } from './validation/index.ts';
import { readSamples } from './validation/samples.ts';
import { measureWholePath } from './whole-path/index.ts';
import { openLaboratory } from './whole-path/laboratory.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CONTRACT = join(ROOT, 'openapi.yaml');
const RUNTIME_CONTRACT = join(ROOT, 'server/contract/generated/contract.runtime.json');
const SIZES = [15, 60, 150];
const GROWN_TO = 150;
const TENANTS = 50;
const APPLICATIONS_PER_TENANT = 200;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  try {
    const extent = readOptions(args, process.env);
    if (extent === null) console.log(HELP);
    else {
      requirePython(ROOT, 'The SDKs cannot be measured');
      closeOnSignals();
      await bench(extent);
    }
    return 0;
  } catch (error) {
    console.error(error instanceof UsageError || error instanceof MissingTool ? error.message : error);
    return error instanceof UsageError ? 2 : error instanceof MissingTool ? 3 : 1;
  }
}

async function bench(extent: Extent): Promise<void> {
  const begun = performance.now();
  const say = (line: string): void => console.log(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${line}`);
  const machine = describeMachine();
  console.log(describe(machine));
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-bench-'));
  const remove = closeAtInterrupt(() => rmSync(folder, { recursive: true, force: true }));
  const generator = new LoadGenerator();
  try {
    const { rounds, secondsPerTurn, warmUpSeconds } = extent;
    const { externalId: _, ...create } = readSamples(CONTRACT).create;

    say('validation in process …');
    const validation = await measureValidation({ contractFile: CONTRACT, runtimeContractFile: RUNTIME_CONTRACT, sizes: SIZES, ...extent.validation });

    const grown = grownService(RUNTIME_CONTRACT, GROWN_TO, folder);
    const startUps: StartUp[] = [];
    for (let run = 1; run <= extent.startUps; run++) {
      say(`start-up, run ${run} of ${extent.startUps} …`);
      startUps.push(await measureStartUp(grown));
    }

    say('SDKs …');
    const sdks = await measureSdks({ rounds, calls: 500, deadlines: 50 });

    say(`${TENANTS} tenants on a PostgreSQL of their own …`);
    const laboratory = await openLaboratory(TENANTS);
    try {
      const wholePath = await measureWholePath(laboratory, generator, { applicationsPerTenant: APPLICATIONS_PER_TENANT, rounds, secondsPerTurn, warmUpSeconds, create }, say);
      const audit = await measureAudit(laboratory, generator, { rounds, secondsPerTurn, warmUpSeconds, create }, say);
      say(`memory with ${GROWN_TO} operations …`);
      const memory = await measureMemory(laboratory, generator, grown, warmUpSeconds);
      say('authentication …');
      const authentication = await measureAuthentication(laboratory, rounds);
      const feed = await measureFeed(laboratory, generator, { rounds, secondsPerTurn, warmUpSeconds, ...extent.feed }, say);

      const sections = [
        ...wholePathSections(wholePath), auditSection(audit), validationSection(validation, SIZES),
        footprintSection(startUps, wholePath.residentMegabytes, memory, GROWN_TO), authenticationSection(authentication), ...feedSections(feed), sdkSection(sdks),
      ];
      console.log(render(sections));
      write({ at: new Date().toISOString(), machine, extent, sections, figures: { wholePath, audit, validation, startUps, memory, authentication, feed, sdks } });
      say('done; all figures are in build/bench.json');
    } finally {
      await laboratory.close();
    }
  } finally {
    generator.stop();
    remove();
  }
}

function write(report: object): void {
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  writeFileSync(join(ROOT, 'build/bench.json'), `${JSON.stringify(report, null, 2)}\n`);
}

function describe({ processor, cores, memoryGigabytes, system, load, versions }: Machine): string {
  const software = Object.entries(versions).map(([name, version]) => `${name} ${version}`).join(', ');
  const busy = load > 0.5 ? `\nOthers are using this machine (load ${load.toFixed(1)}): read the ratios only, and repeat the run.` : '';
  return `${processor}, ${cores} cores, ${memoryGigabytes} GB, ${system}\n${software}${busy}`;
}
