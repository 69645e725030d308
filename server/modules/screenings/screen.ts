import type { KeyObject } from 'node:crypto';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf, type AnyPrincipal, type Environment } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import { lockUntilCommit } from '../../database/advisory-lock.ts';
import type { Transaction } from '../../database/index.ts';
import { assertEnvironmentWritable } from '../../identity/tenant.ts';
import type { Context } from '../../request/handler.ts';
import { isTaxNumber, normaliseTaxNumber } from '../../rules/tax-id.ts';
import { ALGORITHM, type ScreeningHit } from '../../screening/engine/screening-engine.ts';
import { isScreenable } from '../../screening/names/fold.ts';
import { readApplication } from '../applications/index.ts';
import { makeKey, sealingKey, sealValue } from '../subject-keys/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { activeVersions, isWatchList, type ListVersion, WATCH_LISTS, type WatchListId, watchListOf } from '../watch-lists/index.ts';
import { isStale } from './lists.ts';
import type { LoadedLists } from './loaded-lists.ts';
import { insertScreening, placeOfHit, placeOfSubject, type ScreenedSubject, screeningsSince } from './store.ts';

type Schemas = components['schemas'];
type Creating = Pick<Context<'createScreening'>, 'tx' | 'principal' | 'environment' | 'visible' | 'sandboxEnabled' | 'setResourceEnvironment' | 'body' | 'now' | 'timeIn'>;

/** An answer shows so many hits. */
const MOST_HITS = 200;
/** More are looked at, because some kinds may be left out. */
const MOST_FOUND = 2_000;

/** Screens a name and keeps what was found; the id of the screening. */
export async function screen(ctx: Creating, lists: LoadedLists): Promise<{ readonly id: string; readonly environment: Environment; readonly result: string; readonly hitCount: number }> {
  const { tx, principal, body, now } = ctx;
  const { environment, application } = await placeOf(ctx);
  const subject = subjectOf(body.subject, application?.applicant ?? null, environment);
  const [{ screening: settings }, active] = await Promise.all([readSettings(tx, principal.tenantId), activeVersions(tx, environment)]);
  if (environment === 'live') await assertQuota(tx, principal, now);
  const criteria = { threshold: settings.threshold, dobToleranceYears: 0, includeRca: true, includeFormerPep: true, ...body.criteria };
  const wanted = wantedLists(body.lists, settings.defaultLists, active);
  const set = await lists.ready(environment, active);
  const begun = performance.now();
  const { hits: found, isTruncated } = await lists.engine.search({
    name: environment, most: MOST_FOUND,
    subject: { type: subject.type, names: subject.names, birthDate: subject.dateOfBirth ?? (subject.yearOfBirth === null ? null : String(subject.yearOfBirth)), gender: genderOf(subject), countries: subject.countries, taxId: subject.taxId },
    options: {
      threshold: criteria.threshold,
      rules: set.versions.map(({ listId }) => (wanted.has(listId) ? { needsConfirmation: watchListOf(listId).needsConfirmation === true, dobToleranceYears: criteria.dobToleranceYears } : undefined)),
    },
  });
  const durationMs = Math.round(performance.now() - begun);
  // When a list was last looked at changes without a new version of it.
  const searched = set.versions.filter(({ listId }) => wanted.has(listId)).map((version) => active.find(({ listId, sequence }) => listId === version.listId && sequence === version.sequence) ?? version);
  const counted = found.filter((hit) => isCounted(hit, listOf(set.versions, hit).listId, criteria, now));
  const hits = counted.slice(0, MOST_HITS);
  const [id, createdAt] = [uuidv7(), ctx.timeIn(environment)];
  const key = await keyFor(tx, { id, applicationId: application?.id ?? null }, environment, createdAt);
  const result = hits.length === 0 ? 'clear' : 'open_hits';
  const of = { tenantId: principal.tenantId, environment };
  insertScreening(tx, {
    ...of, id, applicationId: application?.id ?? null, result, subject: sealValue(key, placeOfSubject(id), subject), criteria,
    lists: searched.map(({ listId, version, sequence, publishedOn }) => ({ listId, version, sequence, publishedOn })),
    staleLists: searched.filter((version) => isStale(version, now)).map(({ listId }) => listId),
    hitCount: hits.length, openHitCount: hits.length, truncated: isTruncated || counted.length > hits.length, algorithmVersion: ALGORITHM, durationMs, createdAt, createdBy: actorOf(principal),
  }, hits.map((hit, position) => {
    const { listId } = listOf(set.versions, hit);
    const hitId = uuidv7();
    return {
      ...of, id: hitId, screeningId: id, position, listId, category: hit.entity.category ?? watchListOf(listId).category, score: hit.score,
      content: sealValue(key, placeOfHit(hitId), { entityKey: hit.entity.key, judgement: hit.judgement }),
    };
  }));
  return { id, environment, result, hitCount: hits.length };
}

const listOf = (versions: readonly ListVersion[], { list }: Pick<ScreeningHit, 'list'>): ListVersion => versions[list]!;
const genderOf = ({ gender }: ScreenedSubject): 'female' | 'male' | null => (gender === 'female' || gender === 'male' ? gender : null);

/** Where the screening belongs: to the environment of its application, if it has one. */
async function placeOf(ctx: Creating): Promise<{ readonly environment: Environment; readonly application: Awaited<ReturnType<typeof readApplication>> | null }> {
  const { body: { applicationId } } = ctx;
  if (applicationId === undefined) {
    ctx.setResourceEnvironment(ctx.environment);
    return { environment: ctx.environment, application: null };
  }
  const application = await readApplication(ctx, applicationId);
  assertEnvironmentWritable(application.environment, ctx);
  return { environment: application.environment, application };
}

function subjectOf(given: Schemas['ScreeningSubjectInput'] | undefined, applicant: Awaited<ReturnType<typeof readApplication>>['applicant'] | null, environment: Environment): ScreenedSubject {
  if (given === undefined && applicant === null) throw new Problem('validation_failed', { errors: [{ pointer: '/subject', code: 'required', message: 'must be given unless there is an applicationId' }] });
  if (given === undefined) {
    const { fullName, socialName, dateOfBirth, nationality, taxId } = applicant!;
    return {
      type: 'person', names: socialName === null ? [fullName] : [fullName, socialName], dateOfBirth, yearOfBirth: null, gender: null,
      countries: nationality === null ? [] : [nationality], taxId: taxId?.type === 'cpf' ? taxId.value : null,
    };
  }
  const { type, names, dateOfBirth = null, yearOfBirth = null, gender = null, countries = [], taxId = null } = given;
  const nameless = names.flatMap((name, index) => (isScreenable(name) ? [] : [{ pointer: `/subject/names/${index}`, code: 'not_screenable', message: 'must have letters' }]));
  if (nameless.length > 0) throw new Problem('name_not_screenable', { errors: nameless });
  const number = taxId === null ? null : normaliseTaxNumber(taxId);
  const errors: FieldError[] = [];
  const kind = type === 'person' ? 'cpf' : 'cnpj';
  if (number !== null && !isTaxNumber(kind, number, environment)) errors.push({ pointer: '/subject/taxId', code: 'check_digits', message: `must be a ${kind.toUpperCase()}` });
  if (type === 'organisation' && (dateOfBirth ?? yearOfBirth ?? gender) !== null) errors.push({ pointer: '/subject/type', code: 'not_a_person', message: 'must be person for a date of birth or a gender' });
  if (dateOfBirth !== null && yearOfBirth !== null && Number(dateOfBirth.slice(0, 4)) !== yearOfBirth) errors.push({ pointer: '/subject/yearOfBirth', code: 'contradiction', message: 'must be the year of dateOfBirth' });
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  return { type, names: [...names], dateOfBirth, yearOfBirth, gender, countries: [...countries], taxId: number };
}

/** The lists to search. One that is asked for and was never imported is an answer that cannot be given. */
function wantedLists(given: readonly string[] | undefined, usual: readonly string[], active: readonly ListVersion[]): ReadonlySet<WatchListId> {
  const unknown = (given ?? []).flatMap((id, index) => (isWatchList(id) ? [] : [{ pointer: `/lists/${index}`, code: 'unknown_list', message: `must be one of ${Object.keys(WATCH_LISTS).join(', ')}` }]));
  if (unknown.length > 0) throw new Problem('unknown_list', { errors: unknown });
  const wanted = new Set((given ?? usual).filter(isWatchList));
  const left = Object.keys(WATCH_LISTS).filter(isWatchList).filter((id) => watchListOf(id).isMandatory && !wanted.has(id));
  if (left.length > 0) throw new Problem('mandatory_list_excluded', { errors: [{ pointer: '/lists', code: 'mandatory', message: `must include ${left.join(', ')}` }] });
  const missing = [...wanted].filter((id) => !active.some(({ listId }) => listId === id));
  if (missing.length > 0) throw new Problem('provider_not_configured', { detail: `No version of these lists was imported: ${missing.join(', ')}.` });
  return wanted;
}

function isCounted({ entity }: ScreeningHit, listId: WatchListId, { includeRca, includeFormerPep }: Schemas['ScreeningCriteria'], now: Date): boolean {
  const category = entity.category ?? watchListOf(listId).category;
  if (category === 'rca') return includeRca;
  const until = entity.position?.to ?? null;
  return category !== 'pep' || includeFormerPep || until === null || until >= now.toISOString().slice(0, until.length);
}

function keyFor(tx: Transaction, { id, applicationId }: { readonly id: string; readonly applicationId: string | null }, environment: Environment, now: Date): KeyObject | Promise<KeyObject> {
  return applicationId === null ? makeKey(tx, { type: 'screening', id }, { environment, now }) : sealingKey(tx, { type: 'application', id: applicationId }, { environment, now });
}

/** Days of UTC. Screenings of one tenant are counted one after the other, so that they cannot all be the last. */
async function assertQuota(tx: Transaction, { tenantId }: AnyPrincipal, now: Date): Promise<void> {
  void lockUntilCommit(tx, 'screeningsPerDay', tenantId);
  const { quota, used } = await screeningsSince(tx, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())));
  if (quota !== null && used >= quota) throw new Problem('quota_exceeded', { detail: 'The quota screeningsPerDay is used up.' });
}
