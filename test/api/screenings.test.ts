import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { success } from '../support/api.ts';
let service: TestService;
beforeAll(async () => { service = await startTestService(); });
afterAll(() => service.stop());
describe('x', () => {
  it('screens', async () => {
    const headers = await service.acme.key(['screening']);
    const { body } = await success(service.api.POST('/v1/screenings', { headers, body: { subject: { type: 'person', names: ['Sergei Listado Petrov'], dateOfBirth: '1961-04-02' } } }), 201);
    console.log(JSON.stringify(body, null, 1));
    const lists = await success(service.api.GET('/v1/screenings/lists', { headers }));
    console.log(JSON.stringify(lists.body.items[0]));
    const all = await success(service.api.GET('/v1/screenings', { headers }));
    console.log(JSON.stringify(all.body));
  });
});
