/** Browser tests of the review of a company, from its submission to the end of the relationship. */
import { beforeAll, describe, expect, it } from 'vitest';
import { jpeg } from '../support/specimens.ts';
import { api } from './support/api.ts';
import { enter, newName, ownerToken } from './support/applications.ts';
import { addDocument, decided, owned, pathOf, read, recorded, submitted } from './support/businesses.ts';
import { useChromium } from './support/chromium.ts';
import { inDialog } from './support/dialogs.ts';
import { person, type Person, protectedPerson } from './support/people.ts';
import { gone, shown } from './support/shown.ts';
import { signInWithCode } from './support/sign-in.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();
const NOTE = 'The register and the articles agree.';

let analyst: Person;
let officer: Person;
let viewer: Person;
beforeAll(async () => {
  await api('POST', '/v1/sandbox/enable', { token: await ownerToken() });
  analyst = await person('analyst', 'Bruno Lima');
  officer = await person('compliance_officer', 'Carla Dias');
  viewer = await person('viewer', 'Davi Prado');
});

describe('the review of a company', () => {
  it('begins when it is submitted, and waits while more is asked of the company', async () => {
    const one = await recorded(analyst, newName('Oficina'), { level: 'standard' });
    await addDocument(analyst, one);
    const { page } = await visit(pathOf(one), { as: analyst });
    await page.getByRole('button', { name: 'Submit' }).click();
    await shown(inDialog(page).getByRole('heading', { name: 'Submit the company?' }));
    await inDialog(page).getByRole('button', { name: 'Submit' }).click();
    await announced(page, 'The company is submitted.');
    await page.getByRole('button', { name: 'Ask for information' }).click();
    await inDialog(page).getByRole('button', { name: 'Ask', exact: true }).click();
    await shown(inDialog(page).getByText('Choose at least one.'));
    await inDialog(page).getByLabel('Articles or bylaws').check();
    await inDialog(page).getByLabel('Message to the company').fill('A page is missing.');
    await inDialog(page).getByRole('button', { name: 'Ask', exact: true }).click();
    await announced(page, 'The review waits for the company.');
    const asked = page.getByRole('region', { name: 'Asked of the company' });
    await shown(asked.getByText('A page is missing.'));
    expect((await read(analyst, one)).status).toBe('needs_information');
  });

  it('ends with an approval that one person proposes and another confirms, until the relationship ends', async () => {
    const one = await submitted(analyst);
    const { page } = await visit(pathOf(one), { as: officer });
    for (const name of ['Company is active', 'No protection against new accounts']) {
      await page.getByRole('button', { name: `Waive: ${name}` }).click();
      await inDialog(page).getByLabel('Why').selectOption('It cannot be obtained');
      await inDialog(page).getByLabel('Note').fill(NOTE);
      await inDialog(page).getByRole('button', { name: 'Waive' }).click();
      await inDialog(page).waitFor({ state: 'detached' });
    }
    const other = await visit(pathOf(one), { as: analyst });
    await other.page.getByRole('button', { name: 'Decide' }).click();
    await inDialog(other.page).getByLabel('Decision', { exact: true }).selectOption('Approve');
    await inDialog(other.page).getByLabel('identity confirmed').check();
    await inDialog(other.page).getByLabel('Note').fill(NOTE);
    await shown(inDialog(other.page).getByLabel('Message to the company'));
    await inDialog(other.page).getByRole('button', { name: 'Decide' }).click();
    await announced(other.page, 'The decision waits for a second person.');
    await shown(other.page.getByText('Somebody else has to review your decision.'));

    await page.reload();
    await page.getByRole('button', { name: 'Second review' }).click();
    await inDialog(page).getByLabel('Verdict').selectOption('Confirm: it takes effect');
    await inDialog(page).getByLabel('Note').fill(NOTE);
    await inDialog(page).getByRole('button', { name: 'Give the verdict' }).click();
    await announced(page, 'The decision is in effect.');
    expect((await read(officer, one)).status).toBe('approved');

    await page.reload();
    const watched = page.getByRole('region', { name: 'Monitoring' });
    await shown(watched.getByText('Another situation in the registry, Other owners'));
    await watched.getByRole('button', { name: 'Compare now' }).click();
    await announced(page, /^The company (?:is|will be) compared/);
    await shown(watched.getByText('Last compared'));

    await page.getByRole('button', { name: 'End the relationship' }).click();
    await shown(inDialog(page).getByText('The company is no longer a customer, from now on.'));
    await inDialog(page).getByRole('button', { name: 'End the relationship' }).click();
    await announced(page, 'The end of the relationship is noted.');
    await shown(page.getByRole('region', { name: 'Company' }).getByText('Customer until'));
    await page.getByRole('button', { name: 'Reopen' }).click();
    await shown(inDialog(page).getByRole('heading', { name: 'Reopen the company' }));
    await inDialog(page).getByLabel('Note').fill('The company has other articles.');
    await inDialog(page).getByRole('button', { name: 'Reopen' }).click();
    await announced(page, 'It is in review again.');
    await shown(page.getByRole('button', { name: 'Decide' }));
  });

  it('is not decided on evidence that has changed since it was read, whose changes are named, in Portuguese', async () => {
    const one = await submitted(analyst);
    const { page, expectedConsoleErrors } = await visit(pathOf(one), { as: analyst, locale: 'pt-BR' });
    await page.getByRole('button', { name: 'Decidir' }).click();
    await inDialog(page).getByLabel('Decisão', { exact: true }).selectOption('Recusar; pode tentar de novo');
    await inDialog(page).getByRole('checkbox').first().check();
    await inDialog(page).getByLabel('Observação').fill(NOTE);
    await owned(analyst, one);
    expectedConsoleErrors.add(409);
    // The service names changes of evidence that somebody has read in a decision; here they are put into its answer.
    await page.route('**/decisions', async (route) => {
      const response = await route.fetch();
      const problem = (await response.json()) as object;
      const changed = ['business', 'ownership', 'power', 'registry'].map((kind) => ({
        kind,
        id: kind,
        change: 'changed',
        before: null,
        after: null,
      }));
      await route.fulfill({ response, body: JSON.stringify({ ...problem, changed }) });
    });
    await inDialog(page).getByRole('button', { name: 'Decidir' }).click();
    const changes = page.getByRole('alert').filter({ hasText: 'As evidências mudaram' }).getByRole('listitem');
    await shown(changes.first());
    expect(await changes.allInnerTexts()).toEqual([
      'Dados da empresa: alterado',
      'Proprietários: alterado',
      'Poder: alterado',
      'Resposta do registro: alterado',
    ]);
  });

  it('leaves nothing of a company that is erased, and keeps a customer as the law requires', async () => {
    const eraser = await protectedPerson('compliance_officer', 'Carla Dias');
    const draft = await recorded(analyst);
    const customer = await decided(analyst, officer);
    const { page, expectedConsoleErrors } = await visit(pathOf(customer));
    expectedConsoleErrors.add(401).add(409).add(410);
    await signInWithCode(page, eraser);
    const erase = async () => {
      await page.getByRole('button', { name: 'Erase', exact: true }).click();
      await shown(inDialog(page).getByRole('heading', { name: 'Erase the company' }));
      await inDialog(page).getByRole('button', { name: 'Erase for good' }).click();
    };
    await erase();
    await shown(inDialog(page).getByText('as long as the company is a customer'));
    await page.goto(new URL(pathOf(draft), page.url()).href);
    await erase();
    await announced(page, 'The company is erased.');
    await shown(page.getByRole('heading', { level: 1, name: 'Companies' }));
    await page.goto(new URL(pathOf(draft), page.url()).href);
    await shown(page.getByRole('heading', { level: 1, name: 'There is no such company' }));
  });

  it('rests on what a person has looked up, in Portuguese', async () => {
    const one = await submitted(analyst);
    const { page } = await visit(pathOf(one), { as: analyst, locale: 'pt-BR' });
    await page.getByRole('button', { name: 'Atestar: Empresa ativa' }).click();
    await inDialog(page).getByLabel('Nada contra a empresa').check();
    await inDialog(page).getByLabel('Onde').fill('Cadastro da junta comercial');
    await inDialog(page).getByLabel('Observação').fill('Consta como ativa.');
    await inDialog(page).getByRole('button', { name: 'Atestar' }).click();
    await announced(page, 'O atestado foi registrado.');
    await shown(page.getByText(/Nada contra a empresa · Cadastro da junta comercial/));
    await shown(page.getByRole('region', { name: 'Histórico' }).getByText(/Empresa ativa/));
  });

  it('needs documents, which can be added and, in a draft, deleted', async () => {
    const one = await recorded(analyst, newName('Oficina'), { level: 'standard' });
    const { page } = await visit(pathOf(one), { as: analyst });
    await page.getByRole('link', { name: 'Upload: Articles of incorporation' }).click();
    await page.locator('input[type=file]').setInputFiles({
      name: 'contrato.jpg',
      mimeType: 'image/jpeg',
      buffer: jpeg({ text: newName() }),
    });
    await page.getByRole('button', { name: 'Upload' }).click();
    await announced(page, 'The document is added.');
    expect((await read(analyst, one)).documents?.map(({ type }) => type)).toEqual(['articles']);
    await page.getByRole('button', { name: 'Show: Articles of incorporation' }).click();
    await shown(page.getByRole('img', { name: 'Preview of contrato.jpg' }));
    await page.getByRole('button', { name: 'Delete: Articles of incorporation' }).click();
    await inDialog(page).getByRole('button', { name: 'Delete' }).click();
    await announced(page, 'The document is deleted.');
    await shown(page.getByText('No document has been added yet.'));
  });

  it('ends when the company is withdrawn, whose evidence can still be saved', async () => {
    const one = await submitted(analyst);
    const { page, expectedConsoleErrors } = await visit(pathOf(one), { as: analyst, locale: 'pt-BR' });
    await page.getByRole('button', { name: 'Retirar' }).click();
    await inDialog(page).getByRole('button', { name: 'Retirar' }).click();
    await announced(page, 'A empresa foi retirada.');
    await page.getByRole('button', { name: 'Pacote de evidências' }).click();
    // The log may have been signed less than ten seconds ago; the page tries again.
    expectedConsoleErrors.add(409);
    const download = page.waitForEvent('download');
    await inDialog(page).getByRole('button', { name: 'Baixar' }).click();
    expect((await download).suggestedFilename()).toBe(`evidence-pack-${one.id}.zip`);
  });

  it('is only shown to roles that may not change it', async () => {
    const one = await submitted(analyst);
    const { page } = await visit('/businesses', {});
    await enter(page, viewer);
    await page.goto(new URL(pathOf(one), page.url()).href);
    await shown(page.getByRole('heading', { level: 1, name: one.legalName }));
    await shown(page.getByRole('region', { name: 'What is needed' }));
    await gone(page.getByRole('button', { name: /Decide|Waive|Attest|Withdraw|Ask for information/ }));
  });
});
