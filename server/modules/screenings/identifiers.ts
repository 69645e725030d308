/**
 * Numbers of a screened subject besides its CPF or CNPJ: their stored form and what is wrong with them. Used by
 * subject.ts. A mistyped number would silently find nobody, so those with check digits are checked.
 */
import type { components } from '../../contract/generated/types.ts';
import type { FieldError } from '../../contract/problem.ts';

type Schemas = components['schemas'];
type Given = readonly Schemas['ScreenedIdentifierInput'][];

/** Letters and digits below which too many papers have the same number. */
const SHORTEST = 5;

/** Returns a number as lists have it: capital letters and digits only. */
const recorded = (value: string): string =>
  value
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '');

/** Returns the stored form of the numbers. */
export const recordIdentifiers = (given: Given): Schemas['ScreenedIdentifier'][] =>
  given.map(({ kind, value, country = null }) => ({ kind, value: recorded(value), country }));

/** Returns what is wrong with the numbers. */
export const identifierFaults = (given: Given): FieldError[] =>
  given.flatMap(({ kind, value }, index) => {
    const fault = faultOf(kind, recorded(value));
    return fault === null ? [] : [{ pointer: `/subject/identifiers/${index}/value`, ...fault }];
  });

function faultOf(kind: Given[number]['kind'], value: string): Pick<FieldError, 'code' | 'message'> | null {
  if (value.length < SHORTEST)
    return { code: 'too_short', message: `must have at least ${SHORTEST} letters from A to Z or digits` };
  if (kind === 'imo' && !isImo(value.replace(/^IMO/, '')))
    return {
      code: 'check_digits',
      message: 'must be an IMO number: seven digits, of which the last one is a check digit',
    };
  if (kind === 'lei' && !isLei(value))
    return { code: 'check_digits', message: 'must be an LEI: 18 letters or digits, then two check digits' };
  if (kind === 'bic' && !/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(value))
    return {
      code: 'pattern',
      message: 'must be a BIC: 8 or 11 letters or digits, the fifth and sixth of which are a country',
    };
  if (kind === 'mmsi' && !/^(?:MMSI)?\d{9}$/.test(value)) return { code: 'pattern', message: 'must have nine digits' };
  return null;
}

/** The check digit is the sum of the first six digits, each times its place from the right. */
const isImo = (value: string): boolean =>
  /^\d{7}$/.test(value) &&
  [...value.slice(0, 6)].reduce((sum, digit, index) => sum + Number(digit) * (7 - index), 0) % 10 === Number(value[6]);

/** The check digits are those of ISO 7064 (mod 97-10), with letters as the numbers from 10 on. */
const isLei = (value: string): boolean =>
  /^[A-Z0-9]{18}\d{2}$/.test(value) &&
  [...value].reduce((rest, sign) => Number(`${rest}${Number.parseInt(sign, 36)}`) % 97, 0) === 1;
