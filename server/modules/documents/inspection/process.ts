import { Problem, type ProblemCode, type ProblemMembers } from '../../../contract/problem.ts';
import { inspect, type Inspection } from './inspect.ts';

/** Announces a file, whose bytes come through standard input. */
interface Announcement {
  readonly size: number;
  readonly declaredType: string;
}

export type Finding =
  | { readonly inspection: Inspection }
  | { readonly refusal: { readonly code: Exclude<ProblemCode, 'validation_failed'>; readonly members: ProblemMembers } }
  | { readonly defect: string };

/** The whole program of a process that inspects: one file after the other, until the service that started it goes away. */
let announced: Announcement | null = null;
let received: Buffer[] = [];
let missing = 0;

process.on('message', (announcement: Announcement) => {
  announced = announcement;
  missing += announcement.size;
  void judge();
});
process.stdin.on('data', (chunk: Buffer) => {
  received.push(chunk);
  missing -= chunk.length;
  void judge();
});
process.on('disconnect', () => process.exit());
// A terminal tells all its processes; the service finishes what runs and then ends this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

async function judge(): Promise<void> {
  // The announcement and the bytes come on two ways, in either order.
  if (announced === null || missing > 0) return;
  const { declaredType } = announced;
  const bytes = Buffer.concat(received);
  announced = null;
  received = [];
  process.send?.(await find(bytes, declaredType));
}

async function find(bytes: Buffer, declaredType: string): Promise<Finding> {
  try {
    return { inspection: await inspect(bytes, declaredType) };
  } catch (error) {
    return error instanceof Problem ? { refusal: { code: error.code, members: error.members } } : { defect: error instanceof Error ? String(error.stack) : String(error) };
  }
}
