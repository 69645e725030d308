/**
 * Dialogs, also those that only ask for a confirmation. Used by all pages. Closing must lead the focus back, or users
 * of a keyboard are lost.
 */
import * as Radix from 'radix-ui';
import { X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { inLanguages, useWords } from '../core/language.ts';
import { Button } from './button.tsx';
import { goTo } from './go-to.ts';
import { Leave, Problems } from './problems.tsx';

const words = inLanguages({
  en: { close: 'Close', cancel: 'Cancel' },
  pt: { close: 'Fechar', cancel: 'Cancelar' },
});

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  /**
   * Whether Escape or a click outside closes the dialog. False if it shows something only once, so that only its own
   * button closes it.
   */
  readonly dismissable?: boolean;
  readonly wide?: boolean;
  /** Shows a drawer at the side or at the bottom instead of a window in the middle. */
  readonly side?: 'left' | 'right';
}

/**
 * A modal dialog, shown as long as it is rendered: `{open && <Dialog …>}`. The focus stays
 * inside and returns afterwards.
 */
export function Dialog({ title, children, onClose, dismissable = true, wide = false, side }: DialogProps) {
  const t = useWords(words);
  const [before] = useState(() => document.activeElement);
  const destination = useRef<string | null>(null);
  const giveBack = (event: Event) => {
    event.preventDefault();
    if (destination.current !== null) return goTo(destination.current);
    placeToReturn(before)?.focus({ preventScroll: true });
  };
  const leave = (place: string) => {
    destination.current = place;
    onClose();
  };
  const keep = (event: Event) => {
    if (!dismissable) event.preventDefault();
  };
  return (
    <Radix.Dialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Radix.Dialog.Portal>
        <Radix.Dialog.Overlay className="overlay" />
        <Radix.Dialog.Content
          className={['dialog', wide ? 'wide' : '', side === undefined ? '' : `drawer ${side}`].join(' ').trim()}
          aria-describedby={undefined}
          onEscapeKeyDown={keep}
          onPointerDownOutside={keep}
          onInteractOutside={keep}
          onCloseAutoFocus={giveBack}
        >
          <header className="dialog-header">
            <Radix.Dialog.Title asChild>
              <h2>{title}</h2>
            </Radix.Dialog.Title>
            {dismissable && (
              <Radix.Dialog.Close className="icon-button" aria-label={t.close}>
                <X aria-hidden size={20} />
              </Radix.Dialog.Close>
            )}
          </header>
          <Leave value={leave}>{children}</Leave>
        </Radix.Dialog.Content>
      </Radix.Dialog.Portal>
    </Radix.Dialog.Root>
  );
}

/**
 * Returns the element that gets the focus back: the button of a closed menu, or the heading of the page if the element
 * is gone.
 */
function placeToReturn(before: Element | null): HTMLElement | null {
  const menu = before?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const place = typeof menu === 'string' ? document.getElementById(menu) : before;
  return place instanceof HTMLElement && place.isConnected && place !== document.body
    ? place
    : document.querySelector<HTMLElement>('main h1');
}

interface ConfirmProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Label of the button, a verb: "Revoke", never "OK". */
  readonly action: string;
  readonly danger?: boolean;
  readonly run: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before an action that cannot be undone. A refusal is shown in the dialog. */
export function ConfirmDialog({ title, children, action, danger = false, run, onClose }: ConfirmProps) {
  const t = useWords(words);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await run();
      onClose();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">{children}</div>
      {error !== null && <Problems error={error} />}
      <div className="buttons">
        <Button onClick={onClose}>{t.cancel}</Button>
        <Button look={danger ? 'danger' : 'primary'} busy={busy} onClick={() => void confirm()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
