/**
 * The lines of a screening profile by kind of list and subject, and the shipped profile, without input or output. Used
 * by the settings and, through the index, by screenings. Lower lines find more namesakes; higher ones miss people.
 */
import type { components } from '../../contract/generated/types.ts';

type Schemas = components['schemas'];
export type ScreeningLines = Schemas['ScreeningLines'];
export type ScreeningProfile = Schemas['ScreeningProfile'];

export const KINDS_OF_LIST = ['sanctions', 'pep', 'other'] as const satisfies readonly (keyof ScreeningProfile)[];
export const KINDS_OF_SUBJECT = [
  'person',
  'organisation',
] as const satisfies readonly (keyof ScreeningProfile['other'])[];

const PERSON: ScreeningLines = { alert: 0.82, review: 0.82, strong: 0.9 };
/**
 * Lines for other kinds, which are lower because names of organisations are more distinctive, and public functions are
 * published with more names than sanctions are.
 */
const OTHER: ScreeningLines = { alert: 0.8, review: 0.8, strong: 0.88 };

/** Profile of a tenant that has set none. */
export const SHIPPED_PROFILE: ScreeningProfile = {
  sanctions: { person: PERSON, organisation: OTHER },
  pep: { person: OTHER, organisation: OTHER },
  other: { person: PERSON, organisation: OTHER },
};

/** Returns the same lines with another alert line. Lines that would be below it rise to it. */
export const withAlert = ({ review, strong }: ScreeningLines, alert: number): ScreeningLines => ({
  alert,
  review: Math.max(alert, review),
  strong: Math.max(alert, strong),
});

type ByKind<T> = {
  readonly [List in keyof ScreeningProfile]: { readonly [Subject in keyof ScreeningProfile['other']]: T };
};

/** Applies a function to the lines of each kind of list and subject. */
export function ofEachKind<T>(profile: ScreeningProfile, make: (lines: ScreeningLines) => T): ByKind<T> {
  const ofSubjects = ({ person, organisation }: ScreeningProfile['other']) => ({
    person: make(person),
    organisation: make(organisation),
  });
  return { sanctions: ofSubjects(profile.sanctions), pep: ofSubjects(profile.pep), other: ofSubjects(profile.other) };
}
