import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/operation.ts';
import { shown } from '../../rules/mask.ts';
import { featuresOf } from '../../screening/engine/features.ts';
import type { ListedDate, ListedEntity } from '../../screening/listed-entity.ts';
import type { ReferredEntity } from '../watch-lists/index.ts';
import type { HitRecord, ScreeningRecord } from './store.ts';

type Schemas = components['schemas'];

interface Reader {
  readonly principal: AnyPrincipal;
}

/** A screening as its reader may see it; the entities are those of the versions that were searched. */
export function present(record: ScreeningRecord, hits: readonly HitRecord[], entities: readonly ReferredEntity[], reader: Reader): Schemas['Screening'] {
  const { lists, ...own } = record;
  return shown('Screening', {
    ...own, personalDataMasked: isMasked(reader), lists: lists.map(({ listId, version, publishedOn }) => ({ listId, version, publishedOn })),
    hits: hits.map((hit) => presentHit(hit, record, entities)),
  }, reader);
}

/** Items of lists carry no hits. */
export function presentInList({ id, environment, result, subject, applicationId, staleLists, hitCount, openHitCount, truncated, algorithmVersion, createdAt, createdBy }: ScreeningRecord, reader: Reader): Schemas['ScreeningSummary'] {
  return shown('ScreeningSummary', {
    id, environment, result, subject, applicationId, personalDataMasked: isMasked(reader), staleLists, hitCount, openHitCount, truncated, algorithmVersion, createdAt, createdBy,
  }, reader);
}

const isMasked = ({ principal }: Reader): boolean => principal.personalData === 'masked';

function presentHit({ id, listId, category, score, entityKey, judgement }: HitRecord, { lists }: Pick<ScreeningRecord, 'lists'>, entities: readonly ReferredEntity[]): Schemas['ScreeningHit'] {
  const { version: listVersion } = lists.find((list) => list.listId === listId)!;
  const { fingerprint, document } = entities.find((entity) => entity.listId === listId && entity.key === entityKey)!;
  return {
    id, listId, listVersion, entityId: entityKey, entityFingerprint: fingerprint, category, entity: presentEntity(document), score, matchedName: judgement.listedName.name,
    features: featuresOf(judgement),
  };
}

const writtenDate = (date: ListedDate): string => (typeof date === 'string' ? date : `${date.from}/${date.to}`);

function presentEntity({ type, names, birthDates, countries, programmes, position, remarks, sourceUrl }: ListedEntity): Schemas['HitEntity'] {
  return {
    type, name: names[0]!.name, aliases: names.slice(1).map(({ name }) => name), datesOfBirth: birthDates.map(writtenDate), countries: [...countries], programmes: [...programmes],
    position: position?.title ?? null, positionFrom: position?.from ?? null, positionTo: position?.to ?? null, remarks, sourceUrl,
  };
}
