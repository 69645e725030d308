/**
 * Connects calls that need a code of the authenticator (send.ts) with the dialog that asks for it (step-up-dialog.tsx).
 * Until a dialog is registered, every request for a code counts as cancelled.
 */

/** A typed code, and callbacks for its result. */
export interface TypedCode {
  readonly value: string;
  readonly accepted: () => void;
  readonly refused: () => void;
}

type Asker = () => Promise<TypedCode | null>;

let asker: Asker = async () => null;

/** Registers the dialog that asks for a code (step-up-dialog.tsx), so that calls do not depend on components. */
export function answerWith(dialog: Asker): void {
  asker = dialog;
}

/** Returns a fresh code of the authenticator; null if the dialog was closed. */
export function requestCode(): Promise<TypedCode | null> {
  return asker();
}
