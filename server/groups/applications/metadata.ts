import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/principal.ts';
import { Problem, type FieldError } from '../../http/problem.ts';
import type { Metadata } from './application.ts';
import { mergePatch } from './merge-patch.ts';

const RESERVED = 'sandbox';
/** The mark of the sandbox counts, because the answer must keep to the same limit. */
const MAX_KEYS = 20;

export function reservedKeys(given: object): FieldError[] {
  return Object.hasOwn(given, RESERVED) ? [{ pointer: `/metadata/${RESERVED}`, code: 'reserved', message: 'is set by the service' }] : [];
}

/** The metadata as it is kept: in the sandbox with the mark that only the service may set. */
export function recordMetadata(given: components['schemas']['MetadataUpdate'], environment: Environment, kept: Metadata = {}): Metadata {
  const reserved = reservedKeys(given);
  if (reserved.length > 0) throw new Problem('reserved_metadata_key', { errors: reserved });
  const merged = mergePatch(kept, given) as Metadata;
  const metadata = environment === 'sandbox' ? { ...merged, [RESERVED]: true } : merged;
  if (Object.keys(metadata).length > MAX_KEYS) {
    throw new Problem('validation_failed', {
      errors: [{ pointer: '/metadata', code: 'too_many_members', message: 'must have at most 20 members, of which the sandbox takes one' }],
    });
  }
  return metadata;
}
