/**
 * Masks personal data of records as the contract defines. Used by every presentation. What does not pass through
 * `shown` reaches readers unmasked.
 */
import type { AnyPrincipal } from '../contract/operation.ts';
import { masks } from '../contract/generated/masks.ts';
import type { components } from '../contract/generated/types.ts';

export const HIDDEN = '***';

/** Mask of a member that is omitted, because any value in its place would reveal something. */
const ABSENT = 'absent';

type Schemas = components['schemas'];
type Masked = keyof typeof masks;

/**
 * Returns a record as its reader may see it: for some readers personal data is masked, as the contract defines for each
 * member (`x-masked`).
 */
export function shown<Name extends Masked>(
  record: Name,
  value: Schemas[Name],
  { principal }: { readonly principal: Pick<AnyPrincipal, 'personalData'> },
): Schemas[Name] {
  return principal.personalData === 'masked' ? (maskedRecord(record, value) as Schemas[Name]) : value;
}

function maskedRecord(record: Masked, value: object): object {
  const members: Readonly<Record<string, keyof typeof MASKS | Masked | typeof ABSENT>> = masks[record];
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const mask = members[name];
      return mask === ABSENT ? [] : [[name, mask === undefined ? member : maskedMember(mask, member)]];
    }),
  );
}

/** Masks a member. Null needs no mask, and in a list every entry is masked. */
function maskedMember(mask: keyof typeof MASKS | Masked, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (isMask(mask)) return MASKS[mask](value);
  return Array.isArray(value) ? value.map((entry: object) => maskedRecord(mask, entry)) : maskedRecord(mask, value);
}

function isMask(mask: string): mask is keyof typeof MASKS {
  return mask in MASKS;
}

const MASKS = {
  removed: (value: unknown) => (Array.isArray(value) ? [] : null),
  hidden: () => HIDDEN,
  initials: (name: unknown) => maskName(String(name)),
  partial: (number: unknown) => maskNumber(String(number)),
  extension: (fileName: unknown) => `document${/\.[a-z0-9]{1,5}$/i.exec(String(fileName))?.[0] ?? ''}`,
};

/** Returns the initials of a name: enough to distinguish two records, not enough to identify the person. */
export function maskName(fullName: string): string {
  return fullName
    .split(' ')
    .map((word) => `${[...word][0] ?? ''}${HIDDEN}`)
    .join(' ')
    .slice(0, 200);
}

/** Masks a CPF in the way of Brazilian registers: the first three and the last two characters are hidden. */
function maskNumber(value: string): string {
  return value.length < 8 ? HIDDEN : `${HIDDEN}${value.slice(3, -2)}**`;
}
