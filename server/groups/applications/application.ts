import type { components } from '../../contract/generated/types.ts';

type Schemas = components['schemas'];
/** Wire types of the contract under the names that this group uses. */
export type Application = Schemas['Application'];
export type ApplicationStatus = Schemas['ApplicationStatus'];
export type Applicant = Schemas['Applicant'];
export type Document = Schemas['Document'];
export type Requirement = Schemas['Requirement'];
export type DiligenceLevel = Schemas['DiligenceLevel'];
export type Metadata = Schemas['Metadata'];

/** An application as it is kept: what is computed for a reader (requirements, masking) is not in it. */
export interface ApplicationRecord extends Omit<Application, 'requirements' | 'documents' | 'personalDataMasked'> {
  /** What was noted at the last transition; for the tenant's own records. */
  readonly statusNote: string | null;
}

/** What a requirement needs to know of a document. */
export type Evidence = Pick<Document, 'type' | 'status' | 'expiresOn'>;
