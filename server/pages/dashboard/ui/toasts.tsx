/**
 * Short announcements that something was done. `announce` is used by all pages, `Toasts` shows them. A refusal must not
 * be shown here, because it would disappear.
 */
import * as Radix from 'radix-ui';
import { type ReactNode, useSyncExternalStore } from 'react';
import { inLanguages, useWords } from '../core/language.ts';

interface Toast {
  readonly id: number;
  readonly content: ReactNode;
}

const words = inLanguages({ en: { label: 'Notifications' }, pt: { label: 'Avisos' } });
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let last = 0;

/** Announces an event, on the screen for a while and to screen readers. */
export function announce(content: ReactNode): void {
  change([...toasts.slice(-2), { id: ++last, content }]);
}

function change(to: readonly Toast[]): void {
  toasts = to;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const t = useWords(words);
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <Radix.Toast.Provider duration={7000} label={t.label}>
      {shown.map(({ id, content }) => (
        <Radix.Toast.Root
          key={id}
          className="toast"
          onOpenChange={(open) => {
            if (!open) change(toasts.filter((toast) => toast.id !== id));
          }}
        >
          <Radix.Toast.Description asChild>
            <div>{content}</div>
          </Radix.Toast.Description>
        </Radix.Toast.Root>
      ))}
      <Radix.Toast.Viewport className="toasts" />
    </Radix.Toast.Provider>
  );
}
