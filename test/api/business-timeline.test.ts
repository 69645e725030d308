/** Tests of the timeline of a business: what it shows and to whom. */
import { describe, expect, it } from 'vitest';
import { newActivePower, newEvaluation } from '../operations/powers.ts';
import { useService } from '../support/service.ts';
import { businessWorld, graph, newBusiness, type Schemas } from './business-world.ts';

const service = await useService();
const { acme, other } = service;
const { officer, call, own, waiting, review } = await businessWorld(service);

const timeline = async (id: string, query = '', as = officer) =>
  (await call<Schemas['BusinessEventList']>('GET', `${id}/timeline${query}`, { as })).body;

describe('the timeline of a business', () => {
  it('shows what happened to it, to its owners and to its powers, newest first, and no value', async () => {
    const id = await newBusiness(service, acme);
    await newBusiness(service, acme);
    await call('PATCH', id, { body: { tradeName: 'SECRET-NAME' } });
    await own(id, graph);
    const powerId = await newActivePower(service, acme, id);
    await newEvaluation(service, acme, id);
    await call('POST', `${id}/withdraw`, { body: { reasonCode: 'duplicate', note: 'SECRET-NOTE' } });
    const { items } = await timeline(id);
    expect(items.map(({ type, status }) => [type, status])).toEqual([
      ['business.withdrawn', 'withdrawn'],
      ['signing.evaluated', null],
      ['power.confirmed', null],
      ['power.drafted', null],
      ['document.uploaded', null],
      ['ownership.replaced', null],
      ['business.updated', null],
      ['business.created', 'draft'],
    ]);
    expect([items[2]!.powerId, items[4]!.documentType, items[6]!.members]).toEqual([
      powerId,
      'articles',
      ['/tradeName'],
    ]);
    expect(JSON.stringify(items)).not.toMatch(/SECRET-/);
  });

  it('shows the status after a decision and its review', async () => {
    const { id, decisionId, evidenceDigest } = await waiting();
    await review(id, decisionId, evidenceDigest);
    const { items } = await timeline(id, '?limit=2');
    expect(items).toMatchObject([
      {
        type: 'decision.confirmed',
        status: 'rejected',
        decisionId,
        decisionOutcome: 'reject',
      },
      { type: 'decision.proposed', status: 'pending_approval', decisionId },
    ]);
  });

  it('continues from page to page with a cursor of its own', async () => {
    const [one, two] = [await newBusiness(service, acme), await newBusiness(service, acme)];
    for (const id of [one, two]) await own(id, graph);
    const first = await timeline(one, '?limit=1');
    const second = await timeline(one, `?limit=1&cursor=${encodeURIComponent(first.cursor!)}`);
    expect([...first.items, ...second.items].map(({ type }) => type)).toEqual([
      'ownership.replaced',
      'business.created',
    ]);
    const elsewhere = await call('GET', `${two}/timeline?cursor=${encodeURIComponent(first.cursor!)}`, { as: officer });
    expect(elsewhere.status).toBe(400);
  });

  it('is read by every role and is not found by another tenant', async () => {
    const id = await newBusiness(service, acme);
    for (const role of ['owner', 'admin', 'analyst', 'developer', 'auditor', 'viewer'] as const)
      expect((await timeline(id, '', await acme.user(role))).items).toHaveLength(1);
    expect((await call('GET', `${id}/timeline`, { as: await other.key(['read']) })).status).toBe(404);
  });
});
