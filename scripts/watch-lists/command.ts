/**
 * Manages the watch lists of the service: imports a list from a file, shows the active version and age of each list,
 * and returns to an earlier version.
 */
import { isWatchList, WATCH_LISTS, watchListOf, type WatchListId } from '../../server/modules/watch-lists/catalogue.ts';
import { misused, readOptions } from '../options.ts';
import type { Order } from './carry-out.ts';

const HELP = `Keep the watch lists that names are screened against.

Usage: npx node scripts/watch-lists.ts status
       npx node scripts/watch-lists.ts import LIST FILE [options]
       npx node scripts/watch-lists.ts preview LIST FILE [options]
       npx node scripts/watch-lists.ts preview-release
       npx node scripts/watch-lists.ts changes LIST
       npx node scripts/watch-lists.ts roll-back LIST VERSION

  status            the active version of each list, its entries and its age
  import            make FILE, as it was published, the active version; a ZIP or gzip archive of one file will do
  preview           the hits that FILE would bring, take away or score otherwise for those who were screened; nothing is
                    written
  preview-release   the same for the engine of this release, beside what the last one has found: run it from a new
                    release before it takes over; nothing is written
  changes           what the active version changed, an entity a line
  roll-back         make an earlier version active again

  --format FORMAT   when the list is published in several; by default the first:
${Object.entries(WATCH_LISTS)
  .map(([id, { formats }]) => `                      ${id.padEnd(18)} ${formats.join(', ')}`)
  .join('\n')}
  --with ROLE=FILE  another file of the same list: alt (without which it is refused), comments and add of ofac-csv
  --version NAME    what the version is called (by default its day and the beginning of its checksum)
  --published DAY   when it was published, for files that do not say so: 2026-11-23
  --sha256 HEX      the checksum that the publisher gives for FILE
  --may-be-older    it was published before the active version and takes its place all the same
  --may-shrink      more than 5 % of the entries are gone, and somebody has found out why
  --help            this text

A file that cannot be read, is a part of the list, is older than the active version or lacks more than 5 % of its
entries is refused, and nothing changes. Names that are damaged are left out of their entries, and told. The service may
run or not. Environment: DATA_DIR, DATABASE_URL and SERVICE_SECRET, as for the service itself (npx node server/main.ts
--help).

Exit status: 0 done, also when FILE is the active version already; 1 it could not be done; 2 wrong options; 3 the file
is refused; 4 (status) a list is out of date.`;

function readOrder(args: string[]): Order | null {
  const {
    values,
    positionals: [command, list, what, ...more],
  } = readOptions({
    args,
    allowPositionals: true,
    options: {
      'format': { type: 'string' },
      'with': { type: 'string', multiple: true, default: [] },
      'version': { type: 'string' },
      'published': { type: 'string' },
      'sha256': { type: 'string' },
      'may-be-older': { type: 'boolean', default: false },
      'may-shrink': { type: 'boolean', default: false },
      'help': { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  if ((command === 'status' || command === 'preview-release') && list === undefined) return { command };
  if (!['import', 'preview', 'changes', 'roll-back'].includes(command ?? '') || more.length > 0)
    misused(
      'Say what to do: status, import LIST FILE, preview LIST FILE, preview-release, changes LIST, ' +
        'or roll-back LIST VERSION',
    );
  const listId = listIn(list);
  if (command === 'changes')
    return what === undefined ? { command, listId } : misused('changes takes a LIST and nothing else');
  if (what === undefined) misused(`${command} takes a LIST and a ${command === 'roll-back' ? 'VERSION' : 'FILE'}`);
  if (command === 'roll-back') return { command, listId, version: what };
  const { formats } = watchListOf(listId);
  const format =
    formats.find((name) => name === (values.format ?? formats[0])) ??
    misused(`${listId} is published as ${formats.join(' or ')}`);
  if (values.published !== undefined && !/^\d{4}-\d\d-\d\d$/.test(values.published))
    misused('--published takes a day: 2026-11-23');
  if (values.sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(values.sha256))
    misused('--sha256 takes 64 hexadecimal digits');
  if (values.version !== undefined && !/^[\w.:-]{1,64}$/.test(values.version))
    misused('--version takes up to 64 letters, digits, points, colons and hyphens');
  const others = Object.fromEntries(
    values.with.map((text) => {
      const [, role, path] = /^(\w+)=(.+)$/.exec(text) ?? misused('--with takes ROLE=FILE');
      return [role!, path!];
    }),
  );
  const files = { ...others, main: what };
  if (command === 'preview')
    return {
      command,
      listId,
      format,
      files,
    };
  return {
    command: 'import',
    listId,
    format,
    files,
    version: values.version,
    publishedOn: values.published,
    sha256: values.sha256,
    mayBeOlder: values['may-be-older'],
    mayShrink: values['may-shrink'],
  };
}

function listIn(text = ''): WatchListId {
  return isWatchList(text)
    ? text
    : misused(`There is no list "${text}": there are ${Object.keys(WATCH_LISTS).join(', ')}`);
}

/** Errors that the operator can fix are printed as one sentence, all others with their stack trace. */
const PLAIN = [
  'SourceFileError',
  'ListRefused',
  'NothingThere',
  'ConfigError',
  'EmbeddedDatabaseError',
  'DatabaseUnavailable',
];

/** Runs the command with these arguments and this environment; returns the exit status. */
export async function watchLists(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const order = readOrder([...args]);
  if (order === null) {
    console.log(HELP);
    return 0;
  }
  try {
    // Loaded only now, because the service is large and neither help nor the report of a wrong option needs it.
    return await (await import('./carry-out.ts')).carryOut(order, env);
  } catch (error) {
    const { name, message } = error as Error;
    console.error(PLAIN.includes(name) ? message : error);
    return ['SourceFileError', 'ListRefused'].includes(name) ? 3 : 1;
  }
}
