import type { Document } from '../../providers/directory/index.ts';
import type { Notification, State } from '../core/model.ts';
import { notificationWindow, type Instant } from '../core/time.ts';
import type { Answer, Asked } from './asked.ts';
import { compare, decodeCursor, encodeCursor, pageAfter, type Position } from './cursor.ts';
import { notificationDocument } from './documents.ts';
import { badRequest } from './refusal.ts';

const pageSize = 200;

type Listed = Notification & { readonly listedAt: Instant };

/** GET /event-notifications: the oldest first, of the last seven days, from behind the cursor. */
export async function listEventNotifications(asked: Asked): Promise<Answer> {
  const { query, state, generation, disturbedBy } = asked;
  query.participant(state.ispb);
  query.flag('IncludeIndirectParticipants');
  const begin = state.now - notificationWindow;
  const position = await positionOf(asked, begin);
  const listed = state.notifications.filter((notification): notification is Listed => isListed(notification, begin, state)).sort((a, b) => compare(place(a), place(b)));
  const { page, more } = pageAfter(listed, position, pageSize, place);
  const [first, last] = [page[0], page.at(-1)];
  const documents = page.map(notificationDocument);
  if (last !== undefined && await disturbedBy('unknown_enum')) documents.push(unknownEvent(last));
  if (page.length > 1 && await disturbedBy('reversed_page')) documents.reverse();
  // A page that is given twice: its cursor leads before its own first entry.
  const twice = first !== undefined && await disturbedBy('duplicate_page');
  const next = twice ? { at: first.listedAt - 1, id: '0' } : more && last !== undefined ? place(last) : null;
  return {
    root: 'ListEventNotificationsResponse',
    content: {
      HasMoreElements: String(next !== null),
      NextCursor: next === null ? undefined : encodeCursor(generation, next),
      EventNotifications: documents,
    },
  };
}

async function positionOf({ query, generation, disturbedBy }: Asked, begin: Instant): Promise<Position | null> {
  const cursor = query.text('Cursor');
  if (cursor === null) return null;
  const position = decodeCursor(cursor, generation);
  if (position.at < begin) throw badRequest('Cursor is too old');
  if (await disturbedBy('cursor_invalidated')) throw badRequest('Cursor is not valid');
  return position;
}

function isListed({ listedAt }: Notification, begin: Instant, { now }: State): boolean {
  return listedAt !== null && listedAt >= begin && listedAt <= now;
}

function place({ listedAt, id }: Listed): Position {
  return { at: listedAt, id };
}

/** An event that the API does not have yet, with an element that it does not have either. */
function unknownEvent(notification: Notification): Document {
  return { ...notificationDocument(notification), Id: `${notification.id}0`, Event: 'FUNDS_RECOVERY_ESCALATED', Priority: 'HIGH' };
}
