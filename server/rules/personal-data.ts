/**
 * Which elements of the directory's documents are personal data, and masking or dropping them. Used by the feed,
 * recoveries and erasure. A new element of the directory that is missing here is shown to masked readers.
 */

/**
 * Elements of the directory that identify persons, or contain text that was written about them. Pseudonyms of the
 * tracking graph and end-to-end identifiers are not included, because without them an event could not be assigned to a
 * payment.
 */
const personalElements: ReadonlySet<string> = new Set([
  'TaxId',
  'TaxIdNumber',
  'Name',
  'TradeName',
  'Branch',
  'AccountNumber',
  'Email',
  'Phone',
]);

/** Ending of the directory's free texts: `ReportDetails`, `AnalysisDetails`, `RefundDetails`, and future ones. */
const FREE_TEXT = /Details?$/;

/**
 * Tells whether an element is personal. Lists are recognised by the plural of their element: a future `Phones` is an
 * array of `Phone`.
 */
const isPersonal = (name: string): boolean =>
  personalElements.has(name) || personalElements.has(name.replace(/s$/, '')) || FREE_TEXT.test(name);

const MASK = '***';

/** Returns the same structure with a fixed text in place of every leaf that identifies a person, at any depth. */
export function maskPersonalData<T>(document: T): T {
  return mapMembers(document, ([name, value]) => [
    [name, isPersonal(name) ? maskedValue(value) : maskPersonalData(value)],
  ]) as T;
}

/** Returns the same document without those elements. */
export function dropPersonalData<T>(document: T): T {
  return mapMembers(document, ([name, value]) => (isPersonal(name) ? [] : [[name, dropPersonalData(value)]])) as T;
}

/** Masks a value and everything in it, because an element that is a text today can become a container. */
function maskedValue(value: unknown): unknown {
  if (isContainer(value)) return mapMembers(value, ([name, inner]) => [[name, maskedValue(inner)]]);
  return value == null ? value : MASK;
}

type Member = readonly [name: string, value: unknown];

/** Maps the members of a value. Every entry of a list counts as a member without a name. */
function mapMembers(value: unknown, change: (member: Member) => readonly Member[]): unknown {
  if (Array.isArray(value)) return value.flatMap((entry: unknown) => change(['', entry]).map(([, changed]) => changed));
  return isContainer(value) ? Object.fromEntries(Object.entries(value).flatMap(change)) : value;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
