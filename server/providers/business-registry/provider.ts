/** What a registry of companies is asked, and what it answers. */
import type { components } from '../../contract/generated/types.ts';

type Schemas = components['schemas'];

export type RegistryPartner = Schemas['RegistryPartner'];

/** What a registry says of a company. */
export type RegistryFinding = Pick<
  Schemas['RegistryAnswer'],
  'situation' | 'legalName' | 'legalForm' | 'openedOn' | 'shareCapital' | 'state' | 'city' | 'partners'
> &
  // Answers before November 2026 have no activities.
  Partial<Pick<Schemas['RegistryAnswer'], 'mainActivity' | 'furtherActivities'>>;

/** A registry of companies: the sandbox, or a connection to a register. */
export interface BusinessRegistryProvider {
  readonly source: string;
  /** Throws `RegistryError` if there is no answer. An error is never an answer. */
  find(company: { readonly number: string; readonly legalName: string }): Promise<RegistryFinding>;
}

/** The registry did not answer, or not in the agreed form. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
}
