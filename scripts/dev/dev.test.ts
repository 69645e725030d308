/** Test of `make dev` as a whole: what is saved is enforced, and what is broken is reported. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { workspace } from '../generate/fixtures/workspace.ts';

/** Returns how the service judges a password of this length: the maximum length if it is exceeded, else the status. */
async function allowedBy(url: string, characters = 40): Promise<number | string> {
  const answer = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'someone@example.com', password: 'p'.repeat(characters) }),
  });
  const [, length] = /at most (\d+) characters/.exec(await answer.text()) ?? [];
  return length === undefined ? `status ${answer.status}` : Number(length);
}

it('make dev: what is saved is enforced, what is broken is reported and changes nothing, nothing is left behind', {
  timeout: 900_000,
}, async () => {
  using dev = await startDev();
  /**
   * Returns the contract with another limit, which the service shows, and another title, which the reference page
   * shows.
   */
  const edited = (limit: number): string =>
    dev.contract
      .replace(/( {4}LoginRequest:\n(?:.*\n)*?.*format: password.*maxLength: )\d+/, `$1${limit}`)
      .replace('title: Compliance Onboarding API', `title: Limit ${limit}`);
  const reads = async (path: string, text: string): Promise<boolean> =>
    (await (await fetch(dev.url + path)).text()).includes(text);

  await dev.sees('contract enforced');
  // In an empty folder, the service prints once how to sign in, before or after the output of `make dev`.
  await dev.until('how to sign in', () => /Sign in +owner-\w+@demo\.example/.test(dev.output()));
  expect(await allowedBy(dev.url)).toBe('status 401');
  // The dashboard is served from its sources, and its API calls reach the service through the same address.
  const dashboard = /hot reload at (http:\S+)\/sign-in/.exec(dev.output())?.[1] ?? '';
  expect(await (await fetch(`${dashboard}/team`, { headers: { Accept: 'text/html' } })).text()).toContain(
    '/dashboard/main.tsx',
  );
  expect((await fetch(`${dashboard}/v1/auth/me`)).status).toBe(401);
  await dev.sees('SDKs and pages generated');

  // A longer text needs a larger body and a longer string than the limits generated before the edit allowed.
  dev.save(edited(9000));
  await dev.sees('contract enforced');
  expect(await allowedBy(dev.url, 8000)).toBe('status 401');

  dev.save(edited(32));
  await dev.sees('contract enforced');
  expect(await allowedBy(dev.url)).toBe(32);
  await dev.until('the reference shows the edit', () => reads('/reference', 'Limit 32'));
  await dev.until('the explorer shows it', () => reads('/explorer/openapi.json', 'Limit 32'));

  // The linter refuses the first contract and the second is not YAML; neither reaches the service.
  dev.save(edited(33).replace('operationId: login', 'operationId: sign-in'));
  await dev.sees(/openapi\.yaml:\d+:\d+ house\/operation-id: /);
  await dev.sees('not enforced: the linter refuses the contract');
  await dev.sees('the service goes on with the last sound one');
  dev.save(edited(33).replace("#/components/schemas/LoginRequest'", "#/components/schemas/LoginRequset'"));
  await dev.sees(
    /openapi\.yaml:\d+:\d+ there is no #\/components\/schemas\/LoginRequset; did you mean #\/components\/schemas\/LoginRequest\?/,
  );
  await dev.sees('the contract cannot be enforced; the service goes on with the last sound one');
  dev.save(`${edited(33)}\n  broken: [`);
  await dev.sees(/openapi\.yaml:\d+:\d+ (?!house)/);
  await dev.sees('the service goes on with the last sound one');
  expect(await allowedBy(dev.url)).toBe(32);

  // A valid contract with an operation without a handler: its types are generated, so that a handler can be written.
  dev.save(edited(34).replace('operationId: login', 'operationId: loginToAuth'));
  await dev.sees('loginToAuth has no handler: write one in server/modules/<module>/handlers.ts (tag auth)');
  await dev.sees('the one before goes on');
  expect(await allowedBy(dev.url)).toBe(32);
  expect(readFileSync(join(dev.root, 'server/contract/generated/operations.ts'), 'utf8')).toContain('loginToAuth');

  // An example that violates its schema is reported a moment later, and does not prevent the contract from being
  // enforced.
  dev.save(edited(35).replace('email: ana.souza@example.com', 'email: nobody'));
  await dev.sees('contract enforced');
  expect(await allowedBy(dev.url)).toBe(35);
  await dev.sees(/openapi\.yaml:\d+:\d+ no-invalid-media-type-examples: /);

  // A change of the source is applied as well, with the contract unchanged.
  const source = readFileSync(join(dev.root, 'server/contract/problem.ts'), 'utf8');
  dev.save('import "./nowhere.ts";', 'server/contract/problem.ts');
  await dev.sees('the one before goes on');
  expect(await allowedBy(dev.url)).toBe(35);
  dev.save(source.replace('`/problems/', '`/changed/'), 'server/contract/problem.ts');
  await dev.sees('contract enforced');
  expect(await reads('/v1/applications', '/changed/')).toBe(true);

  expect(dev.output()).not.toContain('ended by itself');
  expect(dev.output().match(/Sign in +owner/g)).toHaveLength(1);
  expect(dev.output()).not.toContain('bind.ts:');
  expect(await dev.interrupt()).toEqual({ status: 0, left: [] });
});

const repository = resolve(import.meta.dirname, '../..');
const PATIENCE_MS = 90_000;

/**
 * Starts `make dev` in a separate repository with the real service and, as a terminal does, in a process group of its
 * own.
 */
export async function startDev() {
  const place = workspace();
  cpSync(join(repository, 'server'), join(place.root, 'server'), {
    recursive: true,
    filter: (source) => !source.endsWith('.test.ts'),
  });
  const temporary = mkdtempSync(join(tmpdir(), 'dev-test-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(process.execPath, [join(repository, 'scripts/dev.ts'), '--root', place.root], {
    cwd: place.root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: new URL(url).port,
      DATA_DIR: join(place.root, 'data'),
      TMPDIR: temporary,
      LOG_LEVEL: 'error',
      RATE_LIMIT_LOGINS_PER_ADDRESS: '100000',
      // Kept for this run alone: the sources lie in a folder that no other run has.
      NODE_COMPILE_CACHE: join(place.root, 'compile-cache'),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      output += data.toString();
    });
  let seen = 0;

  async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (!(await holds())) {
      if (performance.now() > end || child.exitCode !== null) throw new Error(`not seen: ${what}\n${output}`);
      await sleep(20);
    }
  }
  return {
    url,
    root: place.root,
    contract: readFileSync(place.contractFile, 'utf8'),
    until,
    /** Waits for a text that appears after the previous match. */
    async sees(text: string | RegExp): Promise<void> {
      await until(String(text), () => {
        const rest = output.slice(seen);
        const [start, length] = typeof text === 'string' ? [rest.indexOf(text), text.length] : [rest.search(text), 1];
        if (start >= 0) seen += start + length;
        return start >= 0;
      });
    },
    /** Saves as editors do: a new file replaces the old one. */
    save(text: string, file = 'openapi.yaml'): void {
      writeFileSync(join(place.root, `${file}.new`), text);
      renameSync(join(place.root, `${file}.new`), join(place.root, file));
    },
    output: () => output,
    /**
     * Sends Ctrl-C to the whole group. Returns the status and the leftovers: processes, temporary files, the lock of
     * the database.
     */
    async interrupt(): Promise<{ status: number | null; left: string[] }> {
      const gone = once(child, 'exit') as Promise<[number | null]>;
      process.kill(-(child.pid as number), 'SIGINT');
      const [status] = await gone;
      const files = [
        ...readdirSync(temporary),
        ...readdirSync(join(place.root, 'data/postgres')).filter((name) => name === 'postmaster.pid'),
      ];
      return { status, left: [...processesOf(place.root), ...files] };
    },
    [Symbol.dispose](): void {
      if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGKILL');
      rmSync(temporary, { recursive: true, force: true });
      place[Symbol.dispose]();
    },
  };
}

/** Returns the processes whose command line names the folder; none where there is no /proc. */
function processesOf(folder: string): string[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.map(commandLine).filter((command) => command.includes(folder));
}

function commandLine(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
