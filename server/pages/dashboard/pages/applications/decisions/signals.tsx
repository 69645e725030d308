import { Notice } from '../../../ui/notice.tsx';
import { type Application, nameOf } from '../words.ts';
import { useDecisionNames } from './decision-words.ts';

/** What was noticed about the application, and what was not done, for whoever decides. */
export function Signals({ signals = [] }: Pick<Application, 'signals'>) {
  const names = useDecisionNames();
  return <>{signals.map((signal) => <Notice key={signal} tone="warning">{nameOf(names.signals, signal)}</Notice>)}</>;
}
