/** Fixture of the tests of the feed: a service, and functions that publish events and read pages. */
import type { components, operations } from '../../server/contract/generated/client-types.ts';
import type { Environment } from '../../server/contract/operation.ts';
import { type NewEvent, publishEvents } from '../../server/modules/recovery-feed/publish.ts';
import { refusal, success } from '../support/api.ts';
import {
  useService,
  type Answer,
  type Credential,
  type Problem,
  type Tenant,
  type TestService,
} from '../support/service.ts';

export type List = components['schemas']['FundsRecoveryEventList'];
type Query = NonNullable<operations['listFundsRecoveryEvents']['parameters']['query']>;

export const PATH = '/api/v1/funds-recovery/events';

export interface FeedWorld {
  readonly service: TestService;
  page(as: Credential, query?: Query): Promise<Answer<List>>;
  refusal(as: Credential, query: Query): Promise<Answer<Problem>>;
  publish(events: readonly NewEvent[], environment?: Environment, tenant?: Tenant): Promise<number>;
  /** Creates a client that nobody has used before. */
  newClient(tenant?: Tenant): Promise<Credential>;
}

/** Starts the service whose feed the tests of a file share. */
export async function useFeed(): Promise<FeedWorld> {
  const service = await useService();
  const { acme, database } = service;
  let clients = 0;
  const read = (as: Credential, query: Query) => service.api.GET(PATH, { params: { query }, headers: as });
  return {
    service,
    page: (as, query = {}) => success(read(as, query)),
    refusal: (as, query) => refusal(read(as, query)),
    publish: (events, environment = 'live', { id } = acme) =>
      database.database.transaction({ tenantId: id }, (tx) => publishEvents(tx, environment, events)),
    newClient: (tenant = acme) => tenant.client(['read'], { name: `Reader ${clients++}` }),
  };
}

export const idsOf = ({ body }: Answer<List>): string[] => body.events.map(({ eventId }) => eventId);
