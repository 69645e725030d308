/** Presents entries of the timeline of an application. Used by the handler of the timeline. */
import type { AuditRow } from '../../../audit/store.ts';
import type { components } from '../../../contract/generated/types.ts';
import { idOfType, textAt, timelineEntry } from '../../decisions/index.ts';

/** Presents an event, with the consent that it is about. */
export function entryOf(event: AuditRow): components['schemas']['ApplicationEvent'] {
  return {
    ...timelineEntry(event),
    consentId: idOfType(event, 'consent'),
    consentPurpose: event.resourceType === 'consent' ? textAt(event, 'purpose') : null,
  };
}
