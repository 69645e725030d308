import { useEffect, useEffectEvent } from 'react';

/**
 * Calls a function when a key is pressed together with Alt, as long as the component is shown. Shortcuts have a
 * modifier because single letters would act while people dictate or use a screen reader (WCAG 2.2, 2.1.4). Name them on
 * their button with `aria-keyshortcuts`. While a dialog is open they do nothing.
 */
export function useShortcuts(shortcuts: Readonly<Record<string, (() => void) | undefined>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    if (document.querySelector('[role="dialog"]') !== null) return;
    const act = shortcuts[event.code.replace(/^Key/, '')];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
