/** Browser tests of verifications on the page of an application: their results, checks and overrides. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { api } from './support/api.ts';
import { jpeg } from '../support/specimens.ts';
import { type Application, application, pathOf, upload } from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { riskTeam, submitted } from './support/risk.ts';
import { shown } from './support/shown.ts';
import { announced } from './support/toast.ts';
import { failedVerification, LINES } from './support/verifications.ts';

type Verification = components['schemas']['Verification'];

const visit = useChromium();

const PAST_ITS_DATE = [LINES[0]!, 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];

let team: Awaited<ReturnType<typeof riskTeam>>;
let one: Application;
beforeAll(async () => {
  team = await riskTeam();
  one = await submitted();
  await failedVerification(one, team.analyst.token);
});

describe('the page of an application', () => {
  it('shows what a verification has found, and which checks were not run', async () => {
    const { page } = await visit(pathOf(one), { as: team.analyst });
    const section = page.getByRole('region', { name: 'Verifications' });
    await shown(section.getByText('Failed', { exact: true }).first());
    await shown(section.getByText('part of the service'));
    await section.getByText('Checks: Document').click();
    await shown(section.getByText('Not run · the picture was not read').first());
    await shown(section.getByText('ERIKSSON (machine-readable zone)'));
    expect(await section.getByRole('button').allTextContents()).toEqual(['Verify']);
  });

  it('starts the verification of a document, and of the sides that belong together', async () => {
    const draft = await application();
    const file = { name: 'cnh.jpg', mimeType: 'image/jpeg', bytes: jpeg() };
    await upload(draft, 'driver_license', file, 'front');
    await upload(draft, 'driver_license', { ...file, bytes: jpeg({ width: 800, height: 600 }) }, 'back');
    const { page } = await visit(pathOf(draft), { as: team.analyst });
    const section = page.getByRole('region', { name: 'Verifications' });
    await section.getByRole('button', { name: 'Verify' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Verify' }).click();
    await shown(dialog.getByText('Choose a document.'));
    const choice = dialog.getByRole('combobox', { name: 'Document' });
    expect(await choice.locator('option').allTextContents()).toEqual(['Choose', "Driver's licence: cnh.jpg"]);
    await choice.selectOption({ label: "Driver's licence: cnh.jpg" });
    await dialog.getByRole('radio', { name: /^Face/ }).check();
    expect(await choice.inputValue()).toBe('');
    await dialog.getByRole('radio', { name: /^Document/ }).check();
    await choice.selectOption({ label: "Driver's licence: cnh.jpg" });
    await dialog.getByRole('button', { name: 'Verify' }).click();
    await announced(page, 'The verification was started.');
    await shown(section.getByText('Document', { exact: true }));
    const { token } = team.analyst;
    const { items } = await api<{ items: Verification[] }>('GET', `/v1/verifications?applicationId=${draft.id}`, {
      token,
    });
    expect(items.map(({ type, inputs }) => [type, inputs?.documentIds.length])).toEqual([['document_ocr', 2]]);
  });

  it('asks for both pictures before it compares faces', async () => {
    const { page } = await visit(pathOf(one), { as: team.analyst });
    await page.getByRole('region', { name: 'Verifications' }).getByRole('button', { name: 'Verify' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Face').check();
    await dialog.getByRole('button', { name: 'Verify' }).click();
    for (const missing of ['Choose a document.', 'Choose a selfie.']) await shown(dialog.getByText(missing));
  });

  it('offers a birth date that was read, and takes it over only after a confirmation', async () => {
    const { token } = team.analyst;
    const draft = await application({}, { fullName: 'Anna Maria Eriksson', dateOfBirth: '1974-08-13' });
    const body = { applicationId: draft.id, type: 'document_ocr', inputs: { mrzLines: LINES } };
    await api<Verification>('POST', '/v1/verifications', { token, body });
    const { page } = await visit(pathOf(draft), { as: team.analyst });
    const section = page.getByRole('region', { name: 'Verifications' });
    await section.getByText('Checks: Document').click();
    await section.getByRole('button', { name: 'Take over: Date of birth' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take over' }).click();
    await announced(page, 'The application was changed.');
    expect(await api('GET', `/v1/applications/${draft.id}`, { token })).toMatchObject({
      applicant: { dateOfBirth: '1974-08-12' },
    });
  });

  it('drafts what the applicant is asked about a document that is past its date', async () => {
    const expired = await submitted();
    await failedVerification(expired, team.analyst.token, PAST_ITS_DATE);
    const { page } = await visit(pathOf(expired), { as: team.analyst });
    await page.getByRole('button', { name: 'Ask for a better document' }).click();
    const dialog = page.getByRole('dialog');
    const message = dialog.getByLabel('Message to the applicant');
    await shown(message);
    expect(await message.inputValue()).toMatch(/past its date|fora da validade|vencido/);
    expect(await dialog.getByLabel('Why').inputValue()).toBe('out_of_date');
  });

  it('lets a compliance officer override the result in Portuguese, and shows both results', async () => {
    const { page } = await visit(pathOf(one), { as: team.officer, locale: 'pt-BR' });
    const section = page.getByRole('region', { name: 'Verificações' });
    await section.getByRole('button', { name: 'Substituir o resultado: Documento' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Substituir' }).click();
    for (const missing of ['Escolha um resultado.', 'Escolha um motivo.', 'Escreva o que você viu.'])
      await shown(dialog.getByText(missing));
    await dialog.getByLabel('Aprovada').check();
    await dialog.getByLabel('Por quê').selectOption({ label: 'Uma pessoa conferiu' });
    await dialog.getByLabel('O que você viu').fill('As linhas eram de outro documento da pessoa.');
    await dialog.getByRole('button', { name: 'Substituir' }).click();
    await announced(page, 'O resultado foi substituído.');
    await shown(section.getByText('Aprovada por uma pessoa'));
    await shown(section.getByText('máquina: Reprovada'));
  });
});
