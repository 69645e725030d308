/** Browser tests of companies: their list, and the page of one with its requirements, owners and powers. */
import { beforeAll, describe, expect, it } from 'vitest';
import { api } from './support/api.ts';
import { newName, ownerToken } from './support/applications.ts';
import { type Business, pathOf, recorded } from './support/businesses.ts';
import { useChromium } from './support/chromium.ts';
import { person, type Person } from './support/people.ts';
import { shown } from './support/shown.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();

let analyst: Person;
let owned: Business;
let bare: Business;
let submitted: Business;
beforeAll(async () => {
  await api('POST', '/v1/sandbox/enable', { token: await ownerToken() });
  analyst = await person('analyst', 'Bruno Lima');
  bare = await recorded(analyst, newName('Padaria'));
  owned = await recorded(analyst, newName('Oficina'));
  submitted = await recorded(analyst, newName('Livraria'));
  const { token } = analyst;
  await api('POST', `/v1/businesses/${submitted.id}/submit`, { token });
  await api('PUT', `/v1/businesses/${owned.id}/ownership`, {
    token,
    ifMatch: '"0"',
    body: {
      bearerShares: false,
      parties: [
        { key: 'ana', kind: 'person', name: 'Ana Prado' },
        { key: 'bia', kind: 'person', name: 'Bia Prado' },
      ],
      edges: [
        {
          owner: 'ana',
          owned: 'root',
          capitalPercent: 60,
          source: 'declared',
        },
        {
          owner: 'bia',
          owned: 'root',
          capitalPercent: 10,
          source: 'declared',
        },
      ],
    },
  });
  await api('POST', `/v1/businesses/${owned.id}/powers`, {
    token,
    body: {
      type: 'articles',
      validFrom: '2024-01-15',
      rules: [
        {
          key: 'c7',
          clause: 'Clause 7',
          actTypes: ['*'],
          formula: { party: 'ana' },
        },
      ],
    },
  });
});

describe('the list of companies', () => {
  it('names each company with its registration, and leads to its page', async () => {
    const { page } = await visit('/businesses', { as: analyst });
    const row = page.getByRole('row').filter({ hasText: owned.legalName });
    await shown(row.getByText(owned.registration.number));
    await row.getByRole('link', { name: owned.legalName }).click();
    await shown(page.getByRole('heading', { level: 1, name: owned.legalName }));
    expect(new URL(page.url()).pathname).toBe(pathOf(owned));
  });
});

describe('the page of a company', () => {
  it('says what is required, who owns it, and which of its powers nobody has confirmed', async () => {
    const { page } = await visit(pathOf(owned), { as: analyst });
    const requirements = page.getByRole('region', { name: 'What is needed' });
    await shown(
      requirements.getByRole('listitem').filter({ hasText: 'Company is active' }).getByText('Not established'),
    );
    const owners = page.getByRole('region', { name: 'Owners' });
    const drawing = owners.getByRole('img', { name: 'Structure of the company' });
    await shown(drawing.getByText(/^Oficina/));
    await shown(drawing.getByText('Ana Prado 60 %'));
    await shown(owners.getByText('Version 1: 30 % of the company is unresolved.'));
    const cells = owners.getByRole('row').filter({ hasText: 'Ana Prado' }).getByRole('cell');
    expect(await cells.allInnerTexts()).toEqual(['Beneficial owner', '60 %', '90 %', '60 %']);
    await shown(page.getByRole('region', { name: 'Powers' }).getByText('Draft'));
    await shown(page.getByText('No confirmed power is in force.'));
  });

  it('says in Portuguese that nothing is recorded about owners and powers', async () => {
    const { page } = await visit(pathOf(bare), { as: analyst, locale: 'pt-BR' });
    await shown(page.getByText('Nenhum proprietário registrado.'));
    await shown(page.getByText('Nenhum poder registrado.'));
  });

  it('shows the risk of a submitted company, assesses it again, and leads to the sum', async () => {
    const { page } = await visit(pathOf(submitted), { as: analyst });
    const risk = page.getByRole('region', { name: 'Risk' });
    await shown(risk.getByText('High'));
    await risk.getByRole('button', { name: 'Assess again' }).click();
    await shown(page.getByText('The risk is assessed.', { exact: true }));
    await risk.getByRole('link', { name: 'Look at the sum' }).click();
    await shown(page.getByRole('heading', { level: 1, name: `Risk of ${submitted.legalName}` }));
    await page.getByRole('link', { name: 'Open the company' }).click();
    await shown(page.getByRole('heading', { level: 1, name: submitted.legalName }));
  });

  it('says that a company does not exist, and leads to the list', async () => {
    const nowhere = '/businesses/0197f2d3-10aa-7b55-9e21-0a1b2c3d4e5f';
    const { page, expectedConsoleErrors } = await visit(nowhere, { as: analyst });
    expectedConsoleErrors.add(404);
    await shown(page.getByRole('heading', { name: 'There is no such company' }));
    await page.getByRole('link', { name: 'To the companies' }).click();
    await shown(page.getByRole('heading', { level: 1, name: 'Companies' }));
  });
});

examineStates(visit, [
  {
    name: 'the list of companies',
    path: '/businesses',
    as: () => analyst,
    reach: (page) => shown(page.getByRole('link', { name: owned.legalName })),
  },
  {
    name: 'the page of a company',
    path: '/businesses',
    as: () => analyst,
    reach: async (page) => {
      await page.getByRole('link', { name: owned.legalName }).click();
      await shown(page.getByText('No confirmed power is in force.'));
    },
  },
]);
