/** Browser tests of recording a company, and of what its registry says: differences, and partners who become owners. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { companies } from '../../server/providers/personas/index.ts';
import { branchOf, newCnpj } from '../operations/business-records.ts';
import { api } from './support/api.ts';
import { enter, newName, ownerToken } from './support/applications.ts';
import { owned, pathOf, persona, recorded } from './support/businesses.ts';
import { useChromium } from './support/chromium.ts';
import { inDialog } from './support/dialogs.ts';
import { person, type Person } from './support/people.ts';
import { gone, shown } from './support/shown.ts';
import { examineStates } from './support/states.ts';
import { announced } from './support/toast.ts';

type Schemas = components['schemas'];

const visit = useChromium();

let analyst: Person;
let viewer: Person;
beforeAll(async () => {
  await api('POST', '/v1/sandbox/enable', { token: await ownerToken() });
  analyst = await person('analyst', 'Bruno Lima');
  viewer = await person('viewer', 'Davi Prado');
});

const idIn = (address: string): string => new URL(address).pathname.split('/').at(-1)!;

describe('a company', () => {
  it('is recorded in the list, with errors at their fields, and its page follows', async () => {
    const { page, expectedConsoleErrors } = await visit('/businesses', { as: analyst });
    await page.getByRole('button', { name: 'Record a company' }).click();
    const dialog = inDialog(page);
    await dialog.getByRole('button', { name: 'Record', exact: true }).click();
    await shown(dialog.getByText('Enter the name.'));
    const name = newName('Livraria');
    await dialog.getByLabel('Legal name').fill(name);
    await dialog.getByLabel('CNPJ').fill('11222333000180');
    await dialog.getByLabel('Legal form').selectOption('Limited company');
    expectedConsoleErrors.add(422);
    await dialog.getByRole('button', { name: 'Record', exact: true }).click();
    await shown(dialog.getByText('This is not a CNPJ.'));
    const number = newCnpj();
    await dialog.getByLabel('CNPJ').fill(branchOf(number));
    await dialog.getByRole('button', { name: 'Record', exact: true }).click();
    await shown(dialog.getByText('This is a branch. Record its head office first.'));
    await dialog.getByLabel('CNPJ').fill(number.toLowerCase().replace(/^(..)(...)(...)(....)/, '$1.$2.$3/$4-'));
    await dialog.getByRole('button', { name: 'Record', exact: true }).click();
    await announced(page, 'The company is recorded.');
    await shown(page.getByRole('heading', { level: 1, name }));
    await shown(page.getByText(`${number} (BR)`));
  });

  it('cannot be recorded by roles that only read', async () => {
    const { page } = await visit('/businesses', {});
    await enter(page, viewer);
    await shown(page.getByRole('heading', { level: 1, name: 'Companies' }));
    await gone(page.getByRole('button', { name: 'Record a company' }));
  });
});

describe('the registry', () => {
  it('is asked, its difference is resolved, and its partners become the owners, in Portuguese', async () => {
    const { taxId } = companies.find(({ key }) => key === 'unknown_shares')!;
    const registration = { type: 'cnpj', number: taxId } as const;
    const one = await recorded(analyst, newName('Quotas Claras'), { registration });
    const { page } = await visit(pathOf(one), { as: analyst, locale: 'pt-BR' });
    const registry = page.getByRole('region', { name: 'Registro' });
    await shown(registry.getByText('O registro não foi consultado.'));
    await registry.getByRole('button', { name: 'Consultar o registro' }).click();
    await announced(page, 'O registro respondeu.');
    await shown(registry.getByText('Ativa', { exact: true }));

    const dialog = inDialog(page);
    await registry.getByRole('button', { name: /^Resolver: Nome/ }).click();
    await dialog.getByRole('button', { name: 'Resolver' }).click();
    await shown(dialog.getByText('Escolha quem está certo.'));
    await dialog.getByLabel('O declarado está certo').check();
    await dialog.getByLabel('Observação').fill('A alteração ainda não foi registrada.');
    await dialog.getByRole('button', { name: 'Resolver' }).click();
    await announced(page, 'A divergência foi resolvida.');
    await shown(registry.getByText('O declarado está certo: A alteração ainda não foi registrada.'));

    await registry.getByRole('button', { name: 'Adotar os sócios' }).click();
    const shares = dialog.getByLabel(/^Participação de /);
    await shares.first().fill('60,5');
    await dialog.getByRole('button', { name: 'Adotar' }).click();
    await announced(page, 'Os proprietários foram registrados.');
    const token = analyst.token;
    const { version, edges } = await api<Schemas['Ownership']>('GET', `/v1/businesses/${idIn(page.url())}/ownership`, {
      token,
    });
    expect([version, edges[0]?.capitalPercent]).toEqual([1, 60.5]);
  });

  it('is not asked by roles that only read', async () => {
    const one = await recorded(analyst);
    const { page } = await visit('/businesses', {});
    await enter(page, viewer);
    await page.goto(new URL(pathOf(one), page.url()).href);
    await shown(page.getByRole('region', { name: 'Registry' }).getByText('The registry has not been asked.'));
    await gone(page.getByRole('button', { name: 'Ask the registry' }));
  });
});

describe('the people of a company', () => {
  it('get applications of their own, which the dialog leads to', async () => {
    const one = await recorded(analyst);
    await owned(analyst, one);
    const { page } = await visit(pathOf(one), { as: analyst });
    await page.getByRole('button', { name: 'Applications of the people' }).click();
    const dialog = inDialog(page);
    await dialog.getByRole('button', { name: 'Begin' }).click();
    await shown(dialog.getByText('Choose at least one.'));
    await dialog.getByLabel('Ana Prado').check();
    await dialog.getByLabel('Bia Prado').check();
    await dialog.getByRole('button', { name: 'Begin' }).click();
    await announced(page, '2 applications are linked.');
    await dialog.getByRole('link', { name: 'Bia Prado' }).click();
    await shown(page.getByRole('heading', { level: 1, name: 'Bia Prado' }));
  });
});

examineStates(visit, [
  {
    name: 'the form of a new company',
    path: '/businesses',
    as: () => analyst,
    reach: async (page) => {
      await page.getByRole('button', { name: 'Record a company' }).click();
      await shown(inDialog(page).getByLabel('Legal form'));
    },
  },
  {
    name: 'the answer of a registry',
    path: '/businesses',
    as: () => analyst,
    reach: async (page) => {
      const one = await persona(analyst, 'layered_company');
      await enter(page, analyst);
      await page.goto(new URL(pathOf(one), page.url()).href);
      await page.getByRole('button', { name: 'Take over the partners' }).click();
      await shown(
        inDialog(page)
          .getByLabel(/^Share of /)
          .first(),
      );
    },
  },
]);
