/**
 * The watch lists that the service knows, with what does not depend on a version. Used by this module and, through the
 * index, by screenings and commands. A list that is mandatory here blocks screenings without it; ids are part of the
 * contract.
 */
import { DAY_MILLISECONDS, type RealTime } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import type { FormatName } from '../../screening/sources/index.ts';
import type { ListCategory } from '../../screening/listed-entity.ts';

/** Properties of a watch list that do not depend on a version. */
export interface WatchList {
  readonly title: string;
  readonly publisher: string;
  /** ISO 3166-1 alpha-2; null if several states publish the list together. */
  readonly jurisdiction: string | null;
  /** Reason of a listing, unless the list gives one for each entity. */
  readonly category: ListCategory;
  /** Formats in which the list is published. */
  readonly formats: readonly FormatName[];
  /** Whether every screening must include the list. */
  readonly isMandatory: boolean;
  /** Hours after the last check of the publisher until the list is out of date; null for a list that never is. */
  readonly staleAfterHours: number | null;
  /**
   * Usual maximum of days between two publications; null for a list that is published whenever its tenant wants. See
   * `PUBLICATION` for the sources.
   */
  readonly usualDays: number | null;
  /** Set for a list of a country in which many people share each name. */
  readonly needsConfirmation?: boolean;
  /** Minimum of entries. A file with fewer is only a part of the list. */
  readonly fewestEntries: number;
}

/**
 * How often lists are published. Publishers of sanctions promise no timetable, so these are cautious: a longer pause
 * does not mean that a file is wrong, but that a person should check.
 *
 * - OFAC, FAQ 65: its lists may be updated as often as a few times a week or as rarely as once in a month.
 * - United Nations, European Union, United Kingdom: whenever a committee, a regulation or a minister decides; over a
 * year hardly any two publications of one of them are two months apart.
 * - Consolidated Screening List (trade.gov): rebuilt every day from lists of three departments.
 * - OpenSanctions (opensanctions.org/docs): rebuilt several times a day.
 * - Portal da Transparência of the CGU: the registers of penalties every working day, the politically exposed persons
 * every month.
 */
const PUBLICATION = {
  ofac: 31,
  diplomatic: 60,
  daily: 7,
  monthly: 62,
} as const;

const CGU = {
  publisher: 'Controladoria-Geral da União',
  jurisdiction: 'BR',
  isMandatory: false,
  staleAfterHours: 24 * 35,
} as const;

/**
 * Watch lists with an importer, by the identifiers of requests and settings. These are the lists that a tenant may
 * screen against; store.ts knows which of them have an imported version.
 */
export const WATCH_LISTS = {
  'un-csnu': {
    title: 'United Nations Security Council Consolidated List',
    publisher: 'United Nations Security Council',
    jurisdiction: null,
    category: 'sanction',
    formats: ['un-xml'],
    isMandatory: true,
    staleAfterHours: 24,
    usualDays: PUBLICATION.diplomatic,
    fewestEntries: 300,
  },
  'ofac-sdn': {
    title: 'Specially Designated Nationals and Blocked Persons List',
    publisher: 'Office of Foreign Assets Control',
    jurisdiction: 'US',
    category: 'sanction',
    formats: ['ofac-xml', 'ofac-csv'],
    isMandatory: false,
    staleAfterHours: 24,
    usualDays: PUBLICATION.ofac,
    fewestEntries: 3000,
  },
  'ofac-consolidated': {
    title: 'Consolidated Sanctions List (not SDN)',
    publisher: 'Office of Foreign Assets Control',
    jurisdiction: 'US',
    category: 'sanction',
    formats: ['ofac-xml', 'ofac-csv'],
    isMandatory: false,
    staleAfterHours: 24,
    usualDays: PUBLICATION.diplomatic,
    fewestEntries: 100,
  },
  'us-csl': {
    title: 'Consolidated Screening List',
    publisher: 'International Trade Administration',
    jurisdiction: 'US',
    category: 'watchlist',
    formats: ['us-csl'],
    isMandatory: false,
    staleAfterHours: 24,
    usualDays: PUBLICATION.daily,
    fewestEntries: 3000,
  },
  'eu-fsf': {
    title: 'Consolidated list of persons, groups and entities subject to EU financial sanctions',
    publisher: 'European Commission',
    jurisdiction: null,
    category: 'sanction',
    formats: ['eu-xml'],
    isMandatory: false,
    staleAfterHours: 24,
    usualDays: PUBLICATION.diplomatic,
    fewestEntries: 500,
  },
  'uk-ofsi': {
    title: 'UK Sanctions List',
    publisher: 'Office of Financial Sanctions Implementation',
    jurisdiction: 'GB',
    category: 'sanction',
    formats: ['uk-csv'],
    isMandatory: false,
    staleAfterHours: 24,
    usualDays: PUBLICATION.diplomatic,
    fewestEntries: 500,
  },
  'cgu-pep': {
    ...CGU,
    title: 'Pessoas Expostas Politicamente',
    category: 'pep',
    formats: ['cgu-pep'],
    needsConfirmation: true,
    usualDays: PUBLICATION.monthly,
    fewestEntries: 10_000,
  },
  'cgu-ceis': {
    ...CGU,
    title: 'Cadastro de Empresas Inidôneas e Suspensas',
    category: 'disqualified',
    formats: ['cgu-penalties'],
    usualDays: PUBLICATION.daily,
    fewestEntries: 1000,
  },
  'cgu-cnep': {
    ...CGU,
    title: 'Cadastro Nacional de Empresas Punidas',
    category: 'disqualified',
    formats: ['cgu-penalties'],
    usualDays: PUBLICATION.daily,
    fewestEntries: 50,
  },
  'cgu-ceaf': {
    ...CGU,
    title: 'Cadastro de Expulsões da Administração Federal',
    category: 'disqualified',
    formats: ['cgu-penalties'],
    usualDays: PUBLICATION.daily,
    fewestEntries: 500,
  },
  'cgu-cepim': {
    ...CGU,
    title: 'Cadastro de Entidades Privadas sem Fins Lucrativos Impedidas',
    category: 'disqualified',
    formats: ['cgu-cepim'],
    usualDays: PUBLICATION.daily,
    fewestEntries: 100,
  },
  'opensanctions': {
    title: 'OpenSanctions',
    publisher: 'OpenSanctions',
    jurisdiction: null,
    category: 'watchlist',
    formats: ['ftm-json', 'targets-csv'],
    isMandatory: false,
    staleAfterHours: 48,
    usualDays: PUBLICATION.daily,
    fewestEntries: 1000,
  },
} as const satisfies Readonly<Record<string, WatchList>>;

export type WatchListId = keyof typeof WATCH_LISTS;

/** A tenant's own list (module own-lists). It does not belong to the platform and has no version here. */
export const OWN_LIST = 'own' as const;

/** Every list that can be screened against. */
export type ScreenedListId = WatchListId | typeof OWN_LIST;

const OWN = {
  title: 'Own list',
  publisher: 'The tenant',
  jurisdiction: null,
  category: 'watchlist',
  formats: ['own'],
  isMandatory: false,
  staleAfterHours: null,
  usualDays: null,
  fewestEntries: 1,
} as const satisfies WatchList;

export const isWatchList = (id: string): id is WatchListId => Object.hasOwn(WATCH_LISTS, id);

export const isScreened = (id: string): id is ScreenedListId => id === OWN_LIST || isWatchList(id);

export const watchListOf = (id: ScreenedListId): WatchList => (id === OWN_LIST ? OWN : WATCH_LISTS[id]);

interface Published {
  readonly environment: Environment;
  readonly listId: ScreenedListId;
  readonly publishedOn: string | null;
}

/**
 * Returns whether the active version was published longer ago than is usual for the list. The publisher may have had no
 * reason for a new one, so this is only a warning and does not make the list out of date. The lists of the sandbox are
 * invented.
 */
export function isPublicationOld({ environment, listId, publishedOn }: Published, now: RealTime): boolean {
  const { usualDays } = watchListOf(listId);
  return (
    environment === 'live' &&
    usualDays !== null &&
    publishedOn !== null &&
    now.getTime() - Date.parse(publishedOn) > (usualDays + 1) * DAY_MILLISECONDS
  );
}
