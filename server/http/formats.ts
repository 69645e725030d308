import { fullFormats } from 'ajv-formats/dist/formats.js';

/** Dates and instants as nearly all of them are written. Every match is valid; what does not match is looked at closely. */
const USUAL_DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;
const USUAL_INSTANT = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

/** The validator's own formats behind a first look, which spares an answer full of instants a third of its validation. */
export const quickFormats = {
  'date': behind(USUAL_DATE, 'date'),
  'date-time': behind(USUAL_INSTANT, 'date-time'),
} as const;

function behind(usual: RegExp, name: 'date' | 'date-time') {
  const { validate } = fullFormats[name] as { readonly validate: (text: string) => boolean };
  return { type: 'string', validate: (text: string): boolean => usual.test(text) || validate(text) } as const;
}
