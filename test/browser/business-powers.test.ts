/** Browser tests of the powers of a company: confirming and revoking them, and asking who may sign. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { branchOf } from '../operations/business-records.ts';
import { api } from './support/api.ts';
import { enter, ownerToken } from './support/applications.ts';
import { addDocument, type Business, confirmed, drafted, owned, pathOf, recorded } from './support/businesses.ts';
import { useChromium } from './support/chromium.ts';
import { inDialog } from './support/dialogs.ts';
import { person, type Person } from './support/people.ts';
import { gone, shown } from './support/shown.ts';
import { examineStates } from './support/states.ts';
import { announced } from './support/toast.ts';

type Schemas = components['schemas'];

const visit = useChromium();

let analyst: Person;
let officer: Person;
let viewer: Person;
beforeAll(async () => {
  await api('POST', '/v1/sandbox/enable', { token: await ownerToken() });
  analyst = await person('analyst', 'Bruno Lima');
  officer = await person('compliance_officer', 'Carla Dias');
  viewer = await person('viewer', 'Davi Prado');
});

async function withDraft(): Promise<Business> {
  const one = await recorded(analyst);
  await drafted(analyst, one);
  return one;
}

async function withPower(): Promise<Business> {
  const one = await withDraft();
  await confirmed(officer, one);
  return one;
}

const powersOf = async ({ id }: Business): Promise<readonly Schemas['Power'][]> =>
  (await api<Schemas['PowerList']>('GET', `/v1/businesses/${id}/powers`, { token: analyst.token })).items;

describe('a power', () => {
  it('is confirmed by somebody who reads its document, and not by its author', async () => {
    const one = await withDraft();
    const author = await visit(pathOf(one), { as: analyst });
    await shown(author.page.getByRole('region', { name: 'Powers' }).getByText('Draft'));
    await gone(author.page.getByRole('button', { name: 'Confirm: Articles' }));

    const { page } = await visit(pathOf(one), { as: officer });
    await page.getByRole('button', { name: 'Confirm: Articles' }).click();
    const dialog = inDialog(page);
    await shown(dialog.getByText('Who signs: Ana Prado and Bia Prado'));
    await shown(dialog.getByText('Who signs: one of “directors”'));
    await shown(dialog.getByText('The clause says: “Both directors sign together.”'));
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
    await shown(dialog.getByText('Read the document first.'));
    await dialog.getByRole('button', { name: 'Show the document' }).click();
    await shown(dialog.getByRole('img', { name: 'Preview of contrato.jpg' }));
    await dialog.getByLabel('I have read the document').check();
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
    await announced(page, 'The power is confirmed.');
    await shown(page.getByRole('region', { name: 'Powers' }).getByText('Confirmed'));
    expect((await powersOf(one)).map(({ status }) => status)).toEqual(['active']);
  });

  it('is drafted with its groups and rules, and the draft is changed', async () => {
    const one = await recorded(analyst);
    await owned(analyst, one);
    const file = await addDocument(analyst, one);
    const { page, expectedConsoleErrors } = await visit(pathOf(one), { as: analyst });
    await page.getByRole('button', { name: 'Record a power' }).click();
    const dialog = inDialog(page);
    await dialog.getByLabel('File').selectOption(file.id);
    await dialog.getByLabel('First day').fill('2024-01-15');
    for (const [at, name] of ['Ana Prado', 'Bia Prado'].entries()) {
      await dialog.getByRole('button', { name: 'Add a member' }).click();
      const member = dialog.getByRole('group', { name: `Member ${at + 1}` });
      await member.getByLabel('Group').fill('directors');
      await member.getByLabel('Person').selectOption(name);
    }
    await dialog.getByRole('button', { name: 'Add a rule' }).click();
    const rule = dialog.getByRole('group', { name: 'Rule 1', exact: true });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await shown(rule.getByText('Choose who signs.'));
    await rule.getByLabel('Clause (optional)').fill('Clause 7');
    await rule.getByLabel('How many sign').selectOption('At least so many of the chosen');
    await rule.getByLabel('At least', { exact: true }).fill('3');
    await rule.getByLabel('One of “directors”').check();
    await rule.getByLabel('Ana Prado').check();
    await rule.getByRole('group', { name: 'Acts' }).getByLabel('Moving funds').check();
    await rule.getByLabel('Amount', { exact: true }).fill('5000');
    expectedConsoleErrors.add(422);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await shown(dialog.locator('.field-error').first());
    await rule.getByLabel('At least', { exact: true }).fill('2');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await announced(page, 'The draft is recorded.');
    const [draft] = await powersOf(one);
    expect(draft).toMatchObject({
      status: 'draft',
      documentId: file.id,
      groups: [{ key: 'directors', members: [{ partyKey: 'ana' }, { partyKey: 'bia' }] }],
      rules: [
        {
          clause: 'Clause 7',
          actTypes: ['move_funds'],
          maxAmount: { amount: 500_000, currency: 'BRL' },
          formula: { atLeast: 2, of: [{ group: 'directors' }, { party: 'ana' }] },
        },
      ],
    });

    await page.getByRole('button', { name: 'Edit: Articles' }).click();
    await shown(dialog.getByRole('heading', { name: 'Edit the power' }));
    await rule.getByLabel('How many sign').selectOption('One of the chosen');
    await rule.getByLabel('Ana Prado').uncheck();
    await dialog.getByLabel('Last day').fill('2030-12-31');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await announced(page, 'The draft is changed.');
    expect((await powersOf(one))[0]).toMatchObject({
      id: draft!.id,
      validUntil: '2030-12-31',
      rules: [{ key: draft!.rules[0]!.key, formula: { group: 'directors' } }],
    });
  });

  it('keeps a formula that the form does not show, in Portuguese', async () => {
    const one = await withDraft();
    const [{ id, rules }] = (await powersOf(one)) as [Schemas['Power']];
    const formula = { all: [{ party: 'ana' }, { any: [{ party: 'bia' }, { role: 'director' }] }] };
    await api('PATCH', `/v1/businesses/${one.id}/powers/${id}`, {
      token: analyst.token,
      body: { rules: [{ ...rules[0], formula }] },
    });
    const { page } = await visit(pathOf(one), { as: analyst, locale: 'pt-BR' });
    await page.getByRole('button', { name: 'Editar: Contrato social' }).click();
    const rule = inDialog(page).getByRole('group', { name: 'Regra 1', exact: true });
    await shown(rule.getByLabel('Quantos assinam'));
    await rule.getByLabel('Cláusula (opcional)').fill('Cláusula 9ª');
    await inDialog(page).getByRole('button', { name: 'Salvar' }).click();
    await announced(page, 'O rascunho foi alterado.');
    expect((await powersOf(one))[0]!.rules).toMatchObject([{ clause: 'Cláusula 9ª', formula }]);
  });

  it('is revoked, but not from a time before it began, in Portuguese', async () => {
    const one = await withPower();
    const { page, expectedConsoleErrors } = await visit(pathOf(one), { as: analyst, locale: 'pt-BR' });
    await page.getByRole('button', { name: 'Revogar: Contrato social' }).click();
    const dialog = inDialog(page);
    await dialog.getByRole('button', { name: 'Revogar' }).click();
    await shown(dialog.getByText('Escolha um motivo.'));
    await dialog.getByLabel('Motivo').selectOption('Alguém renunciou');
    await dialog.getByLabel('A partir de quando').fill('2023-05-01T10:00');
    expectedConsoleErrors.add(422);
    await dialog.getByRole('button', { name: 'Revogar' }).click();
    await shown(dialog.getByText('É antes do primeiro dia do poder.'));
    await dialog.getByLabel('A partir de quando').fill('');
    await dialog.getByRole('button', { name: 'Revogar' }).click();
    await announced(page, 'O poder foi revogado.');
    expect((await powersOf(one)).map(({ revocationReason }) => revocationReason)).toEqual(['resigned']);
  });

  it('is only shown to roles that may not change it', async () => {
    const one = await withPower();
    const { page } = await visit('/businesses', {});
    await enter(page, viewer);
    await page.goto(new URL(pathOf(one), page.url()).href);
    await shown(page.getByRole('region', { name: 'Powers' }).getByText('Confirmed'));
    await gone(page.getByRole('button', { name: /Revoke|Confirm|Edit|Record a power|May they sign/ }));
  });
});

describe('who may sign', () => {
  it('is answered with who is missing, and leaves a receipt that can be read again', async () => {
    const one = await withPower();
    const { page } = await visit(pathOf(one), { as: analyst });
    await page.getByRole('button', { name: 'May they sign?' }).click();
    const dialog = inDialog(page);
    await dialog.getByRole('button', { name: 'Ask' }).click();
    await shown(dialog.getByText('Choose an act.').last());
    await dialog.getByLabel('Act', { exact: true }).selectOption('Moving funds');
    await dialog.getByLabel('Amount', { exact: true }).fill('5000');
    await dialog.getByLabel('Ana Prado').check();
    await dialog.getByRole('button', { name: 'Ask' }).click();
    await shown(dialog.getByText('It depends', { exact: true }));
    await shown(dialog.getByText('Somebody else has to sign too'));
    await shown(dialog.getByRole('heading', { name: 'Who is missing' }));
    await shown(dialog.getByRole('listitem').filter({ hasText: 'Bia Prado' }));
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'May they sign?' }).click();
    await dialog.getByLabel('Act', { exact: true }).selectOption('Moving funds');
    await dialog.getByLabel('Amount', { exact: true }).fill('500');
    await dialog.getByLabel('Ana Prado').check();
    await dialog.getByRole('button', { name: 'Ask' }).click();
    await shown(dialog.getByText('Digest of the receipt'));
    await page.keyboard.press('Escape');
    const earlier = page.getByRole('table', { name: 'Earlier questions' });
    await shown(earlier.getByRole('row').filter({ hasText: 'Moving funds' }).nth(1));
    await earlier
      .getByRole('button', { name: /^Receipt: Moving funds/ })
      .last()
      .click();
    await shown(dialog.getByText('Digest of the receipt'));
  });

  it('is asked about the people of the head office for a branch without people of its own', async () => {
    const head = await withPower();
    const branch = await recorded(analyst, head.legalName, {
      registration: { type: 'cnpj', number: branchOf(head.registration.number) },
    });
    const { page } = await visit(pathOf(branch), { as: analyst });
    await page.getByRole('button', { name: 'May they sign?' }).click();
    const dialog = inDialog(page);
    await dialog.getByLabel('Act', { exact: true }).selectOption('Moving funds');
    await dialog.getByLabel('Amount', { exact: true }).fill('5000');
    await dialog.getByLabel('Ana Prado').check();
    await dialog.getByRole('button', { name: 'Ask' }).click();
    await shown(dialog.getByRole('heading', { name: 'Who is missing' }));
    await shown(dialog.getByRole('listitem').filter({ hasText: 'Bia Prado' }));
    await gone(dialog.getByText('bia', { exact: true }));
  });

  it('is asked of everybody if nobody is named, and an error stands at its field, in Portuguese', async () => {
    const one = await withPower();
    const { page, expectedConsoleErrors } = await visit(pathOf(one), { as: analyst, locale: 'pt-BR' });
    await page.getByRole('button', { name: 'Podem assinar?' }).click();
    const dialog = inDialog(page);
    await dialog.getByLabel('Ato', { exact: true }).selectOption('Abertura de conta');
    await dialog.getByLabel('Valor', { exact: true }).fill('5000');
    await dialog.getByLabel('O outro lado').fill('!');
    expectedConsoleErrors.add(422);
    await dialog.getByRole('button', { name: 'Perguntar' }).click();
    await shown(dialog.locator('.field-error').filter({ hasText: 'Não tem a forma certa.' }));
    await dialog.getByLabel('O outro lado').fill('');
    await dialog.getByRole('button', { name: 'Perguntar' }).click();
    await shown(dialog.getByRole('heading', { name: 'Quem poderia assinar' }));
    await shown(dialog.getByRole('listitem').filter({ hasText: 'Ana Prado e Bia Prado' }));
  });

  it('is printed as a sheet without the page around it', async () => {
    const one = await withPower();
    const { page } = await visit(pathOf(one), { as: analyst });
    await page.getByRole('button', { name: 'Sheet to print' }).click();
    await shown(inDialog(page).getByText(one.legalName));
    await shown(inDialog(page).getByRole('row').filter({ hasText: 'with Bia Prado' }));
    await page.emulateMedia({ media: 'print' });
    await gone(inDialog(page).getByRole('button', { name: 'Print' }));
    await gone(page.locator('h1'));
    await shown(inDialog(page).getByRole('row').filter({ hasText: 'with Bia Prado' }));
    await page.emulateMedia({ media: 'screen' });
    await inDialog(page).getByLabel('On the day').fill('2023-01-01');
    await shown(inDialog(page).getByText('No confirmed power is in force.'));
  });
});

examineStates(visit, [
  {
    name: 'the question who may sign',
    path: '/businesses',
    as: () => analyst,
    reach: async (page) => {
      const one = await withPower();
      await enter(page, analyst);
      await page.goto(new URL(pathOf(one), page.url()).href);
      await page.getByRole('button', { name: 'May they sign?' }).click();
      await shown(inDialog(page).getByLabel('Ana Prado'));
    },
  },
  {
    name: 'the confirmation of a power',
    path: '/businesses',
    as: () => officer,
    reach: async (page) => {
      const one = await withDraft();
      await enter(page, officer);
      await page.goto(new URL(pathOf(one), page.url()).href);
      await page.getByRole('button', { name: 'Confirm: Articles' }).click();
      await shown(inDialog(page).getByText('Who signs: Ana Prado and Bia Prado'));
    },
  },
  {
    name: 'the form of a power',
    path: '/businesses',
    as: () => analyst,
    reach: async (page) => {
      const one = await withDraft();
      await enter(page, analyst);
      await page.goto(new URL(pathOf(one), page.url()).href);
      await page.getByRole('button', { name: 'Edit: Articles' }).click();
      await shown(inDialog(page).getByRole('group', { name: 'Rule 2', exact: true }));
    },
  },
]);
