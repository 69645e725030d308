/**
 * The members of an application that are stored as a client writes them. Used by its creation and by its patches, so
 * that a member which is listed here is written by both.
 */
import type { components } from '../../../contract/generated/types.ts';
import type { ApplicationRecord } from './application.ts';

type Members = 'externalId' | 'purpose' | 'level' | 'channel' | 'productCodes';
type WrittenMembers = Pick<ApplicationRecord, Members>;

/** Values of a new application for what its creation leaves out. */
const DEFAULTS: Omit<WrittenMembers, 'purpose'> = {
  externalId: null,
  level: 'standard',
  channel: 'api',
  productCodes: [],
};

/** Returns what a new application starts from: the defaults, and what it takes from the application that it renews. */
export function initialMembers(
  purpose: ApplicationRecord['purpose'],
  renewed: ApplicationRecord | null,
): WrittenMembers {
  const { level, productCodes } = renewed ?? DEFAULTS;
  return {
    ...DEFAULTS,
    purpose,
    level,
    productCodes,
  };
}

/** Returns the members as they are after a request, which leaves out what stays as it was. */
export function writtenMembers(
  written: Pick<components['schemas']['ApplicationUpdate'], Members>,
  before: WrittenMembers,
): WrittenMembers {
  return {
    externalId: written.externalId === undefined ? before.externalId : written.externalId,
    purpose: written.purpose ?? before.purpose,
    level: written.level ?? before.level,
    channel: written.channel ?? before.channel,
    productCodes: written.productCodes ?? before.productCodes,
  };
}
