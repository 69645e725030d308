import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'good' | 'info' | 'warning' | 'danger';

/** A status in a word. The words say it; the colour only helps. */
export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
