/**
 * The names of an entry, as they are compared and shown. Used by all readers. Unusable names are left out and reported;
 * an entry without any name is an error.
 */
import { recordBounds } from '../../contract/generated/record-bounds.ts';
import type { ListedEntity, ListedIdentifier, ListedName } from '../listed-entity.ts';
import { DAMAGED, NO_TEXT } from './file-text.ts';
import { type QuarantinedName, type SourceFacts, SourceFileError } from './source-file.ts';

/**
 * Characters that no name has: the replacement of undecodable bytes, control characters, and UTF-8 that was read as
 * Windows-1252. They show that the file was damaged in transit.
 */
const DAMAGE = /[\uFFFD\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]|[ÂÃÅÐÑØÙ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰‹•–—˜™›]/u;

/** Converts Windows-1252 signs that a publisher left in a UTF-8 file, as some do with apostrophes. */
const unconverted = new TextDecoder('windows-1252');
const converted = (text: string): string =>
  text.replace(/[\u0080-\u009F]/g, (sign) => unconverted.decode(Uint8Array.of(sign.charCodeAt(0))));

export type RawName = readonly [text: string, kind: ListedName['kind'], quality?: ListedName['quality']];

/** Key of an entry in its format, and its position in the file. */
interface RecordPlace {
  readonly key: string;
  readonly where: string;
}

const longestName = (): number => recordBounds.HitEntity.name.length;
/** Number of names that an answer can show: the first name and its aliases. */
const mostNames = (): number => 1 + recordBounds.HitEntity.aliases.items;

/**
 * Returns the distinct names of an entry as they are compared and shown, the shown one first. A name that is damaged,
 * or too long or too many for an answer, is omitted and reported, so that the entry and the rest of the list can still
 * be searched. An entry without any name is an error.
 */
export function namesOf(raw: readonly RawName[], { key, where }: RecordPlace, facts: SourceFacts): ListedName[] {
  const quarantined: QuarantinedName[] = [];
  const { entityId, record, name: shownName } = recordBounds.QuarantinedName;
  const leaveOut = (reason: QuarantinedName['reason'], name: string): void =>
    void quarantined.push({
      entityId: beginningOf(key, entityId.length),
      record: beginningOf(where, record.length),
      reason,
      name: beginningOf(name, shownName.length),
    });
  const found = new Map<string, ListedName>();
  for (const [text, kind, quality = 'strong'] of raw) {
    const name = text.replace(/\s+/g, ' ').trim();
    if (name === '') continue;
    if (DAMAGE.test(name)) leaveOut('damaged', name);
    else if (name.length > longestName()) leaveOut('too_long', name);
    else {
      const shown = converted(name);
      const before = found.get(shown);
      // If a name occurs twice, the strong one counts.
      if (before === undefined) found.set(shown, { name: shown, kind, quality });
      else if (before.quality !== 'strong') found.set(shown, { name: shown, kind: before.kind, quality });
    }
  }
  if (found.size === 0)
    throw new SourceFileError(
      quarantined.length === 0
        ? `${where} has no name`
        : `${where}: ${quarantineSaid(quarantined[0]!)}, and the entry has no other name`,
    );
  const names = [...found.values()];
  for (const { name } of names.splice(mostNames())) leaveOut('too_many', name);
  if (quarantined.length > 0) facts.quarantined = [...(facts.quarantined ?? []), ...quarantined];
  return names;
}

const SAID: Readonly<Record<QuarantinedName['reason'], () => string>> = {
  damaged: () => 'a name has signs that no name has, so the file was damaged',
  too_long: () => `a name has more than ${longestName()} characters`,
  too_many: () => `there are more than ${mostNames()} names`,
};

/** Returns the reason for a quarantine in words. */
export const quarantineSaid = ({ reason }: Pick<QuarantinedName, 'reason'>): string => SAID[reason]();

export const UNSTORABLE = /[\u0000\uD800-\uDFFF]/gu;

/** Returns the beginning of a text of the file, with invalid characters replaced. */
const beginningOf = (text: string, length: number): string =>
  text.slice(0, length).replace(NO_TEXT, DAMAGED).replace(UNSTORABLE, DAMAGED);

/**
 * Returns an identifier without separators. A damaged one becomes empty, because without the damaged sign it would be
 * another one.
 */
export const identifierValue = (text: string): string =>
  text.includes(DAMAGED) ? '' : text.toUpperCase().replace(/[^A-Z0-9*]/g, '');

/** Letters and digits from which a number identifies somebody. */
export const TELLING_NUMBER = 5;

/** Returns the numbers that are long enough to compare and not among `others`, without duplicates. */
export function distinctFurther(
  numbers: readonly ListedIdentifier[],
  others: readonly ListedIdentifier[],
): ListedIdentifier[] {
  const isKnown = ({ kind, value }: ListedIdentifier): boolean =>
    others.some((other) => other.kind === kind && other.value === value);
  const known = new Map(
    numbers
      .filter((number) => number.value.length >= TELLING_NUMBER && !isKnown(number))
      .map((number) => [`${number.kind} ${number.value}`, number]),
  );
  return [...known.values()];
}

/** Returns the member `furtherIdentifiers`; none if there are no such numbers, so that the entity is as before. */
export const further = (numbers: readonly ListedIdentifier[]): Pick<ListedEntity, 'furtherIdentifiers'> =>
  numbers.length === 0 ? {} : { furtherIdentifiers: numbers };
