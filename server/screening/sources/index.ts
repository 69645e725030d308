/**
 * The formats of watch lists, each with its reader. Used by imports, uploads and commands. A list with a missing
 * required file is refused, because it would look complete.
 */
import { readCguCepim, readCguPenalties, readCguPep } from './cgu-csv.ts';
import { readEuXml } from './eu-xml.ts';
import { readOfacCsv } from './ofac-csv.ts';
import { readOfacXml } from './ofac-xml.ts';
import { readFtmJson, readTargetsCsv } from './opensanctions.ts';
import { SourceFileError, type SourceReader } from './source-file.ts';
import { readTenantCsv } from './tenant-csv.ts';
import { readUkCsv } from './uk-csv.ts';
import { readUnXml } from './un-xml.ts';
import { readUsCslCsv } from './us-csl-csv.ts';

interface Format {
  readonly read: SourceReader;
  readonly title: string;
  /** Additional files of this format, by role. A list without a required file looks complete and finds fewer people. */
  readonly others?: Readonly<Record<string, 'required' | 'optional'>>;
}

/** Formats of published watch lists, by the name used on the command line. */
export const FORMATS = {
  'ofac-csv': {
    read: readOfacCsv,
    title: 'OFAC, sdn.csv or cons_prim.csv, with alt=, comments= and add=',
    others: { alt: 'required', comments: 'optional', add: 'optional' },
  },
  'ofac-xml': { read: readOfacXml, title: 'OFAC, SDN.XML or CONSOLIDATED.XML' },
  'un-xml': { read: readUnXml, title: 'United Nations Security Council, consolidated list' },
  'eu-xml': { read: readEuXml, title: 'European Union, financial sanctions, schema 1.1' },
  'uk-csv': { read: readUkCsv, title: 'United Kingdom, ConList' },
  'us-csl': { read: readUsCslCsv, title: 'United States, Consolidated Screening List' },
  'ftm-json': { read: readFtmJson, title: 'OpenSanctions, entities.ftm.json' },
  'targets-csv': { read: readTargetsCsv, title: 'OpenSanctions, targets.simple.csv' },
  'cgu-pep': { read: readCguPep, title: 'CGU, politically exposed persons of Brazil' },
  'cgu-penalties': { read: readCguPenalties, title: 'CGU, CEIS, CNEP or CEAF' },
  'cgu-cepim': { read: readCguCepim, title: 'CGU, CEPIM' },
  own: { read: readTenantCsv, title: "a list of one's own, as docs/guides/screening.md describes it" },
} as const satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof FORMATS;

/** Throws unless the roles are exactly those of the files that a list of the format consists of. */
export function assertComplete(format: FormatName, roles: readonly string[]): void {
  const { others = {} }: Format = FORMATS[format];
  for (const role of roles)
    if (role !== 'main' && !Object.hasOwn(others, role))
      throw new SourceFileError(`${role} must be left out: ${format} has no such file`, role, 'unexpected');
  for (const [role, need] of Object.entries(others))
    if (need === 'required' && !roles.includes(role))
      throw new SourceFileError(`${role} is missing: a list of ${format} is whole only with it`, role, 'missing');
}

/** Lists of countries in which so many people share each name that a name alone is no hit. */
export const NEEDS_CONFIRMATION: ReadonlySet<FormatName> = new Set(['cgu-pep']);
