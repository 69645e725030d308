/** Browser tests of companies: their list, and the page of one with its requirements, owners and powers. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { api } from './support/api.ts';
import { newName, ownerToken } from './support/applications.ts';
import { type Business, pathOf, read, recorded } from './support/businesses.ts';
import { useChromium } from './support/chromium.ts';
import { inDialog } from './support/dialogs.ts';
import { person, type Person } from './support/people.ts';
import { gone, shown } from './support/shown.ts';
import { examineStates } from './support/states.ts';
import { announced } from './support/toast.ts';

type Schemas = components['schemas'];

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

  it('changes the data of the company, and says so if somebody else has changed it meanwhile', async () => {
    const one = await recorded(analyst, newName('Padaria'));
    const { page, expectedConsoleErrors } = await visit(pathOf(one), { as: analyst });
    const summary = page.getByRole('region', { name: 'Company' });
    await summary.getByRole('button', { name: 'Edit: Company' }).click();
    const dialog = inDialog(page);
    await dialog.getByLabel('Legal name').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await shown(dialog.getByText('Enter the name.'));
    await dialog.getByLabel('Legal name').fill(`${one.legalName} do Porto`);
    await dialog.getByLabel('Trade name').fill('Do Porto');
    await dialog.getByLabel('Legal form').selectOption('Closed corporation');
    await dialog.getByLabel('Amount', { exact: true }).fill('12500.50');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await announced(page, 'The company is changed.');
    await shown(page.getByRole('heading', { level: 1, name: `${one.legalName} do Porto` }));
    await shown(summary.getByText(/12,500\.50/));
    await summary.getByRole('button', { name: 'Edit: Company' }).click();
    await api('PATCH', `/v1/businesses/${one.id}`, { token: analyst.token, body: { tradeName: 'Do Cais' } });
    expectedConsoleErrors.add(412);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await shown(dialog.getByRole('alert'));
    expect((await read(analyst, one)).tradeName).toBe('Do Cais');
  });

  it('records owners by hand, says what is wrong with them, and keeps what it does not show, in Portuguese', async () => {
    const one = await recorded(analyst, newName('Oficina'));
    const { page, expectedConsoleErrors } = await visit(pathOf(one), { as: analyst, locale: 'pt-BR' });
    const dialog = inDialog(page);
    const edit = () => page.getByRole('button', { name: 'Editar: Proprietários' }).click();
    await edit();
    await dialog.getByRole('button', { name: 'Acrescentar pessoa ou organização' }).click();
    const [ana, holding] = [
      dialog.getByRole('group', { name: 'Parte 1' }),
      dialog.getByRole('group', { name: 'Parte 2' }),
    ];
    await ana.getByLabel('Nome', { exact: true }).fill('Ana Prado');
    await ana.getByLabel('diretor').check();
    await dialog.getByRole('button', { name: 'Acrescentar pessoa ou organização' }).click();
    await holding.getByLabel('Nome', { exact: true }).fill('Prado Participações');
    await holding.getByLabel('Tipo').selectOption('Empresa');
    for (const [at, owner, owned, share] of [
      [1, 'Ana Prado', 'Prado Participações', '100'],
      [2, 'Prado Participações', 'A empresa', '60'],
      [3, 'Ana Prado', 'A empresa', '50'],
    ] as const) {
      await dialog.getByRole('button', { name: 'Acrescentar participação' }).click();
      const row = dialog.getByRole('group', { name: `Participação ${at}` });
      await dialog.getByRole('button', { name: 'Salvar' }).click();
      await shown(row.getByText('Escolha um proprietário.'));
      await row.getByLabel('Proprietário').selectOption(owner);
      await row.getByLabel('Tem parte de').selectOption(owned);
      await row.getByLabel('Participação no capital').fill(share);
    }
    expectedConsoleErrors.add(422);
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await shown(dialog.getByRole('alert').or(dialog.locator('.field-error')).first());
    await dialog.getByRole('group', { name: 'Participação 3' }).getByLabel('Participação no capital').fill('12,5');
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await announced(page, 'Os proprietários foram registrados.');
    const owners = page.getByRole('region', { name: 'Proprietários' });
    await shown(owners.getByRole('row').filter({ hasText: 'Ana Prado' }).getByText('72,5 %').first());

    const graph = await api<Schemas['Ownership']>('GET', `/v1/businesses/${one.id}/ownership`, {
      token: analyst.token,
    });
    await api('PUT', `/v1/businesses/${one.id}/ownership`, {
      token: analyst.token,
      ifMatch: '"1"',
      body: {
        bearerShares: false,
        parties: graph.parties.map((party) => ({ ...party, country: 'PT' })),
        edges: graph.edges,
      },
    });
    await page.reload();
    await edit();
    await shown(dialog.getByText('Isto substitui a versão 2'));
    await dialog.getByRole('button', { name: 'Remover a parte 2' }).click();
    await gone(dialog.getByRole('group', { name: 'Participação 2' }));
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await announced(page, 'Os proprietários foram registrados.');
    const after = await api<Schemas['Ownership']>('GET', `/v1/businesses/${one.id}/ownership`, {
      token: analyst.token,
    });
    expect(after).toMatchObject({
      version: 3,
      parties: [
        {
          key: 'p1',
          name: 'Ana Prado',
          country: 'PT',
          roles: ['director'],
        },
      ],
      edges: [{ owner: 'p1', owned: 'root', capitalPercent: 12.5 }],
    });
    expect(after.edges).toHaveLength(1);
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
  {
    name: 'the form of the owners',
    path: '/businesses',
    as: () => analyst,
    reach: async (page) => {
      await page.getByRole('link', { name: owned.legalName }).click();
      await page.getByRole('button', { name: 'Edit: Owners' }).click();
      await shown(inDialog(page).getByRole('group', { name: 'Holding 2' }));
    },
  },
]);
