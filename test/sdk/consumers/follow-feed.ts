/**
 * A consumer of the funds-recovery feed as the guide recommends it, in a folder of its own: `handled` contains the
 * effects of its program, one event a line; `cursor` is the position of the last page that was handled as a whole. It
 * handles a repeated event once more, so that duplicates can be counted, and reports what ended it. If `busy` exists,
 * the program handles the number of further events in that file and then stays, as `waiting`, so that it is killed in
 * the middle of a page.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ComplianceOnboarding } from '../../../sdks/typescript/src/index.ts';

const feed = new ComplianceOnboarding().fundsRecovery.events.follow({
  cursor: existsSync('cursor') ? readFileSync('cursor', 'utf8') : null,
  limit: Number(process.env['PAGE_SIZE']),
  minInterval: 20,
  maxInterval: 20,
  onPage: ({ cursor }) => {
    if (cursor === null) return;
    writeFileSync('cursor.new', cursor);
    renameSync('cursor.new', 'cursor');
  },
});

/** Number of events before the program stays. */
let left: number | null = null;

try {
  for await (const { eventId, environment } of feed) {
    if (environment !== 'live') throw new Error(`an event of ${environment} reached a consumer of the live feed`);
    if (existsSync('busy')) left ??= Number(readFileSync('busy', 'utf8'));
    if (left !== null && left-- === 0) {
      renameSync('busy', 'waiting');
      await sleep(60_000);
    }
    appendFileSync('handled', `${eventId}\n`);
  }
} catch (error) {
  console.log(error instanceof Error ? error.name : String(error));
  console.error(error);
  process.exitCode = 1;
}
