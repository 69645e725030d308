/**
 * Uploads of watch lists by the staff of the platform.
 *
 * The file is imported in the transaction of the request (module watch-lists), so that the response, the audit event
 * and the new version are committed together or not at all. An implausible file is rejected, naming the faulty part. A
 * file that removes or changes much of the active version waits (`proposals.ts`) until a second administrator sends the
 * same file: the proposal stores the checksum and the counts, not the file. The module may use watch-lists, screenings
 * (for how a list is presented), second-review, request, database and identity.
 *
 * `POST /v1/admin/screening-lists/{listId}/versions` with `force`: `upload.ts` writes the parts into a temporary folder
 * and calls `importFiles`, which calls `confirm` because, for example, a tenth of the entries is gone. If no other
 * administrator has proposed this file, the import is rolled back and `propose` stores the checksum and the counts. The
 * same call by another administrator ends the review, and the version becomes active.
 */
import type { Module } from '../../tasks/module.ts';
import { listUploadHandlers } from './handlers.ts';

export { listUploadHandlers };

export const listUploadsModule = { name: 'list-uploads', handlers: () => listUploadHandlers } satisfies Module<never>;
