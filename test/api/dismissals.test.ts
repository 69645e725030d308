/** API tests that a person on a list of sanctions cannot be cleared by a decoy, and of who may dismiss a hit. */
import { describe, expect, it } from 'vitest';
import { refused } from '../support/api.ts';
import { setSection } from '../support/onboarding.ts';
import { shared } from '../support/service.ts';
import {
  alike,
  BORN,
  newPerson,
  type Person,
  type Schemas,
  startDismissalWorld,
  statuses,
} from './dismissals-world.ts';
import type { Screening } from './screenings-world.ts';

const world = await shared(startDismissalWorld());
const { second, analyst, owner, forAll, list, screenPerson, screenApplication } = world;
const { rerun, read, dismiss, apply, approveApplication, mustBeClear } = world;

/** Invented subjects with another person's tax number, about whom one officer says that they are not on the list. */
const DECOYS: readonly (readonly [string, (person: Person) => Promise<Screening>])[] = [
  ['with another date of birth', (person) => screenPerson(person, { dateOfBirth: '1990-11-30' })],
  ['with a name that is a little like it', (person) => screenPerson(alike(person))],
  [
    'with another name beside it',
    (person) => screenPerson(person, { names: [person.name, 'Zulmira Bomtempo'], dateOfBirth: '1990-11-30' }),
  ],
  ['with another country', (person) => screenPerson(person, { dateOfBirth: '1990-11-30', countries: ['BR'] })],
];

describe('a person on a list of sanctions is not cleared by a decoy', () => {
  it.each(DECOYS)('%s: neither screened, nor again, nor monitored, nor renewed', async (_, decoyOf) => {
    const person = newPerson();
    const customer = await apply(person);
    await screenApplication(customer);
    expect((await approveApplication(customer)).status).toBe(200);
    await world.settle();
    await list(person);
    const seen = await read(await screenApplication(customer));
    const decoy = await decoyOf(person);
    expect([decoy.hits.length, decoy.hits[0]!.score < 0.95]).toEqual([1, true]);
    expect((await dismiss(decoy, forAll)).status).toBe(200);

    expect(statuses(await screenPerson(person, { dateOfBirth: BORN }))).toEqual(['open']);
    expect(statuses(await rerun(seen))).toEqual(['open']);
    await world.run((await world.subscriptionOf(customer.id)).id);
    await world.settle();
    expect((await world.alerts(`applicationId=${customer.id}&kind=sanctions`)).map(({ status }) => status)).toEqual([
      'open',
    ]);
    await mustBeClear(true);
    const renewal = await apply(person, customer.id);
    const screening = await screenApplication(renewal);
    expect([statuses(screening), screening.result]).toEqual([['open'], 'open_hits']);
    expect(refused(await approveApplication(renewal))).toEqual([409, 'checks_incomplete']);
    await mustBeClear(false);
  });

  it('requires two people who saw it, and then applies to the same person in other applications', async () => {
    const person = newPerson();
    await list(person);
    const first = await screenApplication(await apply(person));
    expect((await dismiss(first, {}, analyst)).status).toBe(202);
    expect((await dismiss(first, forAll, second)).status).toBe(200);
    expect(statuses(await screenPerson(person, { dateOfBirth: BORN, countries: ['SY'] }))).toEqual(['auto_dismissed']);
    expect(statuses(await screenPerson(person, { dateOfBirth: '1990-11-30', countries: ['SY'] }))).toEqual(['open']);
  });

  it('needs no second look at what was not compared: the list has no date and no country', async () => {
    const person = newPerson();
    await world.publish('ofac-sdn', [`${person.entry},person,${person.name},,,,,watchlist,`]);
    expect((await dismiss(await screenPerson(person), forAll)).status).toBe(200);
    expect(statuses(await screenPerson(person, { dateOfBirth: '1990-11-30', countries: ['BR'] }))).toEqual([
      'auto_dismissed',
    ]);
    expect(statuses(await screenPerson(person, { names: [person.name, 'Zulmira Bomtempo'] }))).toEqual(['open']);
  });
});

describe('a hit that only the threshold of the request has found', () => {
  it('is not put on the allow-list, which names the member and decides nothing, and is dismissed by itself', async () => {
    const person = newPerson();
    await list(person);
    const weak = await screenPerson(
      { ...person, name: person.name.replace(/ .*/, ' Bomtempo') },
      {},
      { threshold: 0.5 },
    );
    expect([weak.hits.length, weak.hits[0]!.score < 0.82]).toEqual([1, true]);
    const answer = await dismiss(weak, forAll);
    expect([refused(answer), answer.body.errors]).toEqual([
      [422, 'allowlist_below_alert_line'],
      [{ pointer: '/allowlist', code: 'below_alert_line', message: expect.stringContaining('0.82') }],
    ]);
    expect(statuses(await read(weak))).toEqual(['open']);
    expect((await dismiss(weak)).status).toBe(200);
  });

  it('may be a namesake, whom the settings find too', async () => {
    const person = newPerson();
    await list(person);
    const namesake = await screenPerson(person, { dateOfBirth: '1990-11-30', countries: ['BR'] }, { threshold: 0.5 });
    expect(namesake.hits.map(({ score }) => score < 0.82)).toEqual([true]);
    expect((await dismiss(namesake, forAll)).status).toBe(200);
    expect(statuses(await screenPerson(person, { dateOfBirth: '1990-11-30', countries: ['BR'] }))).toEqual([
      'auto_dismissed',
    ]);
  });
});

describe('a dismissal', () => {
  /** Year of birth two years off: a namesake, or a strong hit if the request allows a difference of two years. */
  const NEARLY = { dateOfBirth: '1963-08-20' };

  it('holds up to the upper bound of its band, beyond which the hit is open with the reason', async () => {
    const person = newPerson();
    await list(person);
    const first = await screenPerson(person, NEARLY);
    expect(first.hits.map(({ band }) => band)).toEqual(['namesake']);
    expect((await dismiss(first)).status).toBe(200);
    const {
      hits: [hit],
      result,
    } = await rerun(first, { criteria: { dobToleranceYears: 2 } });
    expect([
      result,
      hit!.status,
      hit!.band,
      hit!.reopened?.changes.map(({ path, before, after }) => [path, Number(before), Number(after)]),
    ]).toEqual(['open_hits', 'open', 'strong', [['/score', first.hits[0]!.score, hit!.score]]]);
    expect(statuses(await rerun(first, { criteria: { dobToleranceYears: 0 } }))).toEqual(['false_positive']);
  });

  it('is not applied backwards to hits that scored above its bound', async () => {
    const person = newPerson();
    await list(person);
    const strong = await screenPerson(person, NEARLY, { dobToleranceYears: 2 });
    const weak = await rerun(strong, { criteria: { dobToleranceYears: 0 } });
    expect([strong, weak].map(({ hits: [hit] }) => hit!.band)).toEqual(['strong', 'namesake']);
    expect((await dismiss(weak)).status).toBe(200);
    expect([statuses(await read(strong)), statuses(await read(weak))]).toEqual([['open'], ['false_positive']]);
    expect((await read(strong)).result).toBe('open_hits');
  });

  it('that waits for a second person is confirmed by a reviewer who sees the same, and by nobody who sees less of it', async () => {
    const person = newPerson();
    await list(person);
    const strong = await screenPerson(person, NEARLY, { dobToleranceYears: 2 });
    expect((await dismiss(strong, {}, analyst)).status).toBe(202);
    const weak = await rerun(strong, { criteria: { dobToleranceYears: 0 } });
    expect(weak.hits.map(({ proposal }) => proposal)).toEqual([null]);
    expect((await dismiss(weak, {}, second)).status).toBe(200);
    const again = await rerun(weak, { criteria: { dobToleranceYears: 2 } });
    expect(again.hits.map(({ status, proposal }) => [status, proposal?.status])).toEqual([['open', 'false_positive']]);
    expect((await dismiss(again, {}, second)).body.status).toBe('false_positive');
    expect(statuses(await read(strong))).toEqual(['false_positive']);
  });

  it('takes two people if the full date of birth is equal, however dissimilar the names are', async () => {
    const person = newPerson();
    await list(person);
    const screening = await screenPerson(
      { ...person, name: person.name.replace(/ .*/, ' Bomtempo') },
      { dateOfBirth: BORN },
      { threshold: 0.5 },
    );
    expect(screening.hits.map(({ score }) => score < 0.95)).toEqual([true]);
    expect((await dismiss(screening, {}, analyst)).status).toBe(202);
    expect((await dismiss(screening, {}, second)).body).toMatchObject({
      status: 'false_positive',
      decision: { reviewedBy: { type: 'user' } },
    });
  });

  it('remains in effect after a later change of the thresholds', async () => {
    const person = newPerson();
    await list(person);
    const first = await screenPerson(alike(person));
    const { score, band } = first.hits[0]!;
    expect(band).toBe('review');
    expect((await dismiss(first)).status).toBe(200);
    for (const lines of [
      { alert: 0.5, review: 0.55, strong: 0.6 },
      { alert: score, review: score, strong: score },
    ]) {
      await setSection(world, owner, { screening: { profile: { sanctions: { person: lines } } } });
      const again = await rerun(first);
      expect([again.hits[0]!.band === band, statuses(again)]).toEqual([false, ['false_positive']]);
    }
    await setSection(world, owner, {
      screening: { profile: { sanctions: { person: { alert: 0.82, review: 0.82, strong: 0.9 } } } },
    });
  });

  it('ends the entry of the allow-list when somebody decides otherwise about the same entity, in whichever application', async () => {
    const person = newPerson();
    await list(person);
    const more = { dateOfBirth: '1990-11-30', countries: ['BR'] };
    expect((await dismiss(await screenPerson(person, more), forAll)).status).toBe(200);
    const other = await screenPerson(person, more);
    expect(statuses(other)).toEqual(['auto_dismissed']);
    expect((await dismiss(other, { status: 'inconclusive' })).status).toBe(200);
    expect(statuses(await screenPerson(person, more))).toEqual(['open']);
    const {
      body: {
        items: [entry],
      },
    } = await world.request<{ items: Schemas['AllowlistEntry'][] }>('GET', '/v1/screenings/allowlist', { as: second });
    expect(entry!.status).toBe('suspended');
  });
});
