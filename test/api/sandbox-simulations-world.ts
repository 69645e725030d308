/** Fixture of the tests of simulations in the sandbox. */
import type { components } from '../../server/contract/generated/client-types.ts';
import { success } from '../support/api.ts';
import { useService, type Answer, type Credential, type Problem } from '../support/service.ts';

type Schemas = components['schemas'];

export type Simulation = Schemas['Simulation'] & Problem;

export const DAY = 86_400;

export const refused = ({ status: code, body }: Answer<Simulation>) => [
  code,
  body.code,
  ...(body.errors ?? []).map(({ pointer }) => pointer),
];

/** Starts a service, and returns the keys and calls for simulations in its sandbox. */
export async function startSandboxSimulationsWorld() {
  const service = await useService();
  const admin = await service.acme.key(['admin']);
  const writer = await service.acme.key(['write', 'read']);
  const pinned = await service.acme.key(['write', 'read'], { pinEnvironment: true });
  const simulate = (
    body: object,
    more: { as?: Credential; headers?: Record<string, string> } = {},
  ): Promise<Answer<Simulation>> =>
    service.request<Simulation>('POST', '/v1/sandbox/simulations', {
      as: more.as ?? admin,
      body,
      ...(more.headers && { headers: more.headers }),
    });
  const advance = (seconds: number) => simulate({ type: 'advance_clock', parameters: { seconds } });
  const status = async () => (await success(service.api.GET('/v1/sandbox', { headers: admin }))).body;
  const application = async (id: string) =>
    (
      await success(
        service.api.GET('/v1/applications/{applicationId}', {
          params: { path: { applicationId: id } },
          headers: writer,
        }),
      )
    ).body;
  const draft = async (as = writer) =>
    (
      await success(
        service.api.POST('/v1/applications', {
          headers: as,
          body: { purpose: 'account_opening', applicant: { fullName: 'Clara Limpa Santos' } },
        }),
      )
    ).body;
  return {
    service,
    admin,
    writer,
    pinned,
    simulate,
    advance,
    status,
    application,
    draft,
  };
}
