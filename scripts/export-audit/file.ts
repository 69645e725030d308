import { createReadStream, existsSync, truncateSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';

/** What an export file already holds. */
export interface Found {
  readonly tenantId: string | null;
  readonly lastSequence: number;
  /** The size of the newest checkpoint. */
  readonly checkpointed: number;
}

interface Line {
  readonly type: string;
  readonly tenantId?: string;
  readonly event?: { readonly sequence: number };
  readonly checkpoint?: { readonly treeSize: number };
}

/** Reads how far an earlier run came. A line that it did not finish is removed. */
export async function readExport(path: string): Promise<Found> {
  if (!existsSync(path)) {
    // A file of its own: the log says who did what.
    writeFileSync(path, '', { mode: 0o600 });
    return { tenantId: null, lastSequence: 0, checkpointed: 0 };
  }
  let tenantId: string | null = null;
  let lastSequence = 0;
  let checkpointed = 0;
  let complete = 0;
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let bytes = Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10)) {
      const line = JSON.parse(bytes.toString('utf8', 0, end)) as Line;
      if (line.type === 'header') tenantId = line.tenantId ?? null;
      lastSequence = line.event?.sequence ?? lastSequence;
      checkpointed = Math.max(checkpointed, line.checkpoint?.treeSize ?? 0);
      complete += end + 1;
      bytes = bytes.subarray(end + 1);
    }
    rest = bytes;
  }
  if (rest.length > 0) truncateSync(path, complete);
  return { tenantId, lastSequence, checkpointed };
}

export function append(path: string, lines: readonly object[]): Promise<void> {
  return appendFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
