import type { NotificationDocument, NotificationPage } from '../../../providers/directory/index.ts';
import { commit, type Owned } from './commit.ts';
import type { Ingesting } from './context.ts';
import { notificationKeyOf } from './notification-facts.ts';
import { observe, provenance } from './observe.ts';
import { inParallel } from './parallel.ts';
import { actingFor, type Participant } from './participant.ts';
import type { RecoveryRecord } from './record.ts';
import { keep, type Verdict } from './store/inbox.ts';
import { readRecords } from './store/records.ts';
import { isCurrent, savePosition, type Stream } from './store/streams.ts';

interface Routed {
  readonly notification: NotificationDocument;
  readonly ispb: string;
  readonly tenantId: string;
}

type Problem = Exclude<Verdict, 'processed'>;

/**
 * One page of notifications: what they are about is read first, then everything is written in one transaction, the
 * position in the stream with it. Null when the stream has moved on meanwhile.
 */
export async function takePage(ingesting: Ingesting, participant: Participant, stream: Stream, page: NotificationPage, at: Date): Promise<Stream | null> {
  const problems: [Problem, NotificationDocument][] = [];
  const fresh = page.notifications.filter(({ Id }) => !stream.tail.includes(Id));
  const routed = fresh.flatMap((notification): Routed[] => {
    const ispb = notification.Participant ?? participant.ispb;
    const tenantId = participant.members.get(ispb);
    const problem = notification.EntityType !== 'FUNDS_RECOVERY' ? 'unknown_entity' : tenantId === undefined ? 'unmapped_participant' : null;
    if (problem !== null) problems.push([problem, notification]);
    return problem === null && tenantId !== undefined ? [{ notification, ispb, tenantId }] : [];
  });
  const source = provenance(participant, page, at);
  const observed = await inParallel(await unknownOf(ingesting, participant, routed), async ({ ispb, tenantId, id, notifications, known }): Promise<Owned | null> => {
    const observation = await observe(participant, id, { ispb, at, known, notifications, page: source, gapSince: stream.gap_since });
    if (observation === null) problems.push(...notifications.map((notification): [Problem, NotificationDocument] => ['recovery_not_shown', notification]));
    return observation === null ? null : { tenantId, observation };
  });

  const isLast = !page.hasMore || page.nextCursor === null;
  const next = {
    cursor: isLast ? stream.page_cursor : page.nextCursor, tail: isLast ? page.notifications.map(({ Id }) => Id) : [], okAt: at, gapSince: stream.gap_since,
  };
  const isTaken = await commit(ingesting, participant, observed.filter((owned) => owned !== null), async (tx) => {
    if (!await isCurrent(tx, participant, stream)) return false;
    if (observed.length + problems.length > 0) {
      const mentions = page.notifications.map(({ EntityId }) => EntityId);
      await keep(tx, participant, { at, sha256: page.sha256, xml: page.xml, verdict: problems[0]?.[0] ?? 'processed', mentions });
    }
    await savePosition(tx, participant, stream, next);
    return true;
  });
  if (!isTaken) return null;
  for (const [problem, { Id, EntityType, EntityId }] of problems) ingesting.alarm.raise(problem, participant, { notification: Id, EntityType, EntityId });
  ingesting.alarm.lastPage(participant, at);
  return { ...stream, version: stream.version + 1, page_cursor: next.cursor, tail: next.tail, last_ok_at: at.toISOString() };
}

interface Unknown {
  readonly ispb: string;
  readonly tenantId: string;
  readonly id: string;
  readonly notifications: readonly NotificationDocument[];
  readonly known: RecoveryRecord | null;
}

/** Recoveries of which something is announced that was not published yet: a window that is read again costs little. */
async function unknownOf({ database }: Ingesting, participant: Participant, routed: readonly Routed[]): Promise<Unknown[]> {
  const unknown: Unknown[] = [];
  for (const [tenantId, theirs] of Map.groupBy(routed, (one) => one.tenantId)) {
    const { env } = actingFor(participant, tenantId);
    const ids = [...new Set(theirs.map(({ notification }) => notification.EntityId))];
    const records = await database.transaction({ tenantId, readOnly: true }, (tx) => readRecords(tx, env, ids));
    for (const group of Map.groupBy(theirs, ({ ispb, notification }) => `${ispb} ${notification.EntityId}`).values()) {
      const [{ ispb, notification: { EntityId: id } }] = group as [Routed, ...Routed[]];
      const known = records.get(id.toLowerCase()) ?? null;
      const notifications = group.map(({ notification }) => notification).filter((notification) => known?.keys.includes(notificationKeyOf(ispb, id, notification)) !== true);
      if (notifications.length > 0) unknown.push({ ispb, tenantId, id, notifications, known });
    }
  }
  return unknown;
}
