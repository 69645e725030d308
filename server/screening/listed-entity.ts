/**
 * The form of every entry of a watch list. Written by the readers of sources and read by the engine. It is stored, so a
 * changed meaning of a member needs a new import of all lists.
 */

/**
 * A person, organisation or object on a watch list, in the form that every importer writes and the engine reads,
 * whatever the columns of the source. What a source says but no rule compares (remarks, addresses) is kept in `remarks`
 * for the reviewer of a hit.
 */
export interface ListedEntity {
  /** Key of the source: stable across versions, unique within the list. */
  readonly key: string;
  readonly type: EntityType;
  /** Category of the entry, if the list as a whole has none. */
  readonly category: ListCategory | null;
  /** The first name is the one that is shown. */
  readonly names: readonly ListedName[];
  /** Several if the source is uncertain: the most favourable one counts. */
  readonly birthDates: readonly ListedDate[];
  readonly gender: 'female' | 'male' | null;
  /** Nationality, citizenship or location of an organisation: ISO 3166-1 alpha-2, in upper case. */
  readonly countries: readonly string[];
  readonly identifiers: readonly ListedIdentifier[];
  /**
   * Numbers that readers of published lists left out until algorithm `m6`. They are compared like the others, but
   * decisions of before rest on `identifiers`, which must therefore stay as they were (decision 154).
   */
  readonly furtherIdentifiers?: readonly ListedIdentifier[];
  /** Sanctions programmes, or the basis of a debarment. */
  readonly programmes: readonly string[];
  /** Public function of a politically exposed person, with the dates (ISO 8601) of its beginning and end. */
  readonly position: { readonly title: string; readonly from: string | null; readonly to: string | null } | null;
  /**
   * Identifiers of the same entity on other lists or in earlier versions, such as the reference of the United Nations.
   */
  readonly references: readonly string[];
  readonly sourceUrl: string | null;
  readonly remarks: string | null;
}

export type EntityType = 'person' | 'organisation' | 'vessel' | 'aircraft';

export type ListCategory = 'sanction' | 'pep' | 'rca' | 'adverse' | 'watchlist' | 'disqualified';

export interface ListedName {
  /** Written as in the source, given name first if the source separates the parts. */
  readonly name: string;
  readonly kind: 'primary' | 'alias' | 'former' | 'original_script';
  /**
   * Names that the source marks as weak (OFAC), low (UN) or not strong (EU) match only literally and with supporting
   * data.
   */
  readonly quality: 'strong' | 'weak';
}

/**
 * A day, a month or a year (ISO 8601: `1961-04-02`, `1961-04`, `1961`), or the first and the last possible year, both
 * included.
 */
export type ListedDate = string | { readonly from: number; readonly to: number };

export interface ListedIdentifier {
  readonly kind: IdentifierKind;
  /** ISO 3166-1 alpha-2; null if the source does not say. */
  readonly country: string | null;
  /** Upper case letters and digits only. A masked CPF has an asterisk for each hidden digit: `***982247**`. */
  readonly value: string;
}

export type IdentifierKind =
  | 'cpf'
  | 'cpf_masked'
  | 'cnpj'
  | 'tax_number'
  | 'passport'
  | 'national_id'
  | 'registration_number'
  | 'lei'
  | 'bic'
  | 'imo'
  | 'mmsi'
  | 'aircraft_registration'
  | 'wallet'
  | 'other';
