/** Fixture of the tests of screenings: a service with watch lists, and short calls. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { components } from '../../server/contract/generated/client-types.ts';
import type { Environment } from '../../server/contract/operation.ts';
import { importList, type WatchListId } from '../../server/modules/watch-lists/index.ts';
import { type Answer, type Credential, type Options, startTestService } from '../support/service.ts';

type Schemas = components['schemas'];
export type Screening = Schemas['Screening'];
export type Refusal = Schemas['Problem'];

/** A person of the list of the United Nations, with the data of the invented lists. */
export const LISTED = { type: 'person', names: ['Sergei Listado Petrov'], dateOfBirth: '1961-04-02' } as const;

/** Starts a service with a user who screens names. */
export async function startScreeningWorld(options: Options = {}) {
  const service = await startTestService(options);
  const sandboxed = await service.tenant();
  await service.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
    sandboxed.id,
  ]);
  const [key, analyst, test] = await Promise.all([
    service.acme.key(['read', 'write', 'screening']),
    service.acme.user('analyst'),
    sandboxed.key(['read', 'write', 'screening'], { environment: 'test' }),
  ]);
  const screen = (body: object, as: Credential = key): Promise<Answer<Screening & Refusal>> =>
    service.request('POST', '/v1/screenings', { as, body });
  /** Makes a file of one of the formats the active version of a list. */
  async function publishFile(
    list: Pick<Parameters<typeof importList>[1], 'listId' | 'format' | 'environment'>,
    content: string,
  ): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'published-'));
    const main = join(folder, 'list');
    await writeFile(main, content);
    await importList(service.database.database, {
      ...list,
      files: { main },
      mayShrink: true,
      by: { type: 'system', id: 'test', display: 'Test' },
      now: service.running.services.clock(),
    });
    await rm(folder, { recursive: true });
  }
  return {
    ...service,
    sandboxed,
    key,
    analyst,
    test,
    screen,
    /** Screens a person by name, with further members. */
    person: (name: string, more: object = {}, as?: Credential) =>
      screen({ subject: { type: 'person', names: [name], ...more } }, as),
    get: (id: string, as: Credential = key): Promise<Answer<Screening & Refusal>> =>
      service.request('GET', `/v1/screenings/${id}`, { as }),
    list: (
      query = '',
      as: Credential = key,
    ): Promise<Answer<{ items: Schemas['ScreeningSummary'][]; cursor: string | null } & Refusal>> =>
      service.request('GET', `/v1/screenings?${query}`, { as }),
    publishFile,
    /** Makes these rows (key, name and the further columns of the CSV of own lists) the active version of a list. */
    publish: (listId: WatchListId, rows: readonly string[], environment: Environment = 'sandbox'): Promise<void> =>
      publishFile(
        { listId, format: 'own', environment },
        ['key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks', ...rows].join('\n'),
      ),
  };
}
