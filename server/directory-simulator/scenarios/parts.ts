import type { Hop, Label, Pace, PlannedAction } from '../core/command.ts';
import { paced } from './pace.ts';

type Result<K extends 'analysis' | 'refund'> = Hop[K]['result'];

/** How the receivers of a scenario behave where it does not say otherwise: they agree and pay, the nearer ones sooner. */
export interface Behaviour {
  readonly analysis?: Result<'analysis'>;
  /** Milliseconds at every pace, where a limit is to be missed. */
  readonly analysedAfter?: number;
  readonly refund?: Result<'refund'>;
  readonly refundedAfter?: number;
  /** Of the root amount, in thousandths. */
  readonly share?: number;
}

const hoursToAnalyse: Readonly<Record<Label, number>> = { A: 6, B: 20, C: 30 };
const shares: Readonly<Record<Label, number>> = { A: 1000, B: 650, C: 300 };

export function hop(pace: Pace, label: Label, behaviour: Behaviour = {}): Hop {
  const { analysis = 'AGREE', analysedAfter = paced(pace, hoursToAnalyse[label]), refund = 'PAY_ALL', refundedAfter = paced(pace, 3) } = behaviour;
  return {
    label,
    from: label === 'A' ? null : label === 'B' ? 'A' : 'B',
    share: behaviour.share ?? shares[label],
    analysis: { result: analysis, after: analysedAfter },
    refund: { result: refund, after: refundedAfter, part: 400 },
  };
}

/** The money went on from A to B and from there to C. A still holds some of it. */
export function chain(pace: Pace, behaviours: Partial<Record<Label, Behaviour>> = {}): readonly Hop[] {
  return [hop(pace, 'A', { refund: 'PAY_PART', ...behaviours.A }), hop(pace, 'B', behaviours.B), hop(pace, 'C', behaviours.C)];
}

export function delays(pace: Pace): { readonly track: number; readonly open: number; readonly settle: number } {
  return { track: paced(pace, 1 / 20), open: paced(pace, 1 / 20), settle: paced(pace, 1 / 60) };
}

/** The creator asks for the money in the afternoon. */
export function refundSoon(pace: Pace): PlannedAction {
  return { action: 'START_REFUND', when: 'ANALYSED', after: paced(pace, 4) };
}
