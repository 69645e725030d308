import type { Environment } from '../../../contract/principal.ts';
import type { Directory } from '../../../providers/directory/index.ts';
import type { Provenance } from './observation.ts';

/** A participant of the directory that is polled, with whoever reaches the directory through it. */
export interface Participant {
  readonly env: Environment;
  readonly ispb: string;
  readonly tenantId: string;
  readonly directory: Directory;
  readonly source: Provenance['source'];
  /** Whose tenant each participant belongs to: itself, and those that reach the directory through it. */
  readonly members: ReadonlyMap<string, string>;
  readonly includeIndirect: boolean;
}

export function nameOf({ env, ispb, tenantId }: Participant): string {
  return `${env} ${ispb} ${tenantId}`;
}

/** The same participant as it acts for one of its members. */
export function actingFor(participant: Participant, tenantId: string): Participant {
  return { ...participant, tenantId };
}
