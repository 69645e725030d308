/**
 * Uploads of watch lists by the staff of the platform.
 *
 * The file is imported in the transaction of the request (module watch-lists), so that the answer, the event of the log and the new version are there together or not at all; what
 * cannot be believed is refused with the part that is wrong. A file that lacks or changes much of the active version waits (`proposals.ts`) until a second administrator sends the same one: the proposal keeps the
 * checksum and the counts and no file. It may use watch-lists, screenings (for what a list looks like), second-review, request, database and identity.
 *
 * `POST /v1/admin/screening-lists/{listId}/versions` with `force`: `upload.ts` writes the parts into a temporary folder and calls `importFiles`, which asks `confirm` because a tenth of the entries is
 * gone. Nobody has proposed this file, so what was written is undone and `propose` keeps what was measured. The same call by somebody else ends the review, and the version becomes active.
 */
import type { Module } from '../../tasks/module.ts';
import { listUploadHandlers } from './handlers.ts';

export { listUploadHandlers };

export const listUploadsModule = { name: 'list-uploads', handlers: () => listUploadHandlers } satisfies Module<never>;
