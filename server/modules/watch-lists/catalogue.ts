import { DAY_MILLISECONDS } from '../../base/time.ts';
import type { Environment } from '../../contract/operation.ts';
import type { FormatName } from '../../screening/sources/index.ts';
import type { ListCategory } from '../../screening/listed-entity.ts';

/** What is known of a watch list before any version of it was imported. */
export interface WatchList {
  readonly title: string;
  readonly publisher: string;
  /** ISO 3166-1 alpha-2; null for what several states publish together. */
  readonly jurisdiction: string | null;
  /** Why an entity is on it, unless the list says of each. */
  readonly category: ListCategory;
  /** The formats that it is published in. */
  readonly formats: readonly FormatName[];
  /** The list must not be left out of a screening. */
  readonly isMandatory: boolean;
  /** After so many hours without a look at its publisher it is out of date; null for a list that never is. */
  readonly staleAfterHours: number | null;
  /** So many days pass at most between two publications of it, as a rule; null for a list that is published when its tenant wants. `PUBLICATION` says by which source. */
  readonly usualDays: number | null;
  /** A list of a country in which many people share each name. */
  readonly needsConfirmation?: boolean;
  /** A file of fewer entries is part of a list. */
  readonly fewestEntries: number;
}

/**
 * How often lists are published. Publishers of sanctions promise no timetable, so these are cautious: a longer pause does not say that a file is wrong, but that somebody should look.
 *
 * - OFAC, FAQ 65: its lists may be updated as often as a few times a week or as rarely as once in a month.
 * - United Nations, European Union, United Kingdom: whenever a committee, a regulation or a minister decides; over a year hardly any two publications of one of them are two months apart.
 * - Consolidated Screening List (trade.gov): made anew every day from lists of three departments.
 * - OpenSanctions (opensanctions.org/docs): made anew several times a day.
 * - Portal da Transparência of the CGU: the registers of penalties every working day, the politically exposed persons every month.
 */
const PUBLICATION = { ofac: 31, diplomatic: 60, daily: 7, monthly: 62 } as const;

const CGU = { publisher: 'Controladoria-Geral da União', jurisdiction: 'BR', isMandatory: false, staleAfterHours: 24 * 35 } as const;

/**
 * The watch lists that there are importers for, by the identifiers that requests and settings call them. What a tenant may screen against is in here;
 * whether a version of it was imported is another question (store.ts).
 */
export const WATCH_LISTS = {
  'un-csnu': {
    title: 'United Nations Security Council Consolidated List', publisher: 'United Nations Security Council', jurisdiction: null, category: 'sanction',
    formats: ['un-xml'], isMandatory: true, staleAfterHours: 24, usualDays: PUBLICATION.diplomatic, fewestEntries: 300,
  },
  'ofac-sdn': {
    title: 'Specially Designated Nationals and Blocked Persons List', publisher: 'Office of Foreign Assets Control', jurisdiction: 'US', category: 'sanction',
    formats: ['ofac-xml', 'ofac-csv'], isMandatory: false, staleAfterHours: 24, usualDays: PUBLICATION.ofac, fewestEntries: 3000,
  },
  'ofac-consolidated': {
    title: 'Consolidated Sanctions List (not SDN)', publisher: 'Office of Foreign Assets Control', jurisdiction: 'US', category: 'sanction',
    formats: ['ofac-xml', 'ofac-csv'], isMandatory: false, staleAfterHours: 24, usualDays: PUBLICATION.diplomatic, fewestEntries: 100,
  },
  'us-csl': {
    title: 'Consolidated Screening List', publisher: 'International Trade Administration', jurisdiction: 'US', category: 'watchlist',
    formats: ['us-csl'], isMandatory: false, staleAfterHours: 24, usualDays: PUBLICATION.daily, fewestEntries: 3000,
  },
  'eu-fsf': {
    title: 'Consolidated list of persons, groups and entities subject to EU financial sanctions', publisher: 'European Commission', jurisdiction: null, category: 'sanction',
    formats: ['eu-xml'], isMandatory: false, staleAfterHours: 24, usualDays: PUBLICATION.diplomatic, fewestEntries: 500,
  },
  'uk-ofsi': {
    title: 'UK Sanctions List', publisher: 'Office of Financial Sanctions Implementation', jurisdiction: 'GB', category: 'sanction',
    formats: ['uk-csv'], isMandatory: false, staleAfterHours: 24, usualDays: PUBLICATION.diplomatic, fewestEntries: 500,
  },
  'cgu-pep': { ...CGU, title: 'Pessoas Expostas Politicamente', category: 'pep', formats: ['cgu-pep'], needsConfirmation: true, usualDays: PUBLICATION.monthly, fewestEntries: 10_000 },
  'cgu-ceis': { ...CGU, title: 'Cadastro de Empresas Inidôneas e Suspensas', category: 'disqualified', formats: ['cgu-penalties'], usualDays: PUBLICATION.daily, fewestEntries: 1000 },
  'cgu-cnep': { ...CGU, title: 'Cadastro Nacional de Empresas Punidas', category: 'disqualified', formats: ['cgu-penalties'], usualDays: PUBLICATION.daily, fewestEntries: 50 },
  'cgu-ceaf': { ...CGU, title: 'Cadastro de Expulsões da Administração Federal', category: 'disqualified', formats: ['cgu-penalties'], usualDays: PUBLICATION.daily, fewestEntries: 500 },
  'cgu-cepim': { ...CGU, title: 'Cadastro de Entidades Privadas sem Fins Lucrativos Impedidas', category: 'disqualified', formats: ['cgu-cepim'], usualDays: PUBLICATION.daily, fewestEntries: 100 },
  'opensanctions': {
    title: 'OpenSanctions', publisher: 'OpenSanctions', jurisdiction: null, category: 'watchlist',
    formats: ['ftm-json', 'targets-csv'], isMandatory: false, staleAfterHours: 48, usualDays: PUBLICATION.daily, fewestEntries: 1000,
  },
} as const satisfies Readonly<Record<string, WatchList>>;

export type WatchListId = keyof typeof WATCH_LISTS;

/** The list that a tenant may have of its own (module own-lists). It is none of the platform's, and has no version here. */
export const OWN_LIST = 'own' as const;

/** Whatever somebody can be found on. */
export type ScreenedListId = WatchListId | typeof OWN_LIST;

const OWN = {
  title: 'Own list', publisher: 'The tenant', jurisdiction: null, category: 'watchlist', formats: ['own'], isMandatory: false, staleAfterHours: null, usualDays: null, fewestEntries: 1,
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
 * The active version was published longer ago than is usual for the list. Its publisher may have had no reason for another one, so it is a warning and makes nothing out of date. The lists of the
 * sandbox are invented.
 */
export function isPublicationOld({ environment, listId, publishedOn }: Published, now: Date): boolean {
  const { usualDays } = watchListOf(listId);
  return environment === 'live' && usualDays !== null && publishedOn !== null && now.getTime() - Date.parse(publishedOn) > (usualDays + 1) * DAY_MILLISECONDS;
}
