/**
 * Recorded responses of the tested services, for the check of contract coverage. Used by coverage.ts, the check of the
 * coverage and the choice of tests.
 */
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { chosenOperations } from './quick.ts';

/** Folder of the responses of the tested services in the last complete run, one file per service; git-ignored. */
export const RECORDINGS = join(import.meta.dirname, '../../coverage/contract');

/** Responses of one tested service. */
export interface Recording {
  /** Test file, below the root; null if no test file started the service. */
  readonly file: string | null;
  /** Responses as counted by the service itself, including those not sent through `fetch`. */
  readonly answers: readonly { readonly operation: string; readonly status: number; readonly count: number }[];
  /** Responses that `fetch` received in this process: `<METHOD> <path> <status> <media type>`. */
  readonly mediaTypes: readonly string[];
  /** Problems that `fetch` received: `<METHOD> <path> <status> <code>`. */
  readonly codes: readonly string[];
}

/**
 * Separates the recordings of this run from those of an earlier or a parallel run, which prove nothing about this one.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // A partial run does not touch the recordings of the last whole run.
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
    /** Folder of this run's recordings; the behaviour tests of the SDKs and the samples record nothing. */
    recordings: string | undefined;
  }
}
