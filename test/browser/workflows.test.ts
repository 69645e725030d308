/** Browser tests of processes: their upload, activation by two people, and the instances with their tasks. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { processFile, workOf } from '../operations/workflow-records.ts';
import { api } from './support/api.ts';
import { enter } from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { person, type Person } from './support/people.ts';
import { gone, ledTo, shown } from './support/shown.ts';
import { baseUrl } from './support/service.ts';
import { examineStates } from './support/states.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();
const newKey = (): string => `p_${randomBytes(6).toString('hex')}`;
const DEFINITION = /\/workflows\/definitions\/[0-9a-f-]{36}$/;

let officer: Person;
let second: Person;
beforeAll(async () => {
  officer = await person('compliance_officer', 'Carla Dias');
  second = await person('compliance_officer', 'Dora Reis');
});

interface Uploaded {
  readonly id: string;
  readonly checksum: string;
}

/** Uploads a process beside the browser. */
async function uploaded(key: string, elements?: string): Promise<Uploaded> {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(processFile(key, elements))]));
  const response = await fetch(`${baseUrl}/v1/workflows/definitions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${officer.token}` },
    body,
  });
  expect(response.status).toBe(201);
  return (await response.json()) as Uploaded;
}

/** Starts an instance of a new process beside the browser, and returns its id. */
async function started(elements?: string): Promise<string> {
  const key = newKey();
  const { id, checksum } = await uploaded(key, elements);
  const { activation } = await api<{ activation: { id: string; evidenceDigest: string } }>(
    'POST',
    `/v1/workflows/definitions/${id}/activate`,
    { token: officer.token, body: { checksum } },
  );
  await api('POST', `/v1/workflows/definitions/${id}/activations/${activation.id}/review`, {
    token: second.token,
    body: { verdict: 'confirm', note: 'The process is as agreed.', evidenceDigest: activation.evidenceDigest },
  });
  const instance = await api<{ id: string }>('POST', '/v1/workflows/instances', {
    token: officer.token,
    body: { definitionKey: key, businessKey: key, variables: { channel: 'branch' } },
  });
  return instance.id;
}

describe('a process', () => {
  it('is uploaded, drawn, and activated by two people', async () => {
    const { page } = await visit('/workflows', { as: officer });
    await page.getByRole('button', { name: 'Upload a process' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'review.bpmn', mimeType: 'application/xml', buffer: processFile(newKey()) });
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
    await ledTo(page, DEFINITION);
    await shown(page.getByRole('img', { name: 'Diagram of the process' }));
    await shown(page.getByText('Nothing was found.'));
    await page.getByRole('button', { name: 'Request activation' }).click();
    await dialog.getByRole('button', { name: 'Request activation' }).click();
    await shown(dialog.getByText('Write why.'));
    await dialog.getByLabel('Note').fill('The first version of the review.');
    await dialog.getByRole('button', { name: 'Request activation' }).click();
    await announced(page, 'The activation waits for a second person.');
    await shown(page.getByText('Somebody else has to review your request.'));

    const { page: other } = await visit(new URL(page.url()).pathname, { as: second });
    await other.getByRole('button', { name: 'Confirm the activation' }).click();
    await other.getByRole('dialog').getByLabel('Note').fill('It is as we agreed in the team.');
    await other.getByRole('dialog').getByRole('button', { name: 'Confirm the activation' }).click();
    await announced(other, 'The version is active.');
    await shown(other.locator('h1 ~ .badge', { hasText: 'Active' }));
  });

  it('that cannot be read is refused in the form', async () => {
    const { page, expectedConsoleErrors } = await visit('/workflows', { as: officer });
    expectedConsoleErrors.add(422);
    await page.getByRole('button', { name: 'Upload a process' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'words.bpmn', mimeType: 'application/xml', buffer: Buffer.from('just words') });
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
    await shown(dialog.getByRole('alert').first());
  });

  it('with an error names its element, and can be activated once its file is replaced', async () => {
    const key = newKey();
    const { id } = await uploaded(key, workOf('risk.asess'));
    const { page, expectedConsoleErrors } = await visit(`/workflows/definitions/${id}`, { as: officer });
    await shown(page.getByRole('region', { name: 'Findings' }).getByText('score'));
    expect(await page.getByRole('button', { name: 'Request activation' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Replace the file' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    await shown(dialog.getByText('Choose a file.'));
    const replaceBy = async (buffer: Buffer) => {
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'review.bpmn', mimeType: 'application/xml', buffer });
      await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    };
    expectedConsoleErrors.add(422);
    await replaceBy(processFile(newKey()));
    await shown(dialog.getByRole('alert').first());
    await replaceBy(processFile(key));
    await announced(page, 'The file is replaced.');
    await shown(page.getByText('Nothing was found.'));
    await shown(page.getByRole('button', { name: 'Request activation' }));
  });
});

describe('an instance', () => {
  it('shows where it is, and ends when its task is completed', async () => {
    const id = await started();
    const { page } = await visit(`/workflows/instances/${id}`, { as: officer });
    await shown(page.getByRole('img', { name: /under way/ }));
    await page.getByRole('button', { name: 'Claim' }).click();
    await announced(page, 'The task is yours.');
    await page.getByRole('button', { name: 'Complete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Results').fill('no equals sign');
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await shown(dialog.getByText('A line is a name, an equals sign'));
    await dialog.getByLabel('Results').fill('agreed = true\nscore = 7');
    await dialog.getByRole('button', { name: 'Complete' }).click();
    await announced(page, 'The task is completed.');
    await shown(page.locator('h1 ~ .badge', { hasText: 'Completed' }));
    await shown(page.getByRole('region', { name: 'Variables' }).getByText('true'));
    await shown(page.getByRole('region', { name: 'History' }).getByText('review').first());
  });

  it('is suspended, resumed and cancelled', async () => {
    const id = await started();
    const { page } = await visit(`/workflows/instances/${id}`, { as: officer });
    await page.getByRole('button', { name: 'Suspend' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note').fill('We wait for the answer of the bank.');
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await announced(page, 'The instance rests.');
    await page.getByRole('button', { name: 'Resume' }).click();
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await announced(page, 'The instance goes on.');
    await page.getByRole('button', { name: 'Cancel the instance' }).click();
    await dialog.getByLabel('Note').fill('It was started by mistake.');
    await dialog.getByRole('button', { name: 'Cancel the instance' }).click();
    await announced(page, 'The instance is cancelled.');
    await gone(page.getByRole('button', { name: 'Suspend' }));
  });

  it('is found by its status, in Portuguese too', async () => {
    await started();
    const { page } = await visit('/workflows', { as: officer, locale: 'pt-BR' });
    await page.getByLabel('Situação').selectOption('active');
    await shown(page.getByRole('table', { name: 'Instâncias' }).getByText('Em andamento').first());
    await ledTo(page, /status=active/);
  });
});

examineStates(visit, [
  {
    name: 'the page of workflows',
    path: '/workflows',
    as: () => officer,
    reach: async (page) => {
      await enter(page, officer);
      await started();
      await page.reload();
      await page.getByRole('table', { name: 'Instances' }).waitFor();
    },
  },
  {
    name: 'a process',
    path: '/workflows',
    as: () => officer,
    reach: async (page) => {
      await enter(page, officer);
      const { id } = await uploaded(newKey());
      await page.goto(new URL(`/workflows/definitions/${id}`, page.url()).href);
      await page.getByRole('img', { name: 'Diagram of the process' }).waitFor();
    },
  },
  {
    name: 'an instance',
    path: '/workflows',
    as: () => officer,
    reach: async (page) => {
      await enter(page, officer);
      const id = await started();
      await page.goto(new URL(`/workflows/instances/${id}`, page.url()).href);
      await page.getByRole('img', { name: /under way/ }).waitFor();
    },
  },
]);
