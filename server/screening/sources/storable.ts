/**
 * Makes sure that an entity can be stored and shown. Called by the reading thread for each entity. Text that is only
 * shown may be shortened, text that is compared never.
 */
import { recordBounds } from '../../contract/generated/record-bounds.ts';
import { recordFaults } from '../../contract/record-faults.ts';
import type { ListedEntity } from '../listed-entity.ts';
import { shownEntity } from '../shown-entity.ts';
import { UNSTORABLE } from './listed-names.ts';
import { SourceFileError } from './source-file.ts';

const LONGEST_KEY = 200;

/**
 * Returns the entity in a form that can be stored and shown in every answer, or throws, because neither a later search
 * nor an answer may fail over imported data. `isStrict` is for files whose sender can correct them. In a publisher's
 * file, data that is only shown is shortened to the limits of an answer, because it is not compared and must not block
 * the rest of the list.
 */
export function storable(entity: ListedEntity, isStrict: boolean): ListedEntity {
  const { key } = entity;
  if (key.length > LONGEST_KEY)
    throw new SourceFileError(`an entry has a key of ${key.length} characters, so this is another file`);
  if (key.search(UNSTORABLE) >= 0 || (isStrict && /\\u(?:0000|d[89a-f])/.test(JSON.stringify(entity))))
    throw new SourceFileError(`entry ${key} has signs that no text has, so the file was damaged`);
  const stored = isStrict ? entity : shortened(entity);
  const [fault] = recordFaults('HitEntity', shownEntity(stored));
  if (fault !== undefined) throw new SourceFileError(`entry ${key} does not fit what a screening shows: ${fault}`);
  return stored;
}

function shortened({ position, programmes, remarks, sourceUrl, identifiers, ...entity }: ListedEntity): ListedEntity {
  const shown = recordBounds.HitEntity;
  return {
    ...entity,
    identifiers: identifiers.filter(({ value }) => value !== ''),
    position: position === null ? null : { ...position, title: within(position.title, shown.position.length) },
    programmes: programmes
      .slice(0, shown.programmes.items)
      .map((programme) => within(programme, shown.programmes.each.length)),
    remarks: remarks === null ? null : within(remarks, shown.remarks.length),
    // A truncated URL would lead elsewhere.
    sourceUrl:
      sourceUrl === null || sourceUrl.length > shown.sourceUrl.length
        ? null
        : within(sourceUrl, shown.sourceUrl.length),
  };
}

function within(text: string, length: number): string {
  const clean = text.replace(UNSTORABLE, '\uFFFD');
  return clean.length <= length ? clean : `${clean.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
