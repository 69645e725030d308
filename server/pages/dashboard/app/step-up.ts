/** A code that somebody typed, and what became of it. */
export interface TypedCode {
  readonly value: string;
  readonly accepted: () => void;
  readonly refused: () => void;
}

type Asker = () => Promise<TypedCode | null>;

let asker: Asker = async () => null;

/** The dialog that asks for a code (step-up-dialog.tsx) names itself here, so that calls need not know components. */
export function answerWith(dialog: Asker): void {
  asker = dialog;
}

/** A fresh code of the authenticator; null when the dialog was closed. */
export function askForCode(): Promise<TypedCode | null> {
  return asker();
}
