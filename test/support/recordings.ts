import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { chosenOperations } from './quick.ts';

/** What the tested services of the last complete run answered, one file each; git-ignored. */
export const RECORDINGS = join(import.meta.dirname, '../../coverage/contract');

/** What one tested service answered. */
export interface Recording {
  /** The file of tests, below the root; null where no file of tests started the service. */
  readonly file: string | null;
  /** As the service itself counted it, whoever asked and however. */
  readonly answers: readonly { readonly operation: string; readonly status: number; readonly count: number }[];
  /** Of what `fetch` received in this process: `<METHOD> <path> <status> <media type>`. */
  readonly mediaTypes: readonly string[];
  /** Likewise of problems: `<METHOD> <path> <status> <code>`. */
  readonly codes: readonly string[];
}

/** What an earlier run answered proves nothing about this one, and neither does what another run answers meanwhile. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // A part of the tests leaves the recordings of the last whole run alone.
  if (chosenOperations() !== null) return async () => {};
  const recordings = `${RECORDINGS}-${process.pid}`;
  await rm(RECORDINGS, { recursive: true, force: true });
  await mkdir(recordings, { recursive: true });
  project.provide('recordings', recordings);
  return async () => {
    await rm(RECORDINGS, { recursive: true, force: true });
    await rename(recordings, RECORDINGS);
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tested services of this run leave what they answered; the shared behaviour of the SDKs and the samples record nothing. */
    recordings: string | undefined;
  }
}
