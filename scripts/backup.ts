/** Backs up the database and the files of the service, and restores them. */
import { parseArgs } from 'node:util';

const HELP = `Back up the database and the files of the service into a folder, and restore them from it.

Usage: node scripts/backup.mjs create <folder>     also: make backup TO=<folder>
       node scripts/backup.mjs restore <folder>    also: make restore FROM=<folder>

create   The folder must not exist. The service may run; the backup holds what was committed when it began.
restore  The service must not run. The embedded database and the files of before are renamed and kept beside the new
         ones; with DATABASE_URL, the database must be empty. Afterwards every cursor of the funds-recovery feeds is
         answered by cursor_expired, so that consumers read again what may have been lost, and miss nothing.

The root secret is not in the backup: keep SERVICE_SECRET or DATA_DIR/secret apart from it. Without that secret nothing
in the backup can be read.

Environment: DATA_DIR, DATABASE_URL and SERVICE_SECRET as for the service (npx node server/main.ts --help). PG_BIN names
the folder of pg_dump and pg_restore, at least as new as the server; otherwise they are looked for on the PATH and where
Debian installs them. With DATABASE_URL, its role must be a superuser or bypass row-level security.

Exit status: 0 done, 1 it could not be done, 2 wrong options.`;

/** Errors that the operator can fix are printed as one sentence, all others with their stack trace. */
const OPERATIONAL = ['BackupError', 'ConfigError', 'EmbeddedDatabaseError', 'DatabaseUnavailable'];

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const order = read(args);
  if (order === 'help') console.log(HELP);
  if (order === 'help' || order === null) return order === null ? 2 : 0;
  try {
    // Loaded only now, because neither help nor the report of a wrong option needs the service.
    const { create, restore } = await import('./backup/carry-out.ts');
    console.log(
      await (order.what === 'create' ? create : restore)(order.folder, process.env, (line) => console.error(line)),
    );
    return 0;
  } catch (error) {
    console.error(OPERATIONAL.includes((error as Error).name) ? (error as Error).message : error);
    return 1;
  }
}

function read(args: string[]): { readonly what: 'create' | 'restore'; readonly folder: string } | 'help' | null {
  try {
    const {
      values,
      positionals: [what, folder, ...more],
    } = parseArgs({ args, allowPositionals: true, options: { help: { type: 'boolean', default: false } } });
    if (values.help) return 'help';
    if ((what === 'create' || what === 'restore') && folder !== undefined && folder !== '' && more.length === 0)
      return { what, folder };
    const wanted = what === 'create' || what === 'restore' ? 'one folder' : 'create or restore, and a folder';
    console.error(`Name ${wanted} (--help says more).`);
  } catch (error) {
    console.error(`${(error as Error).message.split('. ')[0]} (--help says more).`);
  }
  return null;
}
