import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/types.ts';
import { DAY_MILLISECONDS } from '../../server/base/time.ts';
import { maria } from '../operations/people.ts';
import { newCpf } from '../support/cpf.ts';
import { shared } from '../support/service.ts';
import { type Alert, CLEAN, startMonitoringWorld } from './monitoring-world.ts';

type Verdict = components['schemas']['HitVerdict'];

const world = await shared(startMonitoringWorld());
const second = await world.sandboxed.user('compliance_officer', { purpose: 'second' });
await world.follow();

const NAMES = [
  'Anacleto',
  'Bartira',
  'Cipriano',
  'Deodato',
  'Eleuterio',
  'Feliciano',
  'Gaudencio',
  'Herculano',
  'Iracema',
  'Juvenal',
  'Leocadia',
  'Malaquias',
  'Nepomuceno',
  'Otaviano',
  'Prudencio',
  'Quiteria',
];
const SURNAMES = [
  'Itapuca',
  'Piratininga',
  'Urutau',
  'Jequitiba',
  'Mandacaru',
  'Sabarabucu',
  'Tocantins',
  'Caparao',
  'Ararangua',
  'Bertioga',
  'Cabreuva',
  'Doresopolis',
  'Embuguacu',
  'Garanhuns',
  'Horizontina',
  'Ituverava',
];
let count = 0;
const nextName = (): string => `${NAMES[count]!} ${SURNAMES[count++]!} Vasconcelos`;
const NOBODY = '9,person,Somebody Else Entirely,,,,,watchlist,';
const publish = async (...rows: string[]): Promise<void> => {
  await world.publish('ofac-sdn', rows);
  await world.follow();
};
const row = (name: string, category = 'watchlist'): string => `${count},person,${name},,,,,${category},`;

interface Watched {
  readonly name: string;
  readonly taxId: string;
  readonly id: string;
}
async function watched(): Promise<Watched> {
  const [name, taxId] = [nextName(), newCpf()];
  return {
    name,
    taxId,
    id: await world.approve({ ...CLEAN, fullName: name, taxId: { type: 'cpf', value: taxId, country: 'BR' } }),
  };
}
/** Returns a person who was put on a list after the approval, with the alert about the match. */
async function listed(): Promise<Watched & { readonly alert: Alert }> {
  const person = await watched();
  await publish(row(person.name));
  return { ...person, alert: (await alertsOf(person))[0]! };
}
const alertsOf = ({ id }: Pick<Watched, 'id'>, query = 'kind=sanctions&sort=firstSeenAt'): Promise<Alert[]> =>
  world.alerts(`applicationId=${id}&${query}`);
const statesOf = async (of: Pick<Watched, 'id'>): Promise<string[]> => (await alertsOf(of)).map(({ status }) => status);
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
const advance = async (days: number): Promise<void> => {
  await world.request('POST', '/v1/sandbox/simulations', {
    as: await world.sandboxed.key(['admin'], { environment: 'test' }),
    body: { type: 'advance_clock', parameters: { seconds: days * 86_400 } },
  });
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
          const [{ hit } = alert] = await alertsOf({ id });
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
    await publish(row(name));
    expect(await statesOf({ id })).toEqual(['resolved']);
    const { screeningId } = (await world.subscriptionOf(id)).recentRuns[0]! as { screeningId: string };
    await decide({ screeningId, hitId: (await world.get(screeningId, world.test)).body.hits[0]!.id }, 'inconclusive');
    expect(await statesOf({ id })).toEqual(['open']);
    await publish(NOBODY);
    expect(await statesOf({ id })).toEqual(['resolved']);
    await publish(row(name));
    expect((await alertsOf({ id })).map((one) => [one.id, one.status])).toEqual([[alert.id, 'open']]);
  });

  it.each<[string, (entry: string) => Promise<unknown>]>([
    [
      'is revoked',
      (entry) =>
        world.request('DELETE', `/v1/screenings/allowlist/${entry}?reason=new_information`, { as: world.officer }),
    ],
    ['expires', () => advance(31)],
  ])('comes when the entry of the allow-list %s that had dismissed the hit', async (_, end) => {
    const person = await watched();
    await world.publish('ofac-sdn', [row(person.name)]);
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
      (await alertsOf(person)).map(({ status, occurrences, hit: of }) => [status, occurrences, of!.hitId]),
    ).toEqual([['open', 1, hit!.id]]);
    expect((await world.sandboxed.audit()).filter(({ action }) => action === 'alert.raised').length).toBeGreaterThan(0);
    await world.database.sql('UPDATE tenant SET sandbox_clock_offset_seconds = 0 WHERE id = $1', [world.sandboxed.id]);
  });

  it('is raised if the application whose decision created the allow-list entry is erased', async () => {
    const person = await watched();
    await world.publish('ofac-sdn', [row(person.name)]);
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
    const person = await watched();
    await world.publish('ofac-sdn', [row(person.name)]);
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
    expect((await alertsOf({ id })).map(({ status, hit }) => [status, hit!.hitId])).toEqual([['open', found.id]]);
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

describe('the alert about a date', () => {
  const dates = async (id: string): Promise<string[]> =>
    (await alertsOf({ id }, 'sort=firstSeenAt'))
      .filter(({ kind }) => kind === 'risk_review' || kind === 'document_expiry')
      .map(({ kind, severity, status }) => `${kind} ${severity} ${status}`);
  const setReview = (id: string, days: number) =>
    world.database.sql(`UPDATE application SET review_due_at = now() + $2 * interval '1 day' WHERE id = $1`, [
      id,
      days,
    ]);
  const due = () => world.running.runJob('monitoring.due');
  const near = async (): Promise<string> => {
    const { id } = await watched();
    await setReview(id, 20);
    await due();
    expect(await dates(id)).toEqual(['risk_review low open']);
    return id;
  };

  it('of a review ends with the relationship', async () => {
    const id = await near();
    expect(
      (
        await world.request('POST', `/v1/applications/${id}/end-relationship`, {
          as: world.test,
          body: { reasonCode: 'customer_request' },
        })
      ).status,
    ).toBe(200);
    expect(await dates(id)).toEqual(['risk_review low resolved']);
  });

  it('of a review ends with the renewal, and with another day of the review', async () => {
    const [id, other] = [await near(), await near()];
    const write = await world.sandboxed.key(['read', 'write'], { environment: 'test', personalData: 'full' });
    const { body: renewal } = await world.request<{ id: string }>('POST', '/v1/applications', {
      as: write,
      body: {
        purpose: 'periodic_review',
        submit: true,
        applicant: { fullName: CLEAN.fullName },
        renewsApplicationId: id,
      },
    });
    await world.screen({ applicationId: renewal.id }, world.test);
    const {
      body: { evidenceDigest },
    } = await world.request<{ evidenceDigest: string }>('GET', `/v1/applications/${renewal.id}`, { as: write });
    const decision = {
      outcome: 'approve',
      reasonCodes: ['identity_confirmed'],
      note: 'Passport and address agree.',
      evidenceDigest,
    };
    expect(
      (await world.request('POST', `/v1/applications/${renewal.id}/decisions`, { as: write, body: decision })).status,
    ).toBe(200);
    expect(await dates(id)).toEqual(['risk_review low resolved']);
    await setReview(other, 400);
    await due();
    expect(await dates(other)).toEqual(['risk_review low resolved']);
  });

  it('is separate for a document and for a review, however near their dates are', async () => {
    const { id } = await watched();
    await world.database.sql(
      `INSERT INTO document (tenant_id, id, application_id, environment, type, side, file_name, mime_type, size_bytes,
        sha256, storage_key, created_by, status, expires_on)
      VALUES ($1, gen_random_uuid(), $2, 'sandbox', 'passport', 'single', 'a.pdf', 'application/pdf', 1,
        repeat('0', 64), 'k', '{}', 'uploaded', (now() AT TIME ZONE 'America/Sao_Paulo')::date + 45)`,
      [world.sandboxed.id, id],
    );
    await setReview(id, 45);
    await due();
    const open: number[] = [];
    for (const days of [0, 20, 20, 6]) {
      await advance(days);
      await due();
      const [expiry, review] = ['document_expiry', 'risk_review'].map(
        (kind) => (found: string[]) => found.filter((one) => one.startsWith(kind) && one.endsWith('open')).length,
      );
      const found = await dates(id);
      open.push(expiry!(found), review!(found));
    }
    expect(open).toEqual([1, 0, 1, 1, 1, 1, 1, 1]);
    expect((await dates(id)).filter((one) => one.endsWith('open')).sort()).toEqual([
      'document_expiry high open',
      'risk_review high open',
    ]);
    await world.database.sql('UPDATE tenant SET sandbox_clock_offset_seconds = 0 WHERE id = $1', [world.sandboxed.id]);
  });
});
