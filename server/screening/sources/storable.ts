import { recordBounds } from '../../contract/generated/record-bounds.ts';
import { recordFaults } from '../../contract/record-faults.ts';
import type { ListedEntity } from '../listed-entity.ts';
import { shownEntity } from '../shown-entity.ts';
import { SourceFileError, UNSTORABLE } from './source-file.ts';

const LONGEST_KEY = 200;

/**
 * The entity as it is kept and every answer can show it, or an error: neither a later search nor an answer may fail by what was taken in. `isStrict` is for files whose sender can mend them. Of a publisher's
 * file, what a list only tells of an entity is shortened to what an answer shows, because nobody is compared with it and the rest of the list must not stay out for it.
 */
export function storable(entity: ListedEntity, isStrict: boolean): ListedEntity {
  const { key } = entity;
  if (key.length > LONGEST_KEY) throw new SourceFileError(`an entry has a key of ${key.length} characters, so this is another file`);
  if (key.search(UNSTORABLE) >= 0 || (isStrict && /\\u(?:0000|d[89a-f])/.test(JSON.stringify(entity)))) throw new SourceFileError(`entry ${key} has signs that no text has, so the file was damaged`);
  const kept = isStrict ? entity : shortened(entity);
  const [fault] = recordFaults('HitEntity', shownEntity(kept));
  if (fault !== undefined) throw new SourceFileError(`entry ${key} does not fit what a screening shows: ${fault}`);
  return kept;
}

function shortened({ position, programmes, remarks, sourceUrl, identifiers, ...entity }: ListedEntity): ListedEntity {
  const shown = recordBounds.HitEntity;
  return {
    ...entity,
    identifiers: identifiers.filter(({ value }) => value !== ''),
    position: position === null ? null : { ...position, title: within(position.title, shown.position.length) },
    programmes: programmes.slice(0, shown.programmes.items).map((programme) => within(programme, shown.programmes.each.length)),
    remarks: remarks === null ? null : within(remarks, shown.remarks.length),
    // Half of an address leads elsewhere.
    sourceUrl: sourceUrl === null || sourceUrl.length > shown.sourceUrl.length ? null : within(sourceUrl, shown.sourceUrl.length),
  };
}

function within(text: string, length: number): string {
  const clean = text.replace(UNSTORABLE, '\uFFFD');
  return clean.length <= length ? clean : `${clean.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
