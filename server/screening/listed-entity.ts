/**
 * Somebody or something on a watch list, as every importer writes it and the engine reads it, whatever the source calls its columns.
 * What a source says but nobody compares (remarks, addresses) is kept in `remarks`, so that a person who judges a hit can read it.
 */
export interface ListedEntity {
  /** What the source calls it: stable from version to version, unique within the list. */
  readonly key: string;
  readonly type: EntityType;
  /** Why it is on the list, when the list itself does not say. */
  readonly category: ListCategory | null;
  /** The first one is the name that is shown. */
  readonly names: readonly ListedName[];
  /** Several, when the source is not sure: the most favourable one counts. */
  readonly birthDates: readonly ListedDate[];
  readonly gender: 'female' | 'male' | null;
  /** Nationality, citizenship, or where an organisation is: ISO 3166-1 alpha-2, in upper case. */
  readonly countries: readonly string[];
  readonly identifiers: readonly ListedIdentifier[];
  /** Sanctions programmes, or what a debarment rests on. */
  readonly programmes: readonly string[];
  /** The public function of a politically exposed person, with the dates of ISO 8601 between which it was held. */
  readonly position: { readonly title: string; readonly from: string | null; readonly to: string | null } | null;
  /** What other lists or earlier versions call the same entity, such as the reference of the United Nations. */
  readonly references: readonly string[];
  readonly sourceUrl: string | null;
  readonly remarks: string | null;
}

export type EntityType = 'person' | 'organisation' | 'vessel' | 'aircraft';

export type ListCategory = 'sanction' | 'pep' | 'rca' | 'adverse' | 'watchlist' | 'disqualified';

export interface ListedName {
  /** As the source writes it, in the order given name first where the source tells the parts apart. */
  readonly name: string;
  readonly kind: 'primary' | 'alias' | 'former' | 'original_script';
  /** What the source marks as weak (OFAC), low (UN) or not strong (EU) matches literally and with supporting data only. */
  readonly quality: 'strong' | 'weak';
}

/** A day, a month or a year of ISO 8601 (`1961-04-02`, `1961-04`, `1961`), or the first and the last year in which it lies, both included. */
export type ListedDate = string | { readonly from: number; readonly to: number };

export interface ListedIdentifier {
  readonly kind: IdentifierKind;
  /** ISO 3166-1 alpha-2; null when the source does not say. */
  readonly country: string | null;
  /** Upper case letters and digits alone; a masked CPF keeps an asterisk for each digit that is hidden: `***982247**`. */
  readonly value: string;
}

export type IdentifierKind = 'cpf' | 'cpf_masked' | 'cnpj' | 'tax_number' | 'passport' | 'national_id' | 'registration_number' | 'lei' | 'imo' | 'wallet' | 'other';
