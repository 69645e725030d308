/** Calls that succeed with canaries in every personal value. Used by canaries.test.ts. */
import { operations } from '../../../server/contract/generated/operations.ts';
import type { OperationModel } from '../../../scripts/generate/model.ts';
import type { OperationId } from '../../../server/contract/operation.ts';
import { arrange } from '../../operations.ts';
import type { Tenant, TestService } from '../../support/service.ts';
import { newCnpj } from '../../operations/business-records.ts';
import { newCpf } from '../../support/cpf.ts';
import { jpeg } from '../../support/specimens.ts';
import type { Canaries } from './canaries.ts';
import type { CallInput, ClientOptions } from './sdk.ts';

export interface Step {
  readonly credential: Pick<ClientOptions, 'apiKey' | 'accessToken'>;
  readonly input: CallInput;
}

/**
 * Returns a call that succeeds, about existing records, in which every personal value is a canary and every secret is
 * noted.
 */
export async function stepOf(
  service: TestService,
  tenant: Tenant,
  model: OperationModel,
  canaries: Canaries,
): Promise<Step> {
  const operation = operations[model.operationId as OperationId];
  const { as, headers, params, body, given } = await arrange(service, tenant, operation);
  const accessToken = as['Authorization']?.replace('Bearer ', '');
  const apiKey = as['X-API-Key'];
  for (const secret of [accessToken, apiKey]) if (secret !== undefined) canaries.add(secret);
  return {
    credential: { ...(accessToken !== undefined && { accessToken }), ...(apiKey !== undefined && { apiKey }) },
    input: {
      path: model.parameters.path.map(({ name, example }) => params[name] ?? String(example)),
      query: Object.fromEntries(
        model.parameters.query
          .filter(({ required, schema }) => required || schema['x-pii'] === true)
          .map(({ name, schema, example }) => [
            name,
            schema['x-pii'] === true ? canaries.another(String(example)) : example,
          ]),
      ),
      headers,
      ...bodyOf(model, canaries, body, given),
    },
  };
}

function bodyOf(
  { body: described }: OperationModel,
  canaries: Canaries,
  body: object | undefined,
  input: object,
): Pick<CallInput, 'body' | 'files'> {
  if (described === null || body === undefined) return {};
  const schema = { $ref: `#/components/schemas/${described.schemaName ?? ''}` };
  const disguised = { ...(canaries.disguise(schema, body) as Record<string, unknown>), ...input };
  const {
    applicant,
    subject,
    parties = [],
  } = disguised as {
    applicant?: Record<string, unknown>;
    subject?: Record<string, unknown>;
    parties?: { kind?: string; taxId?: string | null }[];
  };
  // Disguised numbers would have wrong check digits, which masked ones show none of.
  if (applicant?.['taxId'])
    applicant['taxId'] = { type: 'other', value: canaries.another('abcdefgh1234'), country: 'US' };
  if (subject?.['taxId']) subject['taxId'] = newCpf();
  for (const party of parties)
    if (party.kind !== undefined && party.taxId?.includes('*') === false)
      party.taxId = party.kind === 'person' ? newCpf() : newCnpj();
  canaries.collect(schema, disguised);
  const files = (described.members ?? []).filter(({ file, name }) => file && name in disguised).map(({ name }) => name);
  const sent = Object.fromEntries(Object.entries(disguised).filter(([name]) => !files.includes(name)));
  const picture = new Uint8Array(jpeg());
  for (const encoding of ['base64', 'hex', 'latin1'] as const)
    if (files.length > 0) canaries.add(Buffer.from(picture.subarray(60, 120)).toString(encoding));
  // The file of the prepared call is no picture.
  const bytesOf = (value: unknown) => (value instanceof Uint8Array ? new Uint8Array(value) : picture);
  const fileOf = (name: string) => ({
    name: 'passport.jpg',
    type: 'image/jpeg',
    bytes: bytesOf((input as Record<string, unknown>)[name]),
  });
  return { body: sent, files: Object.fromEntries(files.map((name) => [name, fileOf(name)])) };
}
