/** Browser tests of verifications on the page of an application: their results, checks and overrides. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { api } from './support/api.ts';
import { type Application, pathOf } from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { riskTeam, submitted } from './support/risk.ts';
import { shown } from './support/shown.ts';
import { announced } from './support/toast.ts';

type Verification = components['schemas']['Verification'];

const visit = useChromium();
/** Lines of the passport of a fictional person, who is not the applicant. */
const LINES = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F3204153ZE184226B<<<<<16'];

let team: Awaited<ReturnType<typeof riskTeam>>;
let one: Application;
beforeAll(async () => {
  team = await riskTeam();
  one = await submitted();
  const { token } = team.analyst;
  const body = { applicationId: one.id, type: 'document_ocr', inputs: { mrzLines: LINES } };
  const { id } = await api<Verification>('POST', '/v1/verifications', { token, body });
  const read = () => api<Verification>('GET', `/v1/verifications/${id}`, { token });
  await vi.waitFor(async () => expect((await read()).status).toBe('failed'), { timeout: 10_000, interval: 100 });
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
    expect(await section.getByRole('button').count()).toBe(0);
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
