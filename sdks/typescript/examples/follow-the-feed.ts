/** Follows the funds-recovery feed and goes on where the last run ended. Ends with Ctrl-C. */
import { readFile, writeFile } from 'node:fs/promises';
import { ComplianceOnboarding } from 'compliance-onboarding';

const [file = 'feed.cursor'] = process.argv.slice(2);
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());

const client = new ComplianceOnboarding();
const feed = client.fundsRecovery.events.follow({
  signal: stopping.signal,
  cursor: await readFile(file, 'utf8').catch(() => null),
  onPage: async (page) => {
    await writeFile(file, page.cursor ?? '');
  },
  onRetry: (failure, delayMs) => {
    console.warn(`${failure.name}, again in ${delayMs} ms`);
  },
});
// Delivery is at least once: process each event so that doing it twice does no harm.
for await (const event of feed) console.log(event.eventId, event.eventType);
