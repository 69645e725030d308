/** Prints figures of a run for the summary of `make test`, and reads seed and soak. Used by the tests of both SDKs. */
import { appendFileSync } from 'node:fs';

/** Prints a figure of the run; `make test` repeats it in its summary. */
export function figure(text: string): void {
  console.log(text);
  const file = process.env['BEHAVIOUR_FIGURES'];
  if (file !== undefined) appendFileSync(file, `${text}\n`);
}

export const SOAK = process.env['SOAK'] === 'true';
export const SEED = Number(process.env['SEED'] ?? 20261121);
