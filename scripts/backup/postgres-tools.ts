/**
 * Finds and runs pg_dump and pg_restore. Used by the backup. A program that is older than the server is not used;
 * passwords are passed in the environment and never as arguments.
 */
import { spawn, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { DatabaseLogin } from '../../server/database/database-login.ts';

/** An error that the operator can fix. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

type Tool = 'pg_dump' | 'pg_restore';
type Environment = Readonly<Record<string, string | undefined>>;

/** Finds a client program of PostgreSQL that is at least as new as the server: pg_dump refuses newer servers. */
export function findTool(tool: Tool, serverMajor: number, env: Environment): string {
  const named = env['PG_BIN'];
  const folders =
    named !== undefined && named !== ''
      ? [named]
      : [...(env['PATH'] ?? '').split(delimiter), ...globSync('/usr/lib/postgresql/*/bin')];
  const found = folders.map((folder) => join(folder, tool)).find((path) => majorOf(path) >= serverMajor);
  if (found !== undefined) return found;
  throw new BackupError(
    `${tool} of PostgreSQL ${serverMajor} or later was not found. Install the client programs of PostgreSQL and ` +
      'name their folder in PG_BIN.',
  );
}

function majorOf(program: string): number {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
}

/**
 * Runs a client program on a database. The password is passed in the environment, so that it does not appear in a list
 * of processes.
 */
export function runTool(
  program: string,
  args: readonly string[],
  { host, port, database, user, password, ssl }: DatabaseLogin,
): Promise<void> {
  const env = {
    ...process.env,
    PGHOST: host,
    PGPORT: String(port),
    PGDATABASE: database,
    PGUSER: user,
    PGPASSWORD: password ?? '',
    ...(ssl === false ? {} : { PGSSLMODE: 'require' }),
  };
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-2_000);
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new BackupError(`${program} ended with ${code}:\n${said.trim()}`)),
    );
  });
}
