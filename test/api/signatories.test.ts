/** Tests of the sheet of those who may sign for a business. */
import { describe, expect, it } from 'vitest';
import { newOwnedBusiness } from '../operations/ownership.ts';
import { newActivePower, newPower } from '../operations/powers.ts';
import { useService } from '../support/service.ts';
import { businessWorld, type Schemas } from './business-world.ts';

const service = await useService();
const { acme } = service;
const { officer, call } = await businessWorld(service);

const sheet = async (id: string, query = '', as = officer) =>
  call<Schemas['SignatorySheet']>('GET', `${id}/signatories${query}`, { as });

describe('the sheet of signatories', () => {
  it('is empty while powers are drafts, and then names limits and clauses', async () => {
    const id = await newOwnedBusiness(service, acme);
    await newPower(service, acme, id);
    expect((await sheet(id)).body).toMatchObject({ items: [], truncated: false });
    const instrumentId = await newActivePower(service, acme, id);
    const { items } = (await sheet(id)).body;
    expect(items.map(({ partyKey, alone, with: others, clause }) => [partyKey, alone, others, clause])).toEqual([
      ['ana', false, [['bruno']], 'Cláusula 7ª'],
      ['bruno', false, [['ana']], 'Cláusula 7ª'],
      ['ana', true, [], 'Cláusula 7ª, §2º'],
      ['bruno', true, [], 'Cláusula 7ª, §2º'],
    ]);
    expect(items[2]).toMatchObject({
      name: 'Ana Souza',
      instrumentId,
      maxAmount: { amount: 10_000_000, currency: 'BRL' },
    });
    expect((await sheet(id, '?asOf=2024-01-14')).body.items).toEqual([]);
  });

  it('masks names, and knows the types of acts', async () => {
    const id = await newOwnedBusiness(service, acme);
    await newActivePower(service, acme, id);
    const masked = await acme.key(['read'], { personalData: 'masked' });
    expect((await sheet(id, '', masked)).text).not.toMatch(/Souza/);
    expect((await sheet(id, '?actType=borrow')).body.items).toHaveLength(4);
    expect((await sheet(id, '?actType=custom:unknown')).status).toBe(400);
  });
});
