/** Tests that run the programs of the guides. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personas } from '../../server/providers/personas/index.ts';
import { newApplication } from '../operations/application-records.ts';
import { success } from '../support/api.ts';
import type { TestService } from '../support/service.ts';
import { pattern, programsOf } from './support/guide.ts';
import { runners, type Variables } from './support/runner.ts';
import { startWitnessedService, type WitnessedService } from './support/witness.ts';

const GUIDES = [
  'authentication',
  'onboarding-a-person',
  'onboarding-a-company',
  'risk',
  'cases',
  'reports',
  'verifications',
  'workflows',
  'pagination',
  'errors',
  'idempotency-and-retries',
  'sandbox',
  'versioning',
];
const run = runners();
let witnessed: WitnessedService;
let endTasks: () => Promise<void>;

beforeAll(async () => {
  witnessed = await startWitnessedService();
  endTasks = runTasksOf(witnessed.service);
});
afterAll(async () => {
  await endTasks();
  await witnessed.service.stop();
});

describe.each(GUIDES)('the guide %s', (guide) => {
  let variables: Variables;

  beforeAll(async () => {
    variables = await readerOf(witnessed);
  });

  it.each(programsOf(guide))(
    'prints a $label program at line $line that does what it shows',
    async ({ lang, source, shown }) => {
      const { output, failure } = await run[lang](source, variables);
      expect(failure).toBeNull();
      if (shown !== null) expect(output.replaceAll('\r', '').trim()).toMatch(pattern(shown));
    },
  );
});

/**
 * Returns the variables of a used tenant: its sandbox is on and contains three applications and one of a persona in
 * progress. Its key and its officer are those that the index of the guides requires.
 */
async function readerOf({ service }: WitnessedService): Promise<Variables> {
  const tenant = await service.tenant();
  await service.database.sql('UPDATE tenant SET sandbox_enabled = true WHERE id = $1', [tenant.id]);
  const as = await tenant.key(['read', 'write', 'admin'], { environment: 'test' });
  for (let count = 0; count < 3; count++) await newApplication(service, tenant, as);
  const { applicant } = personas.find(({ key: name }) => name === 'clean')!;
  await success(
    service.api.POST('/v1/applications', { headers: as, body: { purpose: 'account_opening', applicant: applicant! } }),
  );
  const key = as['X-API-Key']!;
  const officer = await tenant.user('compliance_officer');
  return {
    COMPLIANCE_BASE_URL: service.url,
    COMPLIANCE_API_KEY: key,
    COMPLIANCE_CLIENT_ID: key.slice(0, key.lastIndexOf('_')),
    COMPLIANCE_CLIENT_SECRET: key,
    COMPLIANCE_ACCESS_TOKEN: officer['Authorization']!.slice('Bearer '.length),
  };
}

/** Runs due tasks again and again, as a started service does, until the returned function is called. */
function runTasksOf({ running }: TestService): () => Promise<void> {
  let isEnding = false;
  const ended = (async () => {
    while (!isEnding) {
      await running.runTasks();
      await setTimeout(200);
    }
  })();
  return () => {
    isEnding = true;
    return ended;
  };
}
