/**
 * API tests of the alert about a hit: it is open exactly while the hit is. An alert that stays open, or closes too
 * early, fails here.
 */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { DAY_MILLISECONDS } from '../../server/base/time.ts';
import { maria } from '../operations/people.ts';
import { shared } from '../support/service.ts';
import { startAlertsWorld, type Watched } from './alerts-world.ts';
import { type Alert } from './monitoring-world.ts';

type Verdict = components['schemas']['HitVerdict'];

const world = await shared(startAlertsWorld());
const second = await world.sandboxed.user('compliance_officer', { purpose: 'second' });
const NOBODY = '9,person,Somebody Else Entirely,,,,,watchlist,';
const publish = async (...rows: string[]): Promise<void> => {
  await world.publish('ofac-sdn', rows);
  await world.follow();
};
/** Returns a person who was put on a list after the approval, with the alert about the match. */
async function listed(): Promise<Watched & { readonly alert: Alert }> {
  const person = await world.watched();
  await publish(world.row(person.name));
  return { ...person, alert: (await world.alertsOf(person))[0]! };
}
const statesOf = async (of: Pick<Watched, 'id'>): Promise<string[]> =>
  (await world.alertsOf(of)).map(({ status }) => status);
async function decide(
  { screeningId, hitId }: { readonly screeningId: string; readonly hitId: string },
  status: Verdict,
  more: object = {},
  as = world.officer,
): Promise<void> {
  const { status: code, text } = await world.request('POST', `/v1/screenings/${screeningId}/hits/${hitId}/adjudicate`, {
    as,
    body: {
      status,
      reasonCode: 'other',
      note: 'Compared with the passport.',
      ...more,
    },
  });
  if (code !== 200) throw new Error(text);
}
const run = async (applicationId: string): Promise<void> => {
  await world.run((await world.subscriptionOf(applicationId)).id);
  await world.settle();
};
const inDays = (days: number): string =>
  new Date(world.running.services.clock().getTime() + days * DAY_MILLISECONDS).toISOString();

const VERDICTS: readonly Verdict[] = ['true_positive', 'false_positive', 'inconclusive'];

describe('the alert about a hit', () => {
  it('is open exactly while the hit is open: through every change of a decision, and after every run between them', async () => {
    const { alert, id } = await listed();
    expect(alert.status).toBe('open');
    for (const before of VERDICTS) {
      for (const after of VERDICTS) {
        for (const verdict of [before, after]) {
          const [{ hit } = alert] = await world.alertsOf({ id });
          await decide(hit!, verdict);
          const expected = [verdict === 'inconclusive' ? 'open' : 'resolved'];
          expect([before, after, verdict, await statesOf({ id })]).toEqual([before, after, verdict, expected]);
          await run(id);
          expect([before, after, verdict, 'after a run', await statesOf({ id })]).toEqual([
            before,
            after,
            verdict,
            'after a run',
            expected,
          ]);
          const { screeningId } = (await world.subscriptionOf(id)).recentRuns[0]! as { screeningId: string };
          const {
            body: { hits },
          } = await world.get(screeningId, world.test);
          if (verdict !== 'inconclusive') await decide({ screeningId, hitId: hits[0]!.id }, 'inconclusive');
          expect(await statesOf({ id })).toEqual(['open']);
        }
      }
    }
  });

  it('is open again if the entity whose dismissal was revoked is listed again, and resolved while it is not listed', async () => {
    const { alert, id, name } = await listed();
    await decide(alert.hit!, 'false_positive');
    await publish(NOBODY);
    expect(await statesOf({ id })).toEqual(['resolved']);
    await publish(world.row(name));
    expect(await statesOf({ id })).toEqual(['resolved']);
    const { screeningId } = (await world.subscriptionOf(id)).recentRuns[0]! as { screeningId: string };
    await decide({ screeningId, hitId: (await world.get(screeningId, world.test)).body.hits[0]!.id }, 'inconclusive');
    expect(await statesOf({ id })).toEqual(['open']);
    await publish(NOBODY);
    expect(await statesOf({ id })).toEqual(['resolved']);
    await publish(world.row(name));
    expect((await world.alertsOf({ id })).map((one) => [one.id, one.status])).toEqual([[alert.id, 'open']]);
  });

  it.each<[string, (entry: string) => Promise<unknown>]>([
    [
      'is revoked',
      (entry) =>
        world.request('DELETE', `/v1/screenings/allowlist/${entry}?reason=new_information`, { as: world.officer }),
    ],
    ['expires', () => world.advance(31)],
  ])('comes when the entry of the allow-list %s that had dismissed the hit', async (_, end) => {
    const person = await world.watched();
    await world.publish('ofac-sdn', [world.row(person.name)]);
    const { body: screening } = await world.screen(
      { subject: { type: 'person', names: [person.name], taxId: person.taxId }, lists: ['un-csnu', 'ofac-sdn'] },
      world.test,
    );
    await decide({ screeningId: screening.id, hitId: screening.hits[0]!.id }, 'false_positive', {
      allowlist: { expiresAt: inDays(30) },
    });
    await world.follow();
    const { screeningId } = (await world.subscriptionOf(person.id)).recentRuns[0]! as { screeningId: string };
    const {
      body: {
        hits: [hit],
      },
    } = await world.get(screeningId, world.test);
    expect([hit!.status, await statesOf(person)]).toEqual(['auto_dismissed', []]);
    await end(hit!.allowlistEntryId!);
    expect((await world.get(screeningId, world.test)).body).toMatchObject({
      result: 'open_hits',
      hits: [{ status: 'open' }],
    });
    expect(
      (await world.alertsOf(person)).map(({ status, occurrences, hit: of }) => [status, occurrences, of!.hitId]),
    ).toEqual([['open', 1, hit!.id]]);
    expect((await world.sandboxed.audit()).filter(({ action }) => action === 'alert.raised').length).toBeGreaterThan(0);
    await world.database.sql('UPDATE tenant SET sandbox_clock_offset_seconds = 0 WHERE id = $1', [world.sandboxed.id]);
  });

  it('is raised if the application whose decision created the allow-list entry is erased', async () => {
    const person = await world.watched();
    await world.publish('ofac-sdn', [world.row(person.name)]);
    const { applicant, ...draft } = maria();
    const { body: other } = await world.request<{ id: string }>('POST', '/v1/applications', {
      as: await world.sandboxed.key(['write'], { environment: 'test' }),
      body: {
        ...draft,
        level: 'basic',
        applicant: {
          ...applicant,
          fullName: person.name,
          socialName: null,
          taxId: { type: 'cpf', value: person.taxId, country: 'BR' },
        },
      },
    });
    const { body: screening } = await world.screen({ applicationId: other.id }, world.test);
    await decide({ screeningId: screening.id, hitId: screening.hits[0]!.id }, 'false_positive', {
      allowlist: { expiresAt: inDays(30) },
    });
    await world.follow();
    expect(await statesOf(person)).toEqual([]);
    await world.database.sql('DELETE FROM subject_key WHERE subject_id = $1', [other.id]);
    await world.running.runJob('screenings.allowlist');
    expect(await statesOf(person)).toEqual(['open']);
  });

  it('is also raised if the same entity is decided otherwise in another application', async () => {
    const person = await world.watched();
    await world.publish('ofac-sdn', [world.row(person.name)]);
    const screen = async () =>
      (
        await world.screen(
          { subject: { type: 'person', names: [person.name], taxId: person.taxId }, lists: ['un-csnu', 'ofac-sdn'] },
          world.test,
        )
      ).body;
    const first = await screen();
    await decide({ screeningId: first.id, hitId: first.hits[0]!.id }, 'false_positive', {
      allowlist: { expiresAt: inDays(30) },
    });
    await world.follow();
    expect(await statesOf(person)).toEqual([]);
    const other = await screen();
    await decide({ screeningId: other.id, hitId: other.hits[0]!.id }, 'true_positive');
    expect(await statesOf(person)).toEqual(['open']);
  });

  it('follows a manual screening, which raises no alerts by criteria of its own', async () => {
    const { alert, id, name } = await listed();
    await decide(alert.hit!, 'false_positive');
    const { body: screening } = await world.screen({ applicationId: id, criteria: { threshold: 0.5 } }, world.test);
    const found = screening.hits.find(({ matchedName }) => matchedName === name)!;
    expect(await statesOf({ id })).toEqual(['resolved']);
    await decide({ screeningId: screening.id, hitId: found.id }, 'inconclusive');
    expect((await world.alertsOf({ id })).map(({ status, hit }) => [status, hit!.hitId])).toEqual([['open', found.id]]);
    const { body: partial } = await world.screen({ applicationId: id, lists: ['un-csnu'] }, world.test);
    expect([partial.hits, await statesOf({ id })]).toEqual([[], ['open']]);
  });

  it('stays dismissed if a person dismissed it, however often the hit is seen', async () => {
    const { alert, id } = await listed();
    await world.triage(alert.id, { outcome: 'dismiss' }, second);
    await run(id);
    expect(await statesOf({ id })).toEqual(['dismissed']);
  });
});
