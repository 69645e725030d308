/** How tests call the operations on watch lists. Part of the table in test/operations.ts. */
import { multipart, success } from '../support/api.ts';
import type { Credential, TestService } from '../support/service.ts';
import { activate, OFAC_ALT, ofacAliases, ofacComments, ofacCsv, sha256Of } from '../support/watch-lists.ts';
import { type Calls, unique } from './call.ts';

const LIST = 'ofac-consolidated';

/** Gives the list 150 entries, so that a file of as many is plausible. */
async function fillList({ database, running }: TestService): Promise<void> {
  await activate(database.database, LIST, ofacCsv(150, `"${unique()}"`), { now: running.services.clock() });
}

/** Proposes, as this person, a file that lacks a third of the entries; returns its checksum. */
export async function newProposal(service: TestService, as: Credential): Promise<string> {
  await fillList(service);
  const file = ofacCsv(100, `"${unique()}"`);
  const { body } = await success(
    service.api.POST('/v1/admin/screening-lists/{listId}/versions', {
      params: { path: { listId: LIST } },
      headers: as,
      body: {
        file: new Blob([new Uint8Array(file)]),
        alt: new Blob([OFAC_ALT]),
        format: 'ofac-csv',
        force: 'true',
      },
      bodySerializer: multipart,
    }),
    202,
  );
  return body.sha256;
}

export const listCalls: Calls<'listWatchLists' | 'uploadWatchList' | 'returnWatchListProposal'> = {
  listWatchLists: {},
  uploadWatchList: {
    arrange: async (service) => {
      await fillList(service);
      const file = ofacCsv(150, `"${unique()}"`);
      return {
        params: { listId: LIST },
        body: {
          file,
          alt: ofacAliases(3),
          comments: ofacComments('Tall.'),
          add: ofacAliases(1),
          sha256: sha256Of(file),
          version: unique(),
        },
      };
    },
    body: () => ({
      format: 'ofac-csv',
      publishedOn: '2026-11-20',
      mayBeOlder: 'false',
      force: 'false',
    }),
    otherBody: () => ({
      format: 'ofac-csv',
      publishedOn: '2026-11-20',
      mayBeOlder: 'true',
      force: 'true',
    }),
    except: {
      '/format': 'one format alone has all four files',
      '/publishedOn': 'after a later day an earlier one is refused',
    },
  },
  returnWatchListProposal: {
    arrange: async (service) => ({
      params: { listId: LIST },
      body: {
        sha256: await newProposal(
          service,
          await service.platform.user('platform_admin', { purpose: 'proposes', secondFactor: true }),
        ),
      },
    }),
    body: () => ({ note: 'The publisher has replaced this file.' }),
    otherBody: () => ({ note: 'Nobody at the publisher\nknows of it.' }),
  },
};
