/** API tests of differences that end and return: each time they are another alert, and while they last they are one. */
import { describe, expect, it } from 'vitest';
import { type Schemas, wholeGraph } from './business-world.ts';
import { startMonitoredBusinesses } from './monitored-businesses-world.ts';

const { service, call, approve, run, own, alertsOf, triage, changeRegistry } = await startMonitoredBusinesses();

describe('the monitoring of a business', () => {
  it('raises a second alert for a situation that ends and returns, and none while it lasts', async () => {
    const id = await approve();
    const kindsOf = async () => (await alertsOf(id)).map(({ kind, status }) => `${kind} ${status}`);
    await changeRegistry(id, 'closed');
    await run(id);
    await run(id);
    expect(await kindsOf()).toEqual(['registry_status open']);
    await changeRegistry(id, 'active');
    await changeRegistry(id, 'closed');
    await run(id);
    expect(await kindsOf()).toEqual(['registry_status resolved', 'registry_status open']);
    await changeRegistry(id, 'suspended');
    await changeRegistry(id, 'closed');
    await run(id);
    expect((await alertsOf(id)).map(({ change, status }) => `${change!.after} ${status}`)).toEqual([
      'closed resolved',
      'closed resolved',
      'suspended resolved',
      'closed open',
    ]);
  });

  it('raises a second alert for owners that end and return, and none while they last', async () => {
    const id = await approve();
    await own(id, wholeGraph);
    await triage((await alertsOf(id))[0]!.id, 'dismiss');
    const statuses = async () => (await alertsOf(id)).map(({ status }) => status);
    const other = { ...wholeGraph, bearerShares: true };
    await own(id, other);
    await own(id, other);
    await run(id);
    expect(await statuses()).toEqual(['dismissed', 'open']);
    await own(id, wholeGraph);
    await own(id, other);
    await run(id);
    expect(await statuses()).toEqual(['dismissed', 'resolved', 'open']);
  });

  it('raises a second alert for a partner of the registry that is declared and then is not again', async () => {
    const id = await approve();
    await own(id, wholeGraph);
    await triage((await alertsOf(id))[0]!.id, 'dismiss');
    await changeRegistry(id, 'new_partner');
    await run(id);
    const statuses = async () => (await alertsOf(id)).map(({ status }) => status);
    expect(await statuses()).toEqual(['dismissed', 'open']);
    const { draft } = (await call<Schemas['BusinessRegistry']>('GET', `businesses/${id}/registry`)).body;
    const partner = draft!.parties.find(({ name }) => name.startsWith('Sócio Simulado'))!;
    const declared = { ...wholeGraph, parties: [...wholeGraph.parties, { ...partner, roles: ['partner'] }] };
    for (const graph of [declared, wholeGraph]) expect(await own(id, graph)).toBe(200);
    await run(id);
    expect(await statuses()).toEqual(['dismissed', 'resolved', 'resolved', 'open']);
  });

  it('goes on with an alert that an earlier release has raised', async () => {
    const id = await approve();
    const forget = () =>
      service.database.sql(
        `UPDATE monitoring_subscription
          SET accepted = accepted #- '{registry_status,found}' #- '{registry_status,ended}' WHERE business_id = $1`,
        [id],
      );
    await forget();
    await changeRegistry(id, 'closed');
    await forget();
    const [alert] = await alertsOf(id);
    await run(id);
    expect((await alertsOf(id)).map(({ id: one, status }) => [one, status])).toEqual([[alert!.id, 'open']]);
    await changeRegistry(id, 'active');
    await changeRegistry(id, 'closed');
    expect((await alertsOf(id)).map(({ status }) => status)).toEqual(['resolved', 'open']);
  });
});
