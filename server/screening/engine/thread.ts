/**
 * Runs in a thread beside the API: it builds indexes, which takes seconds for large lists, or searches them, which
 * takes milliseconds. One thread does only one of the two, so that no search waits for an index to be built. Started by
 * screening-engine.ts.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type Work, yieldToRequests } from '../less-urgent.ts';
import type { ListedEntity } from '../listed-entity.ts';
import { NameIndexBuilder } from './name-index.ts';
import { NameSearch } from './search.ts';
import type { Answer, Indexes, Order } from './screening-engine.ts';

yieldToRequests(workerData as Work);

const newBuilders = () => ({
  person: new NameIndexBuilder('person'),
  organisation: new NameIndexBuilder('organisation'),
});
let builders = newBuilders();
const searches = new Map<string, { readonly [K in keyof Indexes]: NameSearch }>();

/** Returns an entity or those of an array, some of which have their hashes beside them. */
function entitiesIn(text: string): ListedEntity[] {
  return [JSON.parse(text) as ListedEntity | (ListedEntity | { readonly entity: ListedEntity })[]]
    .flat()
    .map((one) => ('entity' in one ? one.entity : one));
}

function answerTo(order: Order): Answer | null {
  switch (order.do) {
    case 'add': {
      for (const text of order.documents) {
        for (const entity of entitiesIn(text))
          for (const builder of Object.values(builders)) builder.add(entity, order.list);
      }
      return null;
    }
    case 'build': {
      const { person, organisation } = builders;
      builders = newBuilders();
      return { did: 'build', indexes: { person: person.build(), organisation: organisation.build() } };
    }
    case 'use': {
      searches.set(order.name, {
        person: new NameSearch(order.indexes.person),
        organisation: new NameSearch(order.indexes.organisation),
      });
      return null;
    }
    case 'drop': {
      searches.delete(order.name);
      return null;
    }
    case 'affected': {
      const { id, subjects, lists, entity, threshold } = order;
      const of = entity.type === 'person' ? 'person' : 'organisation';
      return {
        did: 'affected',
        id,
        keys: [...searches.get(subjects)![of].subjectsLike(entity, of, threshold, searches.get(lists)![of])],
      };
    }
    case 'search': {
      const { id, name, weighedBy = name, subject, options, most } = order;
      const found = searches
        .get(name)!
        [subject.type].search(subject, options, most + 1, searches.get(weighedBy)![subject.type]);
      return {
        did: 'search',
        id,
        hits: found.slice(0, most),
        isTruncated: found.length > most,
      };
    }
  }
}

parentPort!.on('message', (order: Order) => {
  const answer = answerTo(order);
  if (answer !== null) parentPort!.postMessage(answer);
});
