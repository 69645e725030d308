/** A few answers of the service, for the consumer of the package. Used by package.test.ts. */
import type { ServerResponse } from 'node:http';
import { json, problem, type Handler } from './server.ts';

const ID = { 'x-request-id': 'r-1' };

/** As much of the service as the tour of a consumer needs: two applications on two pages. */
export const applicationsService: Handler = (response: ServerResponse, { method, path, query }) => {
  if (path === '/v1/applications' && method === 'POST') return json(response, 201, { id: 'a' }, ID);
  if (path === '/v1/applications/a') return json(response, 200, { id: 'a' }, ID);
  if (path === '/v1/applications')
    return json(
      response,
      200,
      query.get('cursor') === null
        ? { items: [{ id: 'a' }], cursor: '1', hasMore: true }
        : { items: [{ id: 'b' }], cursor: null, hasMore: false },
      ID,
    );
  return problem(response, 404, 'not_found');
};
