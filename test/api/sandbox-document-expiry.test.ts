/** API tests of simulating that a document expires. */
import { beforeEach, describe, expect, it } from 'vitest';
import { uuidv7 } from '../../server/base/uuid.ts';
import { newApplication, newDocument } from '../operations/application-records.ts';
import { success } from '../support/api.ts';
import { type Credential } from '../support/service.ts';
import { DAY, refused, startSandboxSimulationsWorld } from './sandbox-simulations-world.ts';

const { service, admin, writer, pinned, simulate, advance, status, application } = await startSandboxSimulationsWorld();
beforeEach(async () => {
  await success(service.api.DELETE('/v1/sandbox/data', { headers: admin }));
  await success(service.api.POST('/v1/sandbox/enable', { headers: admin }));
});

describe('the expiry of a document', () => {
  const withDocument = async (as = writer) => {
    const applicationId = await newApplication(service, service.acme, as);
    return { applicationId, documentId: await newDocument(service, service.acme, applicationId, as) };
  };
  const expire = (type: string, id: string, as?: Credential) =>
    simulate({ type: 'document_expiry', target: { type, id } }, as && { as });
  const dayOf = (time: string) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format(Date.parse(time) - DAY * 1000);

  it.each(['document', 'application'])(
    'of the %s was yesterday by the clock of the sandbox, and its requirement fails',
    async (type) => {
      const { applicationId, documentId } = await withDocument();
      await success(
        service.api.PATCH('/v1/applications/{applicationId}', {
          params: { path: { applicationId } },
          headers: writer,
          body: { level: 'enhanced' },
        }),
      );
      await advance(3 * DAY);
      const before = await application(applicationId);
      const { status: code, body } = await expire(type, type === 'document' ? documentId : applicationId);
      const after = await application(applicationId);
      const yesterday = dayOf((await status()).clock.now);
      expect(code).toBe(202);
      expect(body.effects[0]).toEqual({
        resource: { type: 'document', id: documentId },
        change: `expiresOn ${before.documents?.[0]?.expiresOn ?? 'null'} to ${yesterday}`,
      });
      expect(after.documents?.map(({ expiresOn }) => expiresOn)).toEqual([yesterday]);
      const changed = after.requirements.items.filter(
        (item, index) => item.status !== before.requirements.items[index]?.status,
      );
      expect(changed.map(({ status: now, reasonCode }) => [now, reasonCode])).toEqual([['failed', 'document_expired']]);
      expect(body.effects.slice(1)).toEqual(
        changed.map(({ key }) => ({
          resource: { type: 'application', id: applicationId },
          change: `requirement ${key}: failed, document_expired`,
        })),
      );
    },
  );

  it('that has expired already changes nothing', async () => {
    const { documentId } = await withDocument();
    await expire('document', documentId);
    expect((await expire('document', documentId)).body.effects).toEqual([]);
  });

  it('is refused for a live record, which stays as it is', async () => {
    const { applicationId, documentId } = await withDocument(pinned);
    const before = await application(applicationId);
    expect(refused(await expire('application', applicationId))).toEqual([422, 'target_is_live']);
    expect(refused(await expire('document', documentId))).toEqual([422, 'target_is_live']);
    expect(await application(applicationId)).toEqual(before);
  });

  it('finds nothing by an unknown id, by the id of the other kind, and by one of another tenant', async () => {
    const { applicationId, documentId } = await withDocument();
    await success(service.api.POST('/v1/sandbox/enable', { headers: await service.other.key(['admin']) }));
    const foreign = await newApplication(service, service.other, await service.other.key(['write']));
    for (const [type, id] of [
      ['document', uuidv7()],
      ['document', applicationId],
      ['application', documentId],
      ['application', foreign],
    ] as const) {
      expect(refused(await expire(type, id))).toEqual([404, 'not_found']);
    }
  });

  it('does not reveal to a test key that a record is live', async () => {
    const { applicationId } = await withDocument(pinned);
    expect(
      refused(await expire('application', applicationId, await service.acme.key(['admin'], { environment: 'test' }))),
    ).toEqual([404, 'not_found']);
  });

  it('does not let a pinned live key act in the sandbox', async () => {
    const { applicationId } = await withDocument();
    expect(
      refused(await expire('application', applicationId, await service.acme.key(['admin'], { pinEnvironment: true }))),
    ).toEqual([403, 'key_pinned_to_live']);
  });
});
