/**
 * This file polls the event notifications of a participant: it reads page after page, reads the recoveries that the
 * notifications announce, and stores the observations in one transaction with the position in the stream. Used by
 * round.ts. A page that cannot be read is refused and read again; nothing is skipped.
 */
import { DAY_MILLISECONDS } from '../../base/time.ts';
import { DirectoryError, type NotificationDocument, type NotificationPage } from '../../providers/directory/index.ts';
import { notificationKeyOf, readRecords, type RecoveryRecord } from '../recoveries/index.ts';
import { Allowance } from './allowance.ts';
import { commitObservations, inParallel, type TenantObservation } from './commit.ts';
import type { IngestionContext } from './context.ts';
import { keepPage, recordRefusal, type Refusal, type Verdict } from './inbox-store.ts';
import { type Listed, nothingListed, observeWithin, provenance } from './observe.ts';
import { actingFor, type Participant } from './participants.ts';
import { RoundLists } from './reconcile.ts';
import { isCurrent, openStream, savePosition, type Stream } from './store.ts';

interface Routed {
  readonly notification: NotificationDocument;
  readonly ispb: string;
  readonly tenantId: string;
}

type UnusedVerdict = Exclude<Verdict, 'processed'>;

/**
 * Processes one page of notifications: reads the recoveries that they announce, then writes everything, with the new
 * position in the stream, in one transaction. Returns null if another process has moved the stream meanwhile.
 */
async function processPage(
  ingesting: IngestionContext,
  participant: Participant,
  { stream, page, at }: PageToProcess,
  { lists, allowance }: RoundReads,
): Promise<Processed | null> {
  const problems: [UnusedVerdict, NotificationDocument][] = [];
  const fresh = page.notifications.filter(({ Id }) => !stream.tail.includes(Id));
  const routed = fresh.flatMap((notification): Routed[] => {
    const ispb = notification.Participant ?? participant.ispb;
    const tenantId = participant.members.get(ispb);
    const isRecovery = notification.EntityType === 'FUNDS_RECOVERY';
    if (isRecovery && tenantId !== undefined) return [{ notification, ispb, tenantId }];
    problems.push([isRecovery ? 'unmapped_participant' : 'unknown_entity', notification]);
    return [];
  });
  const source = provenance(participant, page, at);
  let isWhole = true;
  const observed = await inParallel(
    await announcedRecoveries(ingesting, participant, routed),
    async ({ ispb, tenantId, id, notifications, known }): Promise<TenantObservation | null> => {
      const listed =
        known?.role === 'SENT'
          ? nothingListed
          : await unlessUnread(async () => (await lists.read(ingesting, participant, stream)).of(ispb, id));
      const observation = await observeWithin({ allowance, why: 'announced' }, participant, id, {
        ispb,
        at,
        known,
        listed,
        notifications,
        page: source,
        gapSince: stream.gapSince,
      });
      if (observation === 'not_shown')
        for (const notification of notifications) problems.push(['recovery_not_shown', notification]);
      if (observation === 'unread') isWhole = false;
      return typeof observation === 'string' ? null : { tenantId, observation };
    },
  );

  // A page with recoveries that could not be read yet is read again in the next round, which skips the notifications
  // that were published.
  const { pageCursor, tail } = isWhole ? positionAfter(page, stream) : stream;
  const next = {
    pageCursor,
    tail,
    lastOkAt: at,
    gapSince: stream.gapSince,
  };
  const isTaken = await commitObservations(
    ingesting,
    participant,
    observed.filter((owned) => owned !== null),
    async (tx) => {
      if (!(await isCurrent(tx, participant, stream))) return false;
      if (observed.length + problems.length > 0) {
        const mentions = page.notifications.map(({ EntityId }) => EntityId);
        await keepPage(tx, participant, {
          at,
          sha256: page.sha256,
          xml: page.xml,
          verdict: problems[0]?.[0] ?? 'processed',
          mentions,
        });
      }
      await savePosition(tx, participant, stream, next);
      return true;
    },
  );
  if (!isTaken) return null;
  for (const [problem, { Id, EntityType, EntityId }] of problems)
    ingesting.alarm.raise(problem, participant, { notification: Id, EntityType, EntityId });
  ingesting.alarm.lastPage(participant, at);
  return {
    isWhole,
    stream: {
      ...stream,
      version: stream.version + 1,
      pageCursor: next.pageCursor,
      tail: next.tail,
      lastOkAt: at.toISOString(),
    },
  };
}

type StreamPosition = Pick<Stream, 'pageCursor' | 'tail'>;

/** Returns the position after a page. The last page is read again, because the directory gives no cursor after it. */
function positionAfter(page: NotificationPage, { pageCursor }: Stream): StreamPosition {
  const isLast = !page.hasMore || page.nextCursor === null;
  return isLast
    ? { pageCursor, tail: page.notifications.map(({ Id }) => Id) }
    : { pageCursor: page.nextCursor, tail: [] };
}

interface PageToProcess {
  readonly stream: Stream;
  readonly page: NotificationPage;
  readonly at: Date;
}

/** State that the steps of a round share. */
export interface RoundReads {
  readonly lists: RoundLists;
  readonly allowance: Allowance;
}

interface Processed {
  readonly stream: Stream;
  /** False if the page has to be read again. */
  readonly isWhole: boolean;
}

/**
 * Returns what the lists show about a recovery, or nothing if they cannot be read: the notification is published
 * anyway, and the content of the lists follows later.
 */
async function unlessUnread(read: () => Promise<Listed>): Promise<Listed> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DirectoryError) return nothingListed;
    throw error;
  }
}

interface AnnouncedRecovery {
  readonly ispb: string;
  readonly tenantId: string;
  readonly id: string;
  readonly notifications: readonly NotificationDocument[];
  readonly known: RecoveryRecord | null;
}

/**
 * Selects the recoveries with a notification that was not published yet, so that reading the same notifications again
 * costs little.
 */
async function announcedRecoveries(
  { database }: IngestionContext,
  participant: Participant,
  routed: readonly Routed[],
): Promise<AnnouncedRecovery[]> {
  const unknown: AnnouncedRecovery[] = [];
  for (const [tenantId, theirs] of Map.groupBy(routed, (one) => one.tenantId)) {
    const { environment } = actingFor(participant, tenantId);
    const ids = [...new Set(theirs.map(({ notification }) => notification.EntityId))];
    const records = await database.transaction({ tenantId, readOnly: true }, (tx) => readRecords(tx, environment, ids));
    for (const group of Map.groupBy(theirs, ({ ispb, notification }) => `${ispb} ${notification.EntityId}`).values()) {
      const [{ ispb, notification: first }] = group as [Routed, ...Routed[]];
      const id = first.EntityId;
      const known = records.get(id.toLowerCase()) ?? null;
      const notifications = group
        .map(({ notification }) => notification)
        .filter((notification) => known?.keys.includes(notificationKeyOf(ispb, id, notification)) !== true);
      if (notifications.length > 0)
        unknown.push({
          ispb,
          tenantId,
          id,
          notifications,
          known,
        });
    }
  }
  return unknown;
}

/** How far back the directory lists notifications. */
const notificationWindow = 7 * DAY_MILLISECONDS;

/**
 * Reads a participant's notifications to the end. Returns the new position, or null if another process has read further
 * meanwhile.
 */
export async function pollNotifications(
  ingesting: IngestionContext,
  participant: Participant,
  reads?: RoundReads,
): Promise<Stream | null> {
  let stream = await openStreamAt(ingesting, participant);
  const { lists, allowance } = reads ?? { lists: new RoundLists(), allowance: await Allowance.of(participant) };
  for (;;) {
    const at = await ingesting.timeOf(participant);
    const { page, from } = await readPage(ingesting, participant, stream, at);
    const toProcess = { stream: { ...stream, ...from }, page, at };
    const processed = await processPage(ingesting, participant, toProcess, { lists, allowance });
    if (processed === null) return null;
    stream = processed.stream;
    if (!processed.isWhole || !page.hasMore || page.nextCursor === null || ingesting.signal.aborted) return stream;
  }
}

/**
 * Opens the stream. After a pause longer than the directory keeps notifications the cursor is invalid, so some
 * notifications are lost.
 */
async function openStreamAt({ database, alarm, timeOf }: IngestionContext, participant: Participant): Promise<Stream> {
  const stream = await database.transaction({ tenantId: participant.tenantId }, (tx) => openStream(tx, participant));
  const at = await timeOf(participant);
  if (stream.lastOkAt === null || at.getTime() - Date.parse(stream.lastOkAt) <= notificationWindow) return stream;
  alarm.raise('notifications_lost', participant, { since: stream.lastOkAt });
  return {
    ...stream,
    pageCursor: null,
    tail: [],
    gapSince: stream.gapSince ?? stream.lastOkAt,
  };
}

type PageRead = { readonly page: NotificationPage; readonly from: StreamPosition };

/**
 * Reads a page. If the directory refuses the cursor, reads from the oldest notification; notifications that were seen
 * before are skipped later.
 */
async function readPage(
  ingesting: IngestionContext,
  participant: Participant,
  { pageCursor: cursor, tail }: Stream,
  at: Date,
): Promise<PageRead> {
  const { directory, ispb, includeIndirect } = participant;
  try {
    return {
      page: await directory.listEventNotifications(ispb, { cursor, includeIndirect }),
      from: { pageCursor: cursor, tail },
    };
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    if (error.kind === 'BadRequest' && cursor !== null) {
      return {
        page: await directory.listEventNotifications(ispb, { cursor: null, includeIndirect }),
        from: { pageCursor: null, tail },
      };
    }
    const verdict = verdicts[error.kind];
    if (verdict !== undefined) await refusePage(ingesting, participant, { verdict, at, sha256: error.sha256 });
    throw error;
  }
}

const verdicts: Partial<Record<DirectoryError['kind'], Refusal['verdict']>> = {
  SignatureInvalid: 'signature_invalid',
  Unreadable: 'unreadable',
};

/**
 * Records a page that cannot be trusted or read. Its content is not used and the position stays, so the next poll asks
 * for it again.
 */
async function refusePage(
  { database, alarm }: IngestionContext,
  participant: Participant,
  refusal: Refusal,
): Promise<void> {
  await database.transaction({ tenantId: participant.tenantId }, (tx) => recordRefusal(tx, participant, refusal));
  alarm.raise(refusal.verdict, participant, { sha256: refusal.sha256 });
}
