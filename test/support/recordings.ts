import { join } from 'node:path';

/** What the tested services of the last complete run answered, one file each; git-ignored. */
export const RECORDINGS = join(import.meta.dirname, '../../coverage/contract');

/** What one tested service answered. */
export interface Recording {
  /** As the service itself counted it, whoever asked and however. */
  readonly answers: readonly { readonly operation: string; readonly status: number; readonly count: number }[];
  /** Of what `fetch` received in this process: `<METHOD> <path> <status> <media type>`. */
  readonly mediaTypes: readonly string[];
  /** Likewise of problems: `<METHOD> <path> <status> <code>`. */
  readonly codes: readonly string[];
}
