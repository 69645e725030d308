/**
 * Scrolls to a part of the page by its id, and focuses its heading. Used by refusals, dialogs and the actions of an
 * application.
 */
export function goTo(place: string): void {
  const part = document.getElementById(place);
  const heading = part?.querySelector<HTMLElement>('h2') ?? part;
  heading?.setAttribute('tabindex', '-1');
  heading?.scrollIntoView({ block: 'center' });
  heading?.focus({ preventScroll: true });
}
