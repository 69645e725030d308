/** Tests that run the samples of the reference. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildModel } from '../../scripts/generate/build-model.ts';
import { firstCall } from '../../scripts/generate/landing.ts';
import { codeSamples } from '../../scripts/generate/code-samples/code-samples.ts';
import { projectContract } from '../../scripts/contract/project.ts';
import { everyOperation } from '../support/contract.ts';
import { filledIn, prepare } from './support/reader.ts';
import { runners } from './support/runner.ts';
import { startWitnessedService, type WitnessedService } from './support/witness.ts';

const contract = projectContract();
const model = buildModel(contract);
const samples = codeSamples(model);
const run = runners();
let witnessed: WitnessedService;

beforeAll(async () => {
  witnessed = await startWitnessedService();
});
afterAll(() => witnessed.service.stop());

describe.each(everyOperation.filter(({ browser }) => !browser))('the sample of $operationId', (operation) => {
  it.each(samples.get(operation.operationId) ?? [])('does in $label what it shows', async ({ lang, source }) => {
    const { service } = witnessed;
    // A tenant records a registration once, and the samples of the three languages show the same.
    const tenant = operation.operationId === 'createBusiness' ? await service.tenant() : service.acme;
    const preparation = await prepare(service, operation, lang, tenant);
    witnessed.forget();
    expect((await run[lang](filledIn(source, preparation), preparation.variables)).failure).toBeNull();
    const documented = Object.keys(operation.responses)
      .map(Number)
      .filter((status) => status < 300);
    for (const status of await witnessed.answersOf(operation.operationId)) expect(documented).toContain(status);
  });
});

it.each(firstCall(contract, model))(
  'the first call of the landing page does in $label what it shows',
  async ({ lang, source }) => {
    // The idempotency key is that of the sample above with another body, so the reader belongs to another tenant.
    const { variables } = await prepare(
      witnessed.service,
      everyOperation.find(({ operationId }) => operationId === 'createApplication')!,
      lang,
      await witnessed.service.tenant(),
    );
    witnessed.forget();
    expect((await run[lang](source, variables)).failure).toBeNull();
    expect(await witnessed.answersOf('createApplication')).toEqual([201]);
  },
);

it('exists in three languages for every operation that programs call', () => {
  expect([...samples.keys()].toSorted()).toEqual(
    everyOperation
      .filter(({ browser }) => !browser)
      .map(({ operationId }) => operationId as string)
      .toSorted(),
  );
  for (const list of samples.values()) expect(list.map(({ lang }) => lang)).toEqual(['curl', 'typescript', 'python']);
});
