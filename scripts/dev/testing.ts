import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { workspace } from '../generate/fixtures/workspace.ts';

const repository = resolve(import.meta.dirname, '../..');
const PATIENCE_MS = 90_000;

/** `make dev` on a repository of its own, with the real service, as a terminal runs it: in a process group of its own. */
export async function startDev() {
  const place = workspace();
  cpSync(join(repository, 'server'), join(place.root, 'server'), { recursive: true, filter: (source) => !source.endsWith('.test.ts') });
  const temporary = mkdtempSync(join(tmpdir(), 'dev-test-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(process.execPath, [join(repository, 'scripts/dev.ts'), '--root', place.root], {
    cwd: place.root, detached: true, stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env, PORT: new URL(url).port, DATA_DIR: join(place.root, 'data'), TMPDIR: temporary, LOG_LEVEL: 'error',
      RATE_LIMIT_LOGINS_PER_ADDRESS: '100000', NODE_DISABLE_COMPILE_CACHE: '1',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => { output += data.toString(); });
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
    /** Waits for a text after the one that was waited for last. */
    async sees(text: string | RegExp): Promise<void> {
      await until(String(text), () => {
        const rest = output.slice(seen);
        const [start, length] = typeof text === 'string' ? [rest.indexOf(text), text.length] : [rest.search(text), 1];
        if (start >= 0) seen += start + length;
        return start >= 0;
      });
    },
    /** As editors save: a new file takes the place of the old one. */
    save(text: string, file = 'openapi.yaml'): void {
      writeFileSync(join(place.root, `${file}.new`), text);
      renameSync(join(place.root, `${file}.new`), join(place.root, file));
    },
    output: () => output,
    /** Ctrl-C reaches the whole group. Returns the status and what is left: processes, temporary files, the lock of the database. */
    async interrupt(): Promise<{ status: number | null; left: string[] }> {
      const gone = once(child, 'exit') as Promise<[number | null]>;
      process.kill(-(child.pid as number), 'SIGINT');
      const [status] = await gone;
      const files = [...readdirSync(temporary), ...readdirSync(join(place.root, 'data/postgres')).filter((name) => name === 'postmaster.pid')];
      return { status, left: [...processesOf(place.root), ...files] };
    },
    [Symbol.dispose](): void {
      if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGKILL');
      rmSync(temporary, { recursive: true, force: true });
      place[Symbol.dispose]();
    },
  };
}

/** Processes whose command line names the folder; where there is no /proc, nobody looks. */
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
