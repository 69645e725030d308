import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildModel } from '../../generate/build-model.ts';
import { readContract } from '../../contract/read.ts';
import { BUDGETS, weigh } from '../../../sdks/typescript/scripts/size.ts';
import { startServer, type Slow } from './server.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PYTHON = join(ROOT, '.venv/bin/python');
const SDK = join(ROOT, 'sdks/typescript');
const run = promisify(execFile);

/** Microseconds of a call, by round, and milliseconds by which calls ended later than a bare timer of their deadline. */
export interface ClientFigures {
  readonly cost: Readonly<Record<'raw' | 'sdk', readonly number[]>>;
  readonly late: Readonly<Record<Slow, readonly number[]>>;
}

export interface SdkFigures {
  readonly clients: Readonly<Record<'TypeScript' | 'Python, synchronous' | 'Python, asynchronous', ClientFigures>>;
  /** Milliseconds of a new interpreter with the import, and without; and those of its CPU, which do not depend on who else uses the machine. */
  readonly imports: readonly { readonly withSdk: number; readonly bare: number; readonly cpu: number }[];
  readonly weights: readonly { readonly title: string; readonly gzip: number; readonly budget: number }[];
}

export interface Extent {
  readonly rounds: number;
  readonly calls: number;
  readonly deadlines: number;
}

export async function measureSdks({ rounds, calls, deadlines }: Extent): Promise<SdkFigures> {
  const { operations } = buildModel(readContract(join(ROOT, 'openapi.yaml')));
  const server = await startServer(operations.find(({ operationId }) => operationId === 'getApplication')?.successes[0]?.example);
  const env = { ...process.env, PYTHONPATH: join(ROOT, 'sdks/python/src') };
  const args = [server.url, ...[rounds, calls, deadlines].map(String)];
  try {
    const typescript = JSON.parse((await run(process.execPath, [join(import.meta.dirname, 'typescript-client.ts'), ...args])).stdout) as ClientFigures;
    const python = JSON.parse((await run(PYTHON, [join(import.meta.dirname, 'python_client.py'), ...args], { env })).stdout) as Record<'sync' | 'async', ClientFigures>;
    const imports = [];
    for (let turn = 0; turn < rounds + 1; turn++) {
      const taken = { bare: (await start('', env)).wall, ...await withImport(env) };
      // The first start reads from the disk what the others find in memory.
      if (turn > 0) imports.push(taken);
    }
    // What was built before may be of an older source.
    await run('npm', ['run', '--silent', '--prefix', SDK, 'build']);
    const weights = [];
    for (const { title, source, gzip: budget } of BUDGETS) weights.push({ title, budget, gzip: (await weigh(source)).gzip });
    return { clients: { TypeScript: typescript, 'Python, synchronous': python.sync, 'Python, asynchronous': python.async }, imports, weights };
  } finally {
    server.close();
  }
}

async function withImport(env: NodeJS.ProcessEnv): Promise<{ readonly withSdk: number; readonly cpu: number }> {
  const { wall, output } = await start('import time; a = time.process_time(); import compliance_onboarding; print(time.process_time() - a)', env);
  return { withSdk: wall, cpu: Number(output) * 1_000 };
}

async function start(program: string, env: NodeJS.ProcessEnv): Promise<{ readonly wall: number; readonly output: string }> {
  const begun = performance.now();
  const { stdout } = await run(PYTHON, ['-c', program], { env });
  return { wall: performance.now() - begun, output: stdout };
}
