/** Test of the service that tests of the SDKs call. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readDemo } from '../../server/demo/credentials.ts';
import { longestWith } from './limits.ts';
import { type LiveService, startLiveService } from './live-service.ts';

/** Returns the result of a first start, as its users see it. */
async function facts({ baseUrl, dataDir }: LiveService): Promise<object> {
  const demo = readDemo(dataDir);
  const answer = await fetch(`${baseUrl}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: demo?.email, password: demo?.password }),
  });
  const lists = (await (
    await fetch(`${baseUrl}/v1/screenings/lists`, { headers: { 'X-API-Key': demo?.apiKey ?? '' } })
  ).json()) as { items: { id: string; entryCount: number | null }[] };
  const invitation = new URL(demo?.firstRun.owner.link ?? 'nowhere:');
  return {
    address: demo?.baseUrl === baseUrl,
    invitation: invitation.origin === baseUrl,
    login: answer.status,
    lists: lists.items.map(({ id, entryCount }) => [id, entryCount]),
  };
}

it(
  'a service starts in an empty folder, and on a copy of that folder it starts as the same demo at another address',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'onboarding-fresh-'));
    const fresh = await startLiveService('fresh', { DATA_DIR: folder });
    try {
      const copied = await startLiveService('copied');
      try {
        expect(await facts(fresh)).toEqual({
          address: true,
          invitation: true,
          login: 200,
          lists: expect.arrayContaining([['ofac-sdn', null]]),
        });
        expect(await facts(copied)).toEqual(await facts(fresh));
      } finally {
        await copied.stop();
      }
      expect(existsSync(copied.dataDir)).toBe(false);
    } finally {
      await fresh.stop();
    }
    expect(existsSync(folder)).toBe(true);
    rmSync(folder, { recursive: true });
  },
  longestWith(2),
);
