import { knex, sql, statement, type Transaction } from '../../../database/index.ts';

/** The site of an address, or a device that keeps a token. */
export type PlaceKind = 'site' | 'device';

/** More than anybody signs in from; whoever has the password could otherwise fill the table. */
const KEPT = 20;

const find = statement<{ account: string; site: string; device: string; since: Date }, { place: string }>('auth.place.find', (p) =>
  knex('known_place').select('place').where({ account: p.account }).where(sql`place IN (${p.site}, ${p.device})`).where(sql`seen_at > ${p.since}`));

const see = statement<{ account: string; place: string; kind: PlaceKind; now: Date }>('auth.place.see', (p) =>
  knex('known_place').insert({ account: p.account, place: p.place, kind: p.kind, seen_at: p.now }).onConflict(['account', 'place']).merge(['seen_at']));

const trim = statement<{ account: string; kind: PlaceKind }>('auth.place.trim', (p) => knex('known_place').where({ account: p.account, kind: p.kind })
  .whereIn('place', knex('known_place').select('place').where({ account: p.account, kind: p.kind }).orderBy([{ column: 'seen_at', order: 'desc' }, 'place']).offset(KEPT)).delete());

const forget = statement<{ account: string }>('auth.place.forget', (p) => knex('known_place').where({ account: p.account }).delete());

const purge = statement<{ before: Date }>('auth.place.purge', (p) => knex('known_place').where(sql`seen_at < ${p.before}`).delete());

/** Which of the two the person signed in from since then. */
export async function findKnown(tx: Transaction, places: { account: string; site: string; device: string; since: Date }): Promise<ReadonlySet<string>> {
  return new Set((await tx.run(find, places)).map(({ place }) => place));
}

export async function seePlace(tx: Transaction, place: { account: string; place: string; kind: PlaceKind; now: Date }): Promise<void> {
  await tx.run(see, place);
  await tx.run(trim, { account: place.account, kind: place.kind });
}

export async function forgetPlaces(tx: Transaction, account: string): Promise<void> {
  await tx.run(forget, { account });
}

export async function purgePlaces(tx: Transaction, before: Date): Promise<number> {
  return tx.count(purge, { before });
}
