import { DirectoryError, type NotificationPage } from '../../../providers/directory/index.ts';
import type { Ingesting } from './context.ts';
import type { Participant } from './participant.ts';
import { noteRefusal, type Refusal } from './store/inbox.ts';
import { openStream, type Stream } from './store/streams.ts';
import { takePage } from './take-page.ts';

const day = 24 * 60 * 60_000;
/** How far back the directory lists notifications. */
const window = 7 * day;

/** Reads on to the end of a participant's notifications; how far it came, or null when somebody else has read on. */
export async function poll(ingesting: Ingesting, participant: Participant): Promise<Stream | null> {
  let stream: Stream | null = await openAt(ingesting, participant);
  for (;;) {
    const at = await ingesting.timeOf(participant);
    const { page, from } = await readPage(ingesting, participant, stream, at);
    stream = await takePage(ingesting, participant, { ...stream, ...from }, page, at);
    if (stream === null || !page.hasMore || page.nextCursor === null || ingesting.signal.aborted) return stream;
  }
}

/** After a silence longer than the directory's memory the old cursor leads nowhere, and what was announced is lost. */
async function openAt({ database, alarm, timeOf }: Ingesting, participant: Participant): Promise<Stream> {
  const stream = await database.transaction({ tenantId: participant.tenantId }, (tx) => openStream(tx, participant));
  const at = await timeOf(participant);
  if (stream.last_ok_at === null || at.getTime() - Date.parse(stream.last_ok_at) <= window) return stream;
  alarm.raise('notifications_lost', participant, { since: stream.last_ok_at });
  return { ...stream, page_cursor: null, tail: [], gap_since: stream.gap_since ?? stream.last_ok_at };
}

type Read = { readonly page: NotificationPage; readonly from: Pick<Stream, 'page_cursor' | 'tail'> };

/** A cursor that the directory does not take any more is dropped: from the beginning everything comes once more. */
async function readPage(ingesting: Ingesting, participant: Participant, { page_cursor: cursor, tail }: Stream, at: Date): Promise<Read> {
  const { directory, ispb, includeIndirect } = participant;
  try {
    return { page: await directory.listEventNotifications(ispb, { cursor, includeIndirect }), from: { page_cursor: cursor, tail } };
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    if (error.kind === 'BadRequest' && cursor !== null) {
      return { page: await directory.listEventNotifications(ispb, { cursor: null, includeIndirect }), from: { page_cursor: null, tail } };
    }
    const verdict = verdicts[error.kind];
    if (verdict !== undefined) await refuse(ingesting, participant, { verdict, at, sha256: error.sha256 });
    throw error;
  }
}

const verdicts: Partial<Record<DirectoryError['kind'], Refusal['verdict']>> = { SignatureInvalid: 'signature_invalid', Unreadable: 'unreadable' };

/** Nothing of it is used and the position stays: the next good page begins where this one did. */
async function refuse({ database, alarm }: Ingesting, participant: Participant, refusal: Refusal): Promise<void> {
  await database.transaction({ tenantId: participant.tenantId }, (tx) => noteRefusal(tx, participant, refusal));
  alarm.raise(refusal.verdict, participant, { sha256: refusal.sha256 });
}
