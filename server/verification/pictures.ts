/**
 * Judges a document by its pictures: what was read from them, how well, and whether it agrees with itself and with the
 * applicant. The zone and the printed text may be on different sides.
 */
import { type Check, check } from './check.ts';
import { type DocumentContent, type JudgedDocument, judgeDocument, type StatedPerson } from './document.ts';
import { readMrz } from './mrz/read.ts';
import type { PictureContent } from './reader/read-picture.ts';
import type { PlacedText } from './visual/labels.ts';
import { visualFields } from './visual/visual-fields.ts';

/** What became of one picture, or of one page. */
export type SeenPicture = PictureContent | 'unreadable' | 'too_many_pages';

/** Checks of the pictures of a document. */
export type PictureCheck = 'document_type_supported' | 'image_quality' | 'tamper_signals';

/** Document judged by its pictures. */
export interface JudgedPictures extends Pick<JudgedDocument, 'mrzType' | 'fields'> {
  readonly checks: readonly Check[];
}

/** Below so many pixels for each character of a zone, too few of them are read right. */
const LEAST_PITCH = 8;

/** What a document is compared with. `typed` are the lines of its zone that the caller sent, if any. */
export interface Compared {
  readonly typed: readonly string[] | null;
  readonly person: StatedPerson;
  /** YYYY-MM-DD */
  readonly today: string;
}

/** Judges a document by its pictures. */
export function judgePictures(pictures: readonly SeenPicture[], { typed, person, today }: Compared): JudgedPictures {
  const read = pictures.filter((picture) => typeof picture !== 'string');
  const withZone = read.filter(({ zone }) => zone !== null);
  const chosen = withZone.find(({ isZoneReliable }) => isZoneReliable) ?? withZone[0];
  const lines = chosen?.zone?.lines ?? typed;
  const fields = lines === null ? null : readMrz(lines, today).fields;
  const content: DocumentContent = {
    mrzLines: lines,
    visual: visualFields(read.flatMap(placedLines), fields),
    // Lines that were typed beside a picture prove nothing about it.
    areLinesUncertain: chosen?.isZoneReliable !== true,
  };
  const { checks, ...judged } = judgeDocument(content, person, today);
  const found = checks.map((one) => withoutGuess(one, chosen?.isZoneReliable === true));
  return { ...judged, checks: [qualityCheck(pictures, chosen), typeCheck(withZone), tamperCheck(), ...found] };
}

/** Checks of what only the printed text shows. */
const OF_PRINT: ReadonlySet<string> = new Set(['data_match_tax_id', 'tax_id_checksum']);

/**
 * Turns a failure that rests on an uncertain reading into a warning: a letter that was misread is no finding against
 * anybody.
 */
function withoutGuess(one: Check, isZoneReliable: boolean): Check {
  const isGuess = !isZoneReliable || OF_PRINT.has(one.code);
  return one.outcome === 'fail' && isGuess ? { ...one, outcome: 'warn' } : one;
}

/** Returns the printed lines of a picture with their places. */
export const placedLines = ({ printed }: PictureContent): PlacedText[] =>
  printed.map(({ text, box }) => ({
    text,
    left: box.x - box.along * Math.cos(box.angle),
    middle: box.y,
    height: 2 * box.across,
  }));

/** Judges the pictures, and of a zone the size of its characters. */
export function qualityCheck(pictures: readonly SeenPicture[], chosen?: PictureContent): Check<PictureCheck> {
  const code = 'image_quality';
  if (pictures.includes('too_many_pages')) return check(code, 'not_run', 'too_many_pages');
  if (pictures.includes('unreadable')) return check(code, 'warn', 'picture_unreadable');
  const isBlank = (picture: SeenPicture): boolean =>
    typeof picture !== 'string' && picture.zone === null && picture.printed.length === 0;
  if (pictures.some(isBlank)) return check(code, 'warn', 'nothing_legible');
  if (chosen === undefined) return check(code, 'pass');
  const pitch = pitchOf(chosen);
  const measured = { score: Math.round(pitch * 10) / 10, threshold: LEAST_PITCH };
  return pitch < LEAST_PITCH
    ? { ...check(code, 'warn', 'picture_too_small'), ...measured }
    : { ...check(code, 'pass'), ...measured };
}

/** Returns the pixels for each character of the zone of a picture. */
function pitchOf({ zone }: PictureContent): number {
  const pitches = zone!.boxes.map(({ along }, line) => (2 * along) / zone!.lines[line]!.length);
  return Math.min(...pitches);
}

/** A document is of a known type if it has a zone, and one only: two zones are two documents. */
function typeCheck(withZone: readonly PictureContent[]): Check<PictureCheck> {
  const code = 'document_type_supported';
  const [zone, other] = new Set(withZone.map((picture) => picture.zone!.lines.join('\n')));
  if (other !== undefined) return check(code, 'warn', 'several_documents');
  return zone === undefined ? check(code, 'not_run', 'no_machine_readable_zone') : check(code, 'pass');
}

/** Nothing in one still picture tells a forgery reliably, so that nothing is measured. */
export const tamperCheck = (): Check<PictureCheck> => check('tamper_signals', 'not_run', 'not_measured');
