/** API tests that simultaneous decisions and screenings of one hit have an order, even if a clock is behind. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { shared } from '../support/service.ts';
import { newReviewedApplication } from '../operations/application-records.ts';
import { LISTED, type Screening, startScreeningWorld } from './screenings-world.ts';

type Verdict = components['schemas']['HitVerdict'];

const world = await shared(startScreeningWorld());
const officers = await Promise.all(
  ['', 'second', 'third'].map((purpose) => world.sandboxed.user('compliance_officer', { purpose })),
);
const VERDICTS: readonly Verdict[] = ['false_positive', 'true_positive', 'inconclusive'];
await world.publish('ofac-sdn', ['1,person,Quirino Zagalho Tapajos,,,,,watchlist,']);

const screen = async (): Promise<Screening> =>
  (
    await world.screen(
      { subject: { type: 'person', names: ['Quirino Zagalho Tapajos'] }, lists: ['un-csnu', 'ofac-sdn'] },
      world.test,
    )
  ).body;
const rerun = async ({ id }: Screening): Promise<Screening> =>
  (await world.request<Screening>('POST', `/v1/screenings/${id}/rerun`, { as: world.test, body: {} })).body;
const decide = ({ id, hits: [hit] }: Screening, status: Verdict, at: number) =>
  world.request('POST', `/v1/screenings/${id}/hits/${hit!.id}/adjudicate`, {
    as: officers[at % officers.length]!,
    body: { status, reasonCode: 'other', note: 'Compared with the passport.' },
  });

describe('decisions about one hit at the same time', () => {
  it.each([1, 2, 3, 4, 5])(
    'take effect in their order: a screening after fifty of them shows the decision of the hit (%i)',
    async () => {
      const first = await screen();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, at) => decide(first, VERDICTS[at % VERDICTS.length]!, at)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const [
        {
          hits: [decided],
        },
        {
          hits: [again],
        },
      ] = [(await world.get(first.id, world.test)).body, await rerun(first)];
      expect([again!.status, again!.decision!.id]).toEqual([decided!.status, decided!.decision!.id]);
    },
  );

  it('and screenings of the same subject form a chain, each after the one before', async () => {
    const first = await screen();
    const all = await Promise.all(
      Array.from({ length: 12 }, async (_, at) =>
        at % 2 === 0 ? rerun(first) : void (await decide(first, VERDICTS[at % VERDICTS.length]!, at)),
      ),
    );
    const screenings = [first, ...all.filter((one) => one !== undefined)];
    expect(new Set(screenings.map(({ previousScreeningId }) => previousScreeningId)).size).toBe(screenings.length);
    const last = screenings.find(({ id }) =>
      screenings.every(({ previousScreeningId }) => previousScreeningId !== id),
    )!;
    const [
      {
        hits: [newest],
      },
      {
        hits: [again],
        previousScreeningId,
      },
    ] = [(await world.get(last.id, world.test)).body, await rerun(first)];
    expect([previousScreeningId, again!.status, again!.decision?.id]).toEqual([
      last.id,
      newest!.status,
      newest!.decision?.id,
    ]);
  });
});

describe('what was recorded last counts, even if the clock of its recorder is behind', () => {
  const setClock = (seconds: number) =>
    world.database.sql('UPDATE tenant SET sandbox_clock_offset_seconds = $2 WHERE id = $1', [
      world.sandboxed.id,
      seconds,
    ]);
  /** Does two things, the second by a clock that is an hour behind the clock of the first. */
  async function inTurn<T>(first: () => Promise<T>, second: () => Promise<T>): Promise<[T, T]> {
    await setClock(3600);
    const one = await first();
    await setClock(0);
    return [one, await second()];
  }
  const application = async (): Promise<string> => (await newReviewedApplication(world, world.sandboxed)).applicationId;
  const read = async (id: string) =>
    (await world.request<components['schemas']['Application']>('GET', `/v1/applications/${id}`, { as: await write }))
      .body;
  const write = world.sandboxed.key(['read', 'write'], { environment: 'test', personalData: 'full' });

  it('of two decisions about a hit', async () => {
    const first = await screen();
    await inTurn(
      () => decide(first, 'false_positive', 0),
      () => decide(first, 'true_positive', 1),
    );
    expect((await rerun(first)).hits.map(({ status }) => status)).toEqual(['true_positive']);
  });

  it('of two screenings: the hits of the last one are decided about', async () => {
    const first = await screen();
    const [superseded, newest] = await inTurn(
      () => rerun(first),
      () => rerun(first),
    );
    expect(newest.previousScreeningId).toBe(superseded.id);
    expect([
      (await decide(superseded, 'false_positive', 0)).status,
      (await decide(newest, 'false_positive', 0)).status,
    ]).toEqual([409, 200]);
  });

  it('of a proposal and what was decided while it waited', async () => {
    const first = (await world.screen({ subject: LISTED, lists: ['un-csnu'] }, world.test)).body;
    await inTurn(
      () => decide(first, 'inconclusive', 0),
      () => decide(first, 'false_positive', 1),
    );
    await setClock(7200);
    expect((await rerun(first)).hits.map(({ status, proposal }) => [status, proposal?.status])).toEqual([
      ['inconclusive', 'false_positive'],
    ]);
    await setClock(0);
    const newest = await rerun(first);
    await decide(newest, 'false_positive', 2);
    expect((await rerun(newest)).hits.map(({ status }) => status)).toEqual(['false_positive']);
  });

  it('of a consent and its withdrawal', async () => {
    const id = await application();
    const record = async (action: 'granted' | 'withdrawn') =>
      world.request('POST', `/v1/applications/${id}/consents`, {
        as: await write,
        body: {
          action,
          purpose: 'marketing',
          legalBasis: 'consent',
          textVersion: '1',
          textSha256: '0'.repeat(64),
          locale: 'pt-BR',
          channel: 'web',
          capturedAt: '2026-11-01T08:00:00.000Z',
        },
      });
    expect(
      (
        await inTurn(
          () => record('granted'),
          () => record('withdrawn'),
        )
      ).map(({ status }) => status),
    ).toEqual([201, 201]);
    expect((await read(id)).consents?.map(({ action }) => action)).toEqual(['withdrawn', 'granted']);
  });

  it('of two attestations', async () => {
    const id = await application();
    const analyst = await world.sandboxed.user('analyst');
    const attest = (outcome: 'pass' | 'fail') =>
      world.request('POST', `/v1/applications/${id}/attestations`, {
        as: analyst,
        body: {
          requirementKey: 'adverse_media_clear',
          outcome,
          source: 'News, by name',
          lookedUpAt: '2026-11-01T08:00:00.000Z',
          note: 'Looked at the news of ten years.',
        },
      });
    expect(
      (
        await inTurn(
          () => attest('pass'),
          () => attest('fail'),
        )
      ).map(({ status }) => status),
    ).toEqual([201, 201]);
    expect((await read(id)).attestations?.map(({ outcome }) => outcome)).toEqual(['fail', 'pass']);
  });
});
