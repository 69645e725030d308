/** Tests of what falls due about businesses: requests that nobody answers, and approvals whose validity ends. */
import { describe, expect, it } from 'vitest';
import { newDecidedBusiness, newReviewedBusiness } from '../operations/business-records.ts';
import { useService } from '../support/service.ts';
import { businessWorld } from './business-world.ts';

const service = await useService();
const { acme } = service;
const { analyst, call, read, erase } = await businessWorld(service);

const expire = () => service.running.runJob('businesses.expire');

describe('a business', () => {
  it('expires when it does not answer in time, with its request', async () => {
    const { businessId: id } = await newReviewedBusiness(service, acme, 'standard');
    const asked = await call('POST', `${id}/information-requests`, {
      as: analyst,
      body: {
        items: [
          {
            requirementKey: 'constitutive_document',
            reasonCode: 'document_unreadable',
            messageToApplicant: 'Please send the articles again.',
            documentType: null,
          },
        ],
      },
    });
    expect(asked.status).toBe(201);
    await expire();
    expect((await read(id)).status).toBe('needs_information');
    await service.database.sql(`UPDATE business SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    await expire();
    expect(await read(id)).toMatchObject({
      status: 'expired',
      statusReason: 'information_overdue',
      informationRequests: [{ status: 'overdue' }],
    });
    const about = (await acme.audit()).filter(({ resource_id: resource }) => resource === id);
    expect(about.map(({ action }) => action).slice(-2)).toEqual(['business.expired', 'business.status_changed']);
  });

  it('expires at the end of its validity, and remains a customer whose record is kept', async () => {
    const id = await newDecidedBusiness(service, acme);
    await service.database.sql(`UPDATE business SET valid_until = now() - interval '1 second' WHERE id = $1`, [id]);
    await expire();
    expect(await read(id)).toMatchObject({ status: 'expired', statusReason: 'validity_ended' });
    expect((await erase(id)).body).toMatchObject({ code: 'retention_hold', holdUntil: null });
  });

  it('is left alone by a second run', async () => {
    await expire();
    expect(await expire()).toBe(0);
  });
});
