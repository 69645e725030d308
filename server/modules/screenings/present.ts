/**
 * Presents screenings and hits to their reader. Used by the handlers. Personal data of the subject is masked for
 * readers who must not see it; what a publisher makes public about an entity is not.
 */
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/operation.ts';
import { shown } from '../../rules/mask.ts';
import { featuresOf } from '../../screening/engine/features.ts';
import { sentenceOf } from '../../screening/sentences.ts';
import { shownEntity } from '../../screening/shown-entity.ts';
import { proposalFor, wireDecision } from './adjudicate.ts';
import { bandOf, leastAlert } from './bands.ts';
import type { HitDecision } from './decision-store.ts';
import type { FoundEntity } from './simulated-entry-store.ts';
import type { FoundScreening, HitRecord, ScreeningRecord } from './store.ts';

type Schemas = components['schemas'];

interface Reader {
  readonly principal: AnyPrincipal;
}

/**
 * Data that is shown with a screening: the decisions about its subject, and the entities as the searched versions of
 * the lists had them.
 */
export interface Background {
  readonly decisions: readonly HitDecision[];
  readonly entities: readonly FoundEntity[];
}

/** Presents a screening to its reader. */
export function present(
  { record, hits }: FoundScreening,
  background: Background,
  reader: Reader,
): Schemas['Screening'] {
  const { lists, criteria, subjectId: _, comparable: __, settingsLines: ___, ...own } = record;
  const screening = shown(
    'Screening',
    {
      ...own,
      criteria: { threshold: leastAlert(own.lines), ...criteria },
      personalDataMasked: isMasked(reader),
      lists: lists.map(({ listId, version, publishedOn }) => ({ listId, version, publishedOn })),
      hits: [],
    },
    reader,
  );
  return { ...screening, hits: hits.map((hit) => presentHit(hit, record, background, reader)) };
}

/** Presents a screening in a list, without hits. */
export function presentInList(
  {
    id,
    environment,
    result,
    subject,
    applicationId,
    staleLists,
    hitCount,
    openHitCount,
    truncated,
    algorithmVersion,
    supersededById,
    createdAt,
    createdBy,
  }: ScreeningRecord,
  reader: Reader,
): Schemas['ScreeningSummary'] {
  return shown(
    'ScreeningSummary',
    {
      id,
      environment,
      result,
      subject,
      applicationId,
      personalDataMasked: isMasked(reader),
      staleLists,
      hitCount,
      openHitCount,
      truncated,
      algorithmVersion,
      supersededById,
      createdAt,
      createdBy,
    },
    reader,
  );
}

const isMasked = ({ principal }: Reader): boolean => principal.personalData === 'masked';

/**
 * Presents a hit to its reader. What a publisher makes public about an entity is never masked; for every other entry
 * the members of the contract say what is masked.
 */
export function presentHit(
  hit: HitRecord,
  record: ScreeningRecord,
  background: Background,
  reader: Reader,
): Schemas['ScreeningHit'] {
  const whole = wireHit(hit, record, background);
  const { entityId, entity, matchedName } = whole;
  return {
    ...shown('ScreeningHit', whole, reader),
    ...(entityOf(hit, background).isPublished && { entityId, entity, matchedName }),
  };
}

function entityOf({ listId, entityKey }: HitRecord, { entities }: Background): FoundEntity {
  return entities.find((entity) => entity.listId === listId && entity.key === entityKey)!;
}

function wireHit(hit: HitRecord, record: ScreeningRecord, background: Background): Schemas['ScreeningHit'] {
  const { id, listId, category, score, status, decisionId, allowlistEntryId, entityKey, judgement, reopened } = hit;
  const { version: listVersion } = record.lists.find((list) => list.listId === listId)!;
  const { fingerprint, document } = entityOf(hit, background);
  const { decisions } = background;
  const decisionOf = (of: string): Schemas['HitDecision'] =>
    wireDecision(decisions.find((decision) => decision.id === of)!);
  const proposal = proposalFor(hit, record, decisions);
  return {
    id,
    listId,
    listVersion,
    entityId: entityKey,
    entityFingerprint: fingerprint,
    category,
    entity: shownEntity(document),
    score,
    band: bandOf(hit, record.lines),
    matchedName: judgement.listedName.name,
    status,
    decision: decisionId === null ? null : decisionOf(decisionId),
    proposal: proposal === null ? null : wireDecision(proposal),
    allowlistEntryId,
    // After a new decision, the reason of the reopening is history.
    reopened:
      reopened === null || decisionId !== null
        ? null
        : { decision: decisionOf(reopened.decisionId), changes: reopened.changes },
    features: featuresOf(judgement).map((feature) => ({ ...feature, text: sentenceOf(feature) })),
  };
}
