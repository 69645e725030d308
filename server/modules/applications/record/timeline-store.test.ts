/** Test that the timeline of an application shows whatever changes it. */
import '../../../start.ts';
import { expect, it } from 'vitest';
import { allOperations } from '../../../../test/support/contract.ts';
import { timelineActions } from './timeline-store.ts';

/** Events that the timeline does not show, and why. */
const HIDDEN: Readonly<Record<string, string>> = {
  'application.status_changed': 'the status is shown with the event that caused the change',
  'document.downloaded': 'a download changes nothing',
  'evidence_pack.exported': 'an export changes nothing',
  'subject.erased': 'an erased application has no timeline any more',
};

it('shows every event of the operations on an application, except those that change nothing in it', () => {
  const events = new Set(
    allOperations
      .filter(({ path }) => path.startsWith('/v1/applications/{applicationId}'))
      .flatMap(({ auditEvents }) => auditEvents),
  );
  expect(events.size).toBeGreaterThan(15);
  expect([...events].filter((event) => !timelineActions().includes(event)).sort()).toEqual(Object.keys(HIDDEN).sort());
});
