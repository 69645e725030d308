import { operations } from '../../../server/contract/generated/operations.ts';
import type { OperationModel } from '../../../scripts/generate/model.ts';
import type { OperationId } from '../../../server/contract/operation.ts';
import { credentialOf } from '../../support/example-call.ts';
import { exampleBodies, isPublic } from '../../support/operations.ts';
import { paramsOf } from '../../support/records.ts';
import type { Tenant, TestService } from '../../support/service.ts';
import { situations } from '../../support/situations.ts';
import { jpeg } from '../../support/specimens.ts';
import type { Canaries } from './canaries.ts';
import type { ClientOptions, Given } from './sdk.ts';

export interface Step {
  readonly credential: Pick<ClientOptions, 'apiKey' | 'accessToken'>;
  readonly given: Given;
}

/** A call that succeeds, about records that exist, in which every personal value is a canary and every secret is noted. */
export async function stepOf(service: TestService, tenant: Tenant, model: OperationModel, canaries: Canaries): Promise<Step> {
  const operation = operations[model.operationId as OperationId];
  const { place = tenant, as, headers = {}, params, body: known } = await situations[operation.operationId]?.(service, tenant) ?? {};
  const made = params ?? await paramsOf(service, place, operation);
  const header = isPublic(operation) ? {} : as ?? await credentialOf(place, operation);
  const accessToken = header['Authorization']?.replace('Bearer ', '');
  const apiKey = header['X-API-Key'];
  for (const secret of [accessToken, apiKey]) if (secret !== undefined) canaries.add(secret);
  return {
    credential: { ...(accessToken !== undefined && { accessToken }), ...(apiKey !== undefined && { apiKey }) },
    given: {
      path: model.parameters.path.map(({ name, example }) => made[name] ?? String(example)),
      query: Object.fromEntries(model.parameters.query.filter(({ required, schema }) => required || schema['x-pii'] === true).map(({ name, schema, example }) =>
        [name, schema['x-pii'] === true ? canaries.another(String(example)) : example])),
      headers,
      ...bodyOf(model, canaries, known),
    },
  };
}

function bodyOf({ operationId, body }: OperationModel, canaries: Canaries, known: Readonly<Record<string, unknown>> = {}): Pick<Given, 'body' | 'files'> {
  const [example] = exampleBodies(operations[operationId as OperationId]);
  if (body === null || example === undefined) return {};
  const schema = { $ref: `#/components/schemas/${body.schemaName ?? ''}` };
  const disguised = { ...canaries.disguise(schema, example.value) as Record<string, unknown>, ...known };
  const { applicant } = disguised as { applicant?: Record<string, unknown> };
  // The check digits of a CPF would not fit.
  if (applicant?.['taxId']) applicant['taxId'] = { type: 'other', value: canaries.another('abcdefgh1234'), country: 'US' };
  canaries.collect(schema, disguised);
  const files = (body.members ?? []).filter(({ file, name }) => file && name in disguised).map(({ name }) => name);
  const sent = Object.fromEntries(Object.entries(disguised).filter(([name]) => !files.includes(name)));
  const bytes = new Uint8Array(jpeg());
  for (const encoding of ['base64', 'hex', 'latin1'] as const) if (files.length > 0) canaries.add(Buffer.from(bytes.subarray(60, 120)).toString(encoding));
  return { body: sent, files: Object.fromEntries(files.map((name) => [name, { name: 'passport.jpg', type: 'image/jpeg', bytes }])) };
}
