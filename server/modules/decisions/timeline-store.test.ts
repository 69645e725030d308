/** Tests that the timelines of applications and businesses show whatever changes them. */
import '../../start.ts';
import { expect, it } from 'vitest';
import { allOperations } from '../../../test/support/contract.ts';
import { timelineActions } from './timeline-store.ts';

/** Events that a timeline does not show, and why. */
const HIDDEN: Readonly<Record<string, string>> = {
  'application.status_changed': 'the status is shown with the event that caused the change',
  'business.status_changed': 'the status is shown with the event that caused the change',
  'document.downloaded': 'a download changes nothing',
  'evidence_pack.exported': 'an export changes nothing',
  'subject.erased': 'an erased subject has no timeline any more',
};

it.each(['/v1/applications/{applicationId}', '/v1/businesses/{businessId}'])(
  'shows every event of the operations on %s, except those that change nothing in it',
  (path) => {
    const events = new Set(
      allOperations.filter((operation) => operation.path.startsWith(path)).flatMap(({ auditEvents }) => auditEvents),
    );
    expect(events.size).toBeGreaterThan(15);
    expect([...events].filter((event) => !timelineActions().includes(event) && !(event in HIDDEN))).toEqual([]);
  },
);

it('hides only events that there are', () => {
  const events = new Set(allOperations.flatMap(({ auditEvents }) => auditEvents));
  expect(Object.keys(HIDDEN).filter((event) => !events.has(event) || timelineActions().includes(event))).toEqual([]);
});
