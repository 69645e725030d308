import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract } from './contract.ts';
import { bodyLimitsTable } from './body-limits.ts';
import { codeSamples } from './code-samples/code-samples.ts';
import { dialectPage } from './dialect-page.ts';
import { docsContract } from './docs-contract.ts';
import { explorerScript } from './explorer.ts';
import type { ApiModel, EmitterOptions } from './model.ts';
import { operationsTable } from './operations-table.ts';
import { problemsTable } from './problems-table.ts';
import { publishedDocuments } from './published.ts';
import { requirePython } from './python.ts';
import { referencePage } from './reference-page.ts';
import { runtimeContract } from './runtime-contract.ts';
import { stage } from './staging.ts';
import type { Stopwatch } from './stopwatch.ts';

/** What one run works on. */
export interface Run {
  readonly root: string;
  readonly contractFile: string;
  readonly contract: Contract;
  readonly model: ApiModel;
  /** Mirrors the repository; see staging.ts. */
  readonly staging: string;
  readonly watch: Stopwatch;
}

const SERVER = 'server/contract/generated';
const DOCS = 'docs/dist';

/** Generators with heavy dependencies are loaded when their step runs: `--only docs` needs none of them. */
export async function generateServer({ contract, model, staging, watch }: Run): Promise<void> {
  await watch.time('runtime contract', () => { stage(staging, `${SERVER}/contract.runtime.json`, runtimeContract(contract)); });
  await watch.time('operation table, body limits, problems', () => {
    stage(staging, `${SERVER}/operations.ts`, operationsTable(model));
    stage(staging, `${SERVER}/body-limits.ts`, bodyLimitsTable(model));
    stage(staging, `${SERVER}/problems.ts`, problemsTable(model));
  });
  stage(staging, 'docs/guides/contract-dialect.md', dialectPage());
  await watch.time('server types', async () => {
    const { serverTypes } = await import('./server-types.ts');
    stage(staging, `${SERVER}/types.ts`, await serverTypes(contract));
  });
}

export async function generateTypescript(run: Run): Promise<void> {
  await run.watch.time('TypeScript SDK', async () => {
    const { generate } = await import('./typescript-sdk/index.ts');
    await generate(run.contract, run.model, emitterOptions(run, 'sdks/typescript'));
  });
}

export async function generatePython(run: Run): Promise<void> {
  await run.watch.time('Python SDK', async () => {
    requirePython(run.root, 'The Python SDK was not generated');
    const { generate } = await import('./python-sdk/index.ts');
    await generate(run.contract, run.model, emitterOptions(run, 'sdks/python'));
  });
}

export async function generateDocs({ root, contractFile, contract, model, staging, watch }: Run): Promise<void> {
  const samples = await watch.time('code samples', () => codeSamples(model));
  const page = `${DOCS}/reference.html`;
  const readers = `${DOCS}/contract.docs.json`;
  stage(staging, readers, JSON.stringify(docsContract(contract, samples)));
  for (const [name, text] of Object.entries(publishedDocuments(contract))) stage(staging, `${DOCS}/${name}`, text);
  stage(staging, `${DOCS}/openapi.yaml`, readFileSync(contractFile));
  await Promise.all([
    watch.time('explorer', () => { stage(staging, `${DOCS}/explorer/standalone.js`, explorerScript(root)); }),
    watch.time('reference page', async () => {
      stage(staging, page, await referencePage(root, join(staging, readers), join(staging, page)));
    }),
  ]);
}

function emitterOptions({ staging, root }: Run, folder: string): EmitterOptions {
  const directory = join(staging, folder);
  mkdirSync(directory, { recursive: true });
  return { directory, root, contractFile: join(staging, 'build/contract.json') };
}
