/**
 * Elements of the directory that tell of persons, or hold what somebody wrote about them. Pseudonyms of the tracking graph
 * and end-to-end identifiers stay: without them nobody could tell which payment an event is about.
 */
const personalElements: ReadonlySet<string> = new Set(['TaxId', 'TaxIdNumber', 'Name', 'TradeName', 'Branch', 'AccountNumber', 'Email', 'Phone']);

/** Free texts of the directory end so: `ReportDetails`, `AnalysisDetails`, `RefundDetails`, and one that it adds some day. */
const FREE_TEXT = /Details?$/;

/** Of a list only the plural that held its entries is left: a `Phones` that comes some day is an array of `Phone`. */
const isPersonal = (name: string): boolean => personalElements.has(name) || personalElements.has(name.replace(/s$/, '')) || FREE_TEXT.test(name);

const MASK = '***';

/** The same structure with a fixed text in the place of every leaf that tells of a person, however deep it stands. */
export function maskPersonalData<T>(document: T): T {
  return mapMembers(document, ([name, value]) => [[name, isPersonal(name) ? maskedValue(value) : maskPersonalData(value)]]) as T;
}

/** The same document without those elements. */
export function dropPersonalData<T>(document: T): T {
  return mapMembers(document, ([name, value]) => (isPersonal(name) ? [] : [[name, dropPersonalData(value)]])) as T;
}

/** An element that is a text today can be a container tomorrow: everything in it is covered. */
function maskedValue(value: unknown): unknown {
  return isContainer(value) ? mapMembers(value, ([name, inner]) => [[name, maskedValue(inner)]]) : value == null ? value : MASK;
}

type Member = readonly [name: string, value: unknown];

/** Of a list every entry counts as a member without a name. */
function mapMembers(value: unknown, change: (member: Member) => readonly Member[]): unknown {
  if (Array.isArray(value)) return value.flatMap((entry: unknown) => change(['', entry]).map(([, changed]) => changed));
  return isContainer(value) ? Object.fromEntries(Object.entries(value).flatMap(change)) : value;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
