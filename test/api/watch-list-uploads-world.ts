/** Fixture of the tests of uploads of watch lists. */
import type { components } from '../../server/contract/generated/client-types.ts';
import type { Answer, Credential, TestService } from '../support/service.ts';
import { OFAC_ALT } from '../support/watch-lists.ts';
import type { Refusal } from './screenings-world.ts';

type Schemas = components['schemas'];
export type Uploaded = Answer<Schemas['WatchListImport'] & Refusal>;

export interface Upload {
  readonly list?: string;
  readonly as?: Credential;
  readonly headers?: Readonly<Record<string, string>>;
  readonly [part: string]: unknown;
}

/** Returns calls of two administrators of the platform, who have both just given a second factor. */
export async function startUploadWorld({ request, platform, database }: TestService) {
  const admin = () => platform.user('platform_admin', { secondFactor: true });
  const colleague = () => platform.user('platform_admin', { secondFactor: true, purpose: 'is another one' });
  const listed = async (listId: string): Promise<Schemas['WatchList']> => {
    const { body } = await request<{ items: Schemas['WatchList'][] }>('GET', '/v1/admin/screening-lists', {
      as: await admin(),
    });
    return body.items.find(({ id }) => id === listId)!;
  };
  await admin();
  return {
    admin,
    colleague,
    listed,
    /** Sends the parts as a form; byte values become files. */
    async upload({ list = 'ofac-consolidated', as, headers = {}, ...parts }: Upload): Promise<Uploaded> {
      const body = new FormData();
      // A list of OFAC is complete only with its aliases.
      for (const [name, value] of Object.entries({
        ...(parts['format'] === 'ofac-csv' && !('alt' in parts) && { alt: OFAC_ALT }),
        ...parts,
      }))
        if (value !== undefined)
          body.set(name, value instanceof Uint8Array ? new Blob([new Uint8Array(value)]) : String(value));
      return request('POST', `/v1/admin/screening-lists/${list}/versions`, {
        as: as ?? (await admin()),
        headers,
        body,
      });
    },
    giveBack: (
      sha256: string,
      as: Credential,
      list = 'ofac-consolidated',
    ): Promise<Answer<Schemas['WatchList'] & Refusal>> =>
      request('POST', `/v1/admin/screening-lists/${list}/proposal/return`, {
        as,
        body: { sha256, note: 'The publisher has replaced this file.' },
      }),
    async activeVersion(
      listId: string,
    ): Promise<{ readonly sequence: number; readonly version: string; readonly checkedAt: Date }> {
      const [active] = await database.sql<{ sequence: number; version: string; checkedAt: Date }>(
        `SELECT sequence, version, checked_at AS "checkedAt" FROM watch_list_version
          WHERE environment = 'live' AND list_id = $1 ORDER BY sequence DESC LIMIT 1`,
        [listId],
      );
      return active!;
    },
    /** Returns the counts of all rows that an import writes. */
    everyRow: () =>
      database.sql(`
      SELECT (SELECT count(*) FROM watch_list_version) AS versions, (SELECT max(checked_at)
        FROM watch_list_version) AS checked, (SELECT count(*) FROM watch_list_entity) AS entities,
        (SELECT count(*) FROM watch_list_entity WHERE to_sequence IS NOT NULL) AS ended, (SELECT count(*)
          FROM watch_list_file) AS files, (SELECT count(*) FROM watch_list_proposal) AS proposals,
        (SELECT count(*) FROM second_review WHERE state = 'pending') AS pending, (SELECT count(*) FROM audit_event
          WHERE action LIKE 'list.%') AS events`),
  };
}
