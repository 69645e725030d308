/**
 * Warnings about an application or a company for the person who decides. Used by decisions.tsx and the dialogs of this
 * folder.
 */
import { Notice } from '../../../ui/notice.tsx';
import type { Subject } from '../subject.ts';
import { nameOf } from '../words.ts';
import { useDecisionNames } from './decision-words.ts';

/** Shows findings, and checks that were not done, to the reviewer. */
export function Signals({ signals = [] }: Pick<Subject, 'signals'>) {
  const names = useDecisionNames();
  return (
    <>
      {signals.map((signal) => (
        <Notice key={signal} tone="warning">
          {nameOf(names.signals, signal)}
        </Notice>
      ))}
    </>
  );
}
