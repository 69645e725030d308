import type { Document, DocumentValue } from '../../../providers/directory/index.ts';
import type { Deadline, Fact } from './fact.ts';
import type { Observation } from './observation.ts';
import type { Role } from './record.ts';
import { isoTime } from './time.ts';

const apiVersion = '2.12.1';

interface About {
  readonly role: Role;
  /** The place of the event among those of its record. */
  readonly revision: number;
}

/** The directory's documents that led to an event, every leaf as it was received, and how we came to know of it. */
export function rawPayload({ origin, documents }: Fact, { page, read }: Observation, record: About, deadline: Deadline | null): { readonly [member: string]: DocumentValue | object } {
  const provenance = origin === 'NATIVE' ? page ?? read : read;
  return {
    ...present(documents),
    ...(deadline !== null && { Deadline: { Stage: deadline.stage, DueAt: isoTime(deadline.due), EntityId: deadline.entityId } }),
    '@meta': { ...provenance, origin, apiVersion, record },
  };
}

function present(documents: Document): { readonly [member: string]: DocumentValue } {
  return Object.fromEntries(Object.entries(documents).filter((entry): entry is [string, DocumentValue] => entry[1] !== undefined));
}
