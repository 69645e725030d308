/**
 * Program of a child process that inspects files, one after another, until the service that started the process ends.
 */
import { Problem, type ProblemCode, type ProblemMembers } from '../../../contract/problem.ts';
import { inspect, type Inspection } from './inspect.ts';

/** Announcement of a file, whose bytes arrive through standard input. */
interface Announcement {
  readonly size: number;
  readonly declaredType: string;
}

export type Finding =
  | { readonly inspection: Inspection }
  | { readonly refusal: { readonly code: Exclude<ProblemCode, 'validation_failed'>; readonly members: ProblemMembers } }
  | { readonly defect: string };

let announced: Announcement | null = null;
let received: Buffer[] = [];
let missing = 0;

process.on('message', (announcement: Announcement) => {
  announced = announcement;
  missing += announcement.size;
  void inspectWhenComplete();
});
process.stdin.on('data', (chunk: Buffer) => {
  received.push(chunk);
  missing -= chunk.length;
  void inspectWhenComplete();
});
process.on('disconnect', () => process.exit());
// A terminal sends its signals to all processes of the group. The service finishes running requests first
// and then ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

async function inspectWhenComplete(): Promise<void> {
  // The announcement arrives by IPC and the bytes through standard input, so either can arrive first.
  if (announced === null || missing > 0) return;
  const { declaredType } = announced;
  const bytes = Buffer.concat(received);
  announced = null;
  received = [];
  process.send?.(await findingFor(bytes, declaredType));
}

async function findingFor(bytes: Buffer, declaredType: string): Promise<Finding> {
  try {
    return { inspection: await inspect(bytes, declaredType) };
  } catch (error) {
    return error instanceof Problem
      ? { refusal: { code: error.code, members: error.members } }
      : { defect: error instanceof Error ? String(error.stack) : String(error) };
  }
}
