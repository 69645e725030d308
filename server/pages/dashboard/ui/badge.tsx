/** A status in a word. Used wherever a record shows its status. */
import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'good' | 'info' | 'warning' | 'danger';

/** A status in a word. The text carries the meaning; the colour only supports it. */
export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
