/**
 * Generates everything from the contract, or checks that nothing is outdated. Called by scripts/generate.ts and `make
 * dev`. If any part fails nothing is written; a missing tool skips only its own part.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Contract } from '../contract/contract.ts';
import { EDITOR_SCHEMA, unformatted } from '../contract/format/index.ts';
import { readContract } from '../contract/read.ts';
import { buildModel } from './build-model.ts';
import { codeSamples } from './code-samples/code-samples.ts';
import { dialectPage } from './dialect-page.ts';
import { explorerScript, publishedDocuments, referencePage } from './documents.ts';
import { editorSchema } from './editor-schema.ts';
import { landingFacts } from './landing.ts';
import type { ApiModel, EmitterOptions } from './model.ts';
import { problemPages } from './problem-pages.ts';
import { docsContract, referenceContract } from './reader-contract.ts';
import { sdkContract } from './sdk-contract.ts';
import { serverFiles } from './server-tables.ts';
import { apply, differences, stage } from './staging.ts';
import type { Difference } from './staging.ts';
import { lint, MissingTool, requirePython } from './tools.ts';
import type { Finding } from './tools.ts';
import { variablesPage } from './variables-page.ts';

export const PARTS = ['lint', 'server', 'typescript', 'python', 'docs'] as const;
export type Part = (typeof PARTS)[number];

export interface Outcome {
  readonly findings: readonly Finding[];
  /** Differences from the repository; they are written unless the mode is `check`. */
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
 * Generates everything from the contract. The parts run in parallel; an error of the linter or of a generator leaves
 * the repository unchanged. If a tool is missing on the host, only its own part is skipped.
 */
export async function generate(root: string, parts: readonly Part[], mode: 'write' | 'check'): Promise<Outcome> {
  const watch = new Stopwatch();
  const contractFile = join(root, 'openapi.yaml');
  const tidying = parts.includes('lint') ? await watch.time('format', () => formatFinding(contractFile)) : null;
  if (tidying?.isIncomplete === true)
    return {
      findings: [tidying],
      changes: [],
      missing: [],
      watch,
    };
  const contract = await watch.time('read contract', () => readContract(contractFile));
  const staging = mkdtempSync(join(tmpdir(), 'generate-'));
  try {
    const run: Run = {
      root,
      contractFile,
      contract,
      model: buildModel(contract),
      staging,
      watch,
    };
    const findings = parts.includes('lint')
      ? watch.time('lint', () => lint(root, ['openapi.yaml']))
      : Promise.resolve([]);
    const missing: MissingTool[] = [];
    const steps = Object.entries(STEPS)
      .filter(([part]) => parts.includes(part as Part))
      .map(([, step]) => leniently(step(run), missing));
    // A contract that the linter refuses may also break a generator; then the findings of the linter explain why, with
    // their places.
    const [linted, derived] = await Promise.all([findings, Promise.allSettled(steps)]);
    const found = tidying === null ? linted : [...linted, tidying];
    const broken = found.some(({ severity }) => severity === 'error');
    const failed = broken ? undefined : derived.find((step) => step.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const changes = broken ? [] : differences(staging, root).filter(({ path }) => !path.startsWith('build'));
    if (mode === 'write') apply(staging, root, changes);
    return {
      findings: found,
      changes,
      missing,
      watch,
    };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * Returns an error if `make format` would change the file. If something is missing, it is the only error reported,
 * because others would only be consequences.
 */
function formatFinding(file: string): (Finding & { readonly isIncomplete: boolean }) | null {
  const found = unformatted(readFileSync(file, 'utf8'));
  return (
    found && {
      rule: 'format',
      severity: 'error',
      message: found.message,
      place: `${basename(file)}:${found.line}:${found.column}`,
      isIncomplete: found.isIncomplete,
    }
  );
}

async function leniently(step: Promise<void>, missing: MissingTool[]): Promise<void> {
  try {
    await step;
  } catch (error) {
    if (!(error instanceof MissingTool)) throw error;
    missing.push(error);
  }
}

/** Context of one run. */
export interface Run {
  readonly root: string;
  readonly contractFile: string;
  readonly contract: Contract;
  readonly model: ApiModel;
  /** Mirror of the repository; see staging.ts. */
  readonly staging: string;
  readonly watch: Stopwatch;
}

const SERVER = 'server/contract/generated';
const DOCS = 'docs/dist';

/** Generators with heavy dependencies are loaded only when their step runs, so `--only docs` needs none of them. */
export async function generateServer({ contract, model, staging, watch }: Run): Promise<void> {
  await watch.time('runtime contract and tables', () => {
    for (const [name, text] of Object.entries(serverFiles(contract, model))) stage(staging, `${SERVER}/${name}`, text);
  });
  stage(staging, 'docs/guides/contract-dialect.md', dialectPage());
  stage(staging, 'docs/guides/environment-variables.md', variablesPage());
  stage(staging, EDITOR_SCHEMA, editorSchema(contract));
  await watch.time('types of the server and of the tests', async () => {
    const { clientTypes, serverTypes } = await import('./server-types.ts');
    stage(staging, `${SERVER}/types.ts`, await serverTypes(contract));
    stage(staging, 'server/contract/generated/client-types.ts', await clientTypes(contract));
  });
}

export async function generateTypescript(run: Run): Promise<void> {
  await run.watch.time('TypeScript SDK', async () => {
    const { generate } = await import('./typescript-sdk/index.ts');
    const contract = sdkContract(run.contract);
    await generate(contract, buildModel(contract), emitterOptions(run, 'sdks/typescript'));
  });
}

export async function generatePython(run: Run): Promise<void> {
  await run.watch.time('Python SDK', async () => {
    requirePython(run.root, 'The Python SDK was not generated');
    const { generate } = await import('./python-sdk/index.ts');
    const contract = sdkContract(run.contract);
    await generate(contract, buildModel(contract), emitterOptions(run, 'sdks/python'));
  });
}

export async function generateDocs({ root, contractFile, contract, model, staging, watch }: Run): Promise<void> {
  const samples = await watch.time('code samples', () => codeSamples(model));
  const page = `${DOCS}/reference.html`;
  const readers = docsContract(contract, samples);
  // Only the resulting page is kept: this folder is not part of the repository.
  const source = 'build/contract.reference.json';
  stage(staging, `${DOCS}/contract.docs.json`, JSON.stringify(readers));
  stage(staging, source, JSON.stringify(referenceContract(readers)));
  for (const [name, text] of Object.entries(publishedDocuments(contract))) stage(staging, `${DOCS}/${name}`, text);
  stage(staging, `${DOCS}/openapi.yaml`, readFileSync(contractFile));
  stage(staging, `${DOCS}/landing.json`, JSON.stringify(landingFacts(contract, model)));
  stage(staging, `${DOCS}/problems.json`, JSON.stringify(problemPages(contract, model)));
  await Promise.all([
    watch.time('explorer', () => {
      stage(staging, `${DOCS}/explorer/standalone.js`, explorerScript(root));
    }),
    watch.time('reference page', async () => {
      stage(staging, page, await referencePage(root, join(staging, source), join(staging, page)));
    }),
  ]);
}

function emitterOptions({ staging, root }: Run, folder: string): EmitterOptions {
  const directory = join(staging, folder);
  mkdirSync(directory, { recursive: true });
  return { directory, root };
}

export interface Lap {
  readonly step: string;
  readonly milliseconds: number;
}

/** Times named steps; steps that run in parallel overlap. */
export class Stopwatch {
  readonly laps: Lap[] = [];

  async time<T>(step: string, work: () => T | Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.laps.push({ step, milliseconds: Math.round(performance.now() - start) });
    }
  }
}
