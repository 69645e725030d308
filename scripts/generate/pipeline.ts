import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildModel } from './build-model.ts';
import { lint } from './lint.ts';
import type { Finding } from './lint.ts';
import { MissingTool } from './missing-tool.ts';
import { readContract } from './read-contract.ts';
import { apply, differences, stage } from './staging.ts';
import type { Difference } from './staging.ts';
import { generateDocs, generatePython, generateServer, generateTypescript } from './steps.ts';
import type { Run } from './steps.ts';
import { Stopwatch } from './stopwatch.ts';

export const PARTS = ['lint', 'server', 'typescript', 'python', 'docs'] as const;
export type Part = (typeof PARTS)[number];

export interface Outcome {
  readonly findings: readonly Finding[];
  /** What differed from the repository: written, unless only checked. */
  readonly changes: readonly Difference[];
  readonly missing: readonly MissingTool[];
  readonly watch: Stopwatch;
}

const STEPS: Readonly<Record<Exclude<Part, 'lint'>, (run: Run) => Promise<void>>> = {
  python: generatePython,
  docs: generateDocs,
  typescript: generateTypescript,
  server: generateServer,
};

/**
 * Derives everything from the contract. The parts run side by side; an error of the linter or a failing generator
 * leaves the repository as it was. A missing tool of the host only leaves out its own part.
 */
export async function generate(root: string, parts: readonly Part[], mode: 'write' | 'check'): Promise<Outcome> {
  const watch = new Stopwatch();
  const contractFile = join(root, 'openapi.yaml');
  const contract = await watch.time('read contract', () => readContract(contractFile));
  const staging = mkdtempSync(join(tmpdir(), 'generate-'));
  try {
    stage(staging, 'build/contract.json', JSON.stringify(contract));
    const run: Run = { root, contractFile, contract, model: buildModel(contract), staging, watch };
    const findings = parts.includes('lint') ? watch.time('lint', () => lint(root, ['openapi.yaml'])) : Promise.resolve([]);
    const missing: MissingTool[] = [];
    const steps = Object.entries(STEPS).filter(([part]) => parts.includes(part as Part)).map(([, step]) => leniently(step(run), missing));
    const [found] = await Promise.all([findings, ...steps]);
    const broken = found.some(({ severity }) => severity === 'error');
    const changes = broken ? [] : differences(staging, root).filter(({ path }) => !path.startsWith('build'));
    if (mode === 'write') apply(staging, root, changes);
    return { findings: found, changes, missing, watch };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

async function leniently(step: Promise<void>, missing: MissingTool[]): Promise<void> {
  try {
    await step;
  } catch (error) {
    if (!(error instanceof MissingTool)) throw error;
    missing.push(error);
  }
}
