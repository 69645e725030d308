/**
 * Makes a backup of database and files, and restores one. Called by scripts/backup.ts. Restoring refuses while the
 * service runs, keeps the replaced data under another name, and makes the feeds begin a new generation. The root secret
 * is not part of a backup.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, readConfig } from '../../server/base/config.ts';
import { createLog } from '../../server/base/log.ts';
import { loadSecrets, type Secrets } from '../../server/base/secrets.ts';
import { startEmbedded } from '../../server/database/embedded.ts';
import { runningServer } from '../../server/database/embedded/postmaster.ts';
import { type DatabaseLogin, parseDatabaseUrl, rolePassword } from '../../server/database/database-login.ts';
import { withClient } from '../../server/database/pool.ts';
import { provision } from '../../server/database/provision.ts';
import { endAllCursors } from '../../server/modules/recovery-feed/index.ts';
import { openServiceDatabase } from '../service-database.ts';
import { BackupError, findTool, runTool } from './postgres-tools.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Progress = (line: string) => void;

const DUMP = 'database.dump';
const DESCRIPTION = 'backup.json';
const FILES = 'files';
const DATABASE = 'compliance';

/** Writes the database and the files into a new folder. Returns the closing line. */
export async function create(name: string, env: Environment, progress: Progress): Promise<string> {
  const config = readConfig(env);
  const folder = resolve(name);
  if (existsSync(folder)) throw new BackupError(`${folder} exists: name a new folder.`);
  const beganAt = new Date().toISOString();
  await withServer(config, loadSecrets(config), async (login) => {
    const major = await serverMajor(login);
    const pgDump = findTool('pg_dump', major, env);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    progress('Backing up the database …');
    await runTool(pgDump, ['--format=custom', `--file=${join(folder, DUMP)}`], login);
    // Backed up after the database: a file is stored before the row that names it, so every row of the dump has its
    // file.
    progress('Backing up the files …');
    const files = join(config.dataDir, FILES);
    if (existsSync(files)) cpSync(files, join(folder, FILES), { recursive: true });
    writeFileSync(join(folder, DESCRIPTION), `${JSON.stringify({ format: 1, beganAt, postgres: major }, null, 2)}\n`, {
      mode: 0o600,
    });
  });
  return `Backed up into ${folder}. The root secret is not in it: keep it apart.`;
}

/**
 * Replaces the database and the files by a backup, and invalidates all cursors of the feeds. Returns the closing line.
 */
export async function restore(name: string, env: Environment, progress: Progress): Promise<string> {
  const config = readConfig(env);
  const secrets = loadSecrets(config);
  const folder = resolve(name);
  const beganAt = readDescription(folder);
  if (config.databaseUrl === null && runningServer(config.dataDir) !== null) {
    throw new BackupError(`The service of ${config.dataDir} runs: stop it, then restore.`);
  }
  const kept = config.databaseUrl === null ? [keepBeside(join(config.dataDir, 'postgres'))] : [];
  await withServer(config, secrets, async (login) => {
    if (await hasTables(login))
      throw new BackupError(
        'The database of DATABASE_URL is not empty: create a new one, name it in DATABASE_URL, then restore.',
      );
    const pgRestore = findTool('pg_restore', await serverMajor(login), env);
    progress('Restoring the database …');
    await runTool(pgRestore, ['--exit-on-error', `--dbname=${login.database}`, join(folder, DUMP)], login);
  });
  progress('Restoring the files …');
  kept.push(keepBeside(join(config.dataDir, FILES)));
  if (existsSync(join(folder, FILES))) cpSync(join(folder, FILES), join(config.dataDir, FILES), { recursive: true });
  const database = await openServiceDatabase(config, secrets);
  try {
    await endAllCursors(database, new AbortController().signal);
  } finally {
    await database.close();
  }
  const before = kept.filter((path) => path !== null);
  return [
    `Restored the backup of ${beganAt}. Consumers of the funds-recovery feeds are told cursor_expired and go on ` +
      'without a cursor.',
    ...(before.length > 0 ? [`What was there before is kept in ${before.join(' and ')}.`] : []),
  ].join('\n');
}

function readDescription(folder: string): string {
  try {
    const { format, beganAt } = JSON.parse(readFileSync(join(folder, DESCRIPTION), 'utf8')) as {
      format?: number;
      beganAt?: string;
    };
    if (format === 1 && typeof beganAt === 'string' && existsSync(join(folder, DUMP))) return beganAt;
  } catch {
    // Reported below, like an incomplete description.
  }
  throw new BackupError(`${folder} is no complete backup: it needs ${DESCRIPTION} and ${DUMP}.`);
}

/**
 * Renames an existing file or folder, so that a wrong restore can be undone. Returns the new name, or null if there was
 * nothing to rename.
 */
function keepBeside(path: string): string | null {
  if (!existsSync(path)) return null;
  const aside = `${path}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  renameSync(path, aside);
  return aside;
}

/**
 * Runs the work with a database login that may read and write all rows: that of DATABASE_URL, or the superuser of the
 * embedded server.
 */
async function withServer(
  config: Config,
  secrets: Secrets,
  work: (login: DatabaseLogin) => Promise<void>,
): Promise<void> {
  if (config.databaseUrl !== null) {
    const login = parseDatabaseUrl(config.databaseUrl);
    await provision(login, login, secrets);
    return work(login);
  }
  const password = rolePassword('superuser', secrets);
  const running = runningServer(config.dataDir);
  if (running !== null)
    return work({
      ...running,
      database: DATABASE,
      ssl: false,
      user: 'postgres',
      password,
    });
  const log = createLog('error', { write: (line) => process.stderr.write(line) });
  const server = await startEmbedded({
    dataDir: config.dataDir,
    superuser: 'postgres',
    password,
    durable: true,
    log,
  });
  try {
    const location = {
      host: server.host,
      port: server.port,
      database: DATABASE,
      ssl: false,
    };
    const login = { ...location, user: 'postgres', password };
    await provision({ ...login, database: 'postgres' }, location, secrets);
    await work(login);
  } finally {
    await server.stop();
  }
}

async function serverMajor(login: DatabaseLogin): Promise<number> {
  const {
    rows: [row],
  } = await withClient(login, (client) =>
    client.query<{ version: string }>(`SELECT current_setting('server_version_num') AS version`),
  );
  return Math.floor(Number(row!.version) / 10_000);
}

async function hasTables(login: DatabaseLogin): Promise<boolean> {
  const { rowCount } = await withClient(login, (client) =>
    client.query(`SELECT FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') LIMIT 1`),
  );
  return rowCount !== 0;
}
