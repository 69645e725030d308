/**
 * A listed entity in the form that is shown with a hit. Used by the presentation of screenings and by the check of
 * imports.
 */
import type { components } from '../contract/generated/types.ts';
import type { ListedDate, ListedEntity } from './listed-entity.ts';

const writtenDate = (date: ListedDate): string => (typeof date === 'string' ? date : `${date.from}/${date.to}`);

/** Converts a listed entity to the form shown with a hit. */
export function shownEntity({
  type,
  names,
  birthDates,
  countries,
  programmes,
  position,
  remarks,
  sourceUrl,
}: ListedEntity): components['schemas']['HitEntity'] {
  return {
    type,
    name: names[0]!.name,
    aliases: names.slice(1).map(({ name }) => name),
    datesOfBirth: birthDates.map(writtenDate),
    countries: [...countries],
    programmes: [...programmes],
    position: position?.title ?? null,
    positionFrom: position?.from ?? null,
    positionTo: position?.to ?? null,
    remarks,
    sourceUrl,
  };
}
