/** Browser tests of risk: models, lists, backtests and assessments. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { enter, newName, pathOf } from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { assessmentPath, barsOf, modelPath, riskTeam, submitted } from './support/risk.ts';
import { gone, shown } from './support/shown.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();
const NOTE = 'The movers are as we expected them.';
const LIST = 'browser_countries';

let team: Awaited<ReturnType<typeof riskTeam>>;
beforeAll(async () => {
  team = await riskTeam();
});

async function giveVerdict(page: Page, verdict: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Verdict').selectOption(verdict);
  await dialog.getByLabel('Note').fill(NOTE);
  await dialog.getByRole('button', { name: 'Give the verdict' }).click();
}

describe('an assessment', () => {
  it('is made from the page of an application, and shows points that add up to the score, rules, and what would change the level', async () => {
    const one = await submitted();
    const { page } = await visit(pathOf(one), { as: team.analyst });
    await enter(page, team.analyst);
    const risk = page.getByRole('region', { name: 'Risk', exact: true });
    await risk.getByRole('button', { name: /Assess/ }).click();
    await announced(page, 'The risk is assessed.');
    await risk.getByRole('link', { name: 'Look at the sum' }).click();
    await page.getByRole('heading', { level: 1, name: `Risk of ${one.applicant.fullName}` }).waitFor();
    const { points, sum } = await barsOf(page);
    expect(points.length).toBeGreaterThan(5);
    expect(points.reduce((total, value) => total + value, 0)).toBeCloseTo(sum, 4);
    const summary = page.getByRole('region', { name: 'Summary' });
    expect(Number(await summary.locator('dd').first().innerText())).toBe(sum);
    const bars = await page
      .locator('.risk-bars rect.points')
      .evaluateAll((all) => all.map((bar) => [Number(bar.getAttribute('x')), Number(bar.getAttribute('width'))]));
    bars.slice(1, -1).forEach(([start], at) => expect(start).toBeCloseTo(bars[at]![0]! + bars[at]![1]!, 6));
    for (const part of ['Rules that applied', 'What would change the level', 'Facts that are missing'])
      await shown(page.getByRole('region', { name: part }));
    await page.getByRole('button', { name: 'Calculate it again' }).click();
    await shown(page.getByText('The result is the same.'));
    await page.getByRole('button', { name: 'Override the level' }).waitFor({ state: 'detached' });
  });

  it('is overridden by a compliance officer in Portuguese until a day, which the page of the application shows', async () => {
    const found = await team.assessed();
    const { page } = await visit(assessmentPath(found), { as: team.officer, locale: 'pt-BR' });
    await page.getByRole('button', { name: 'Ajustar o nível' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Ajustar o nível' }).click();
    for (const missing of ['Escolha um nível.', 'Escolha um motivo.', 'Escreva o raciocínio.', 'Digite um dia.'])
      await shown(dialog.getByText(missing));
    await dialog.getByLabel('Nível').selectOption({ label: 'Alto' });
    await dialog.getByLabel('Motivo').selectOption({ label: 'Há informações desfavoráveis' });
    await dialog.getByLabel('Observação').fill('Há uma reportagem sobre a empresa da pessoa.');
    const day = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
    await dialog.getByLabel('Até o fim de').fill(day);
    await dialog.getByRole('button', { name: 'Ajustar o nível' }).click();
    await announced(page, 'O nível foi ajustado.');
    await shown(page.getByRole('region', { name: 'Ajuste' }).getByText('Há informações desfavoráveis'));
    await page.getByRole('link', { name: 'Abrir a solicitação' }).click();
    const risk = page.getByRole('region', { name: 'Risco', exact: true });
    await shown(risk.getByText('Alto', { exact: true }));
    await shown(risk.getByText('ajustado até'));
  });

  it('is shown without facts to users who see personal data masked', async () => {
    const found = await team.assessed();
    const { page } = await visit(assessmentPath(found), { as: team.viewer });
    await shown(page.getByText('Your role sees the facts of the assessment masked.'));
    expect(await page.getByRole('region', { name: 'How the score adds up' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Override the level' }).count()).toBe(0);
  });

  it('that does not exist leads back to the models', async () => {
    const { page, expectedConsoleErrors } = await visit('/risk/assessments/0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21', {
      as: team.analyst,
    });
    expectedConsoleErrors.add(404);
    await page.getByRole('link', { name: 'To the risk models' }).click();
    await shown(page.getByRole('table', { name: 'Risk models' }));
  });
});

describe('a risk model', () => {
  it('is copied as a draft, edited beside what differs, compared by a backtest, and activated by a second officer', async () => {
    await team.assessed();
    const { page, expectedConsoleErrors } = await visit('/risk', { as: team.officer });
    expectedConsoleErrors.add(422);
    const row = page.getByRole('table', { name: 'Risk models' }).getByRole('row').filter({ hasText: 'Active' });
    await row
      .filter({ hasText: 'People' })
      .first()
      .getByRole('button', { name: /Copy as a draft/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Copy as a draft' }).click();
    await page.getByRole('heading', { level: 1, name: /Edit version/ }).waitFor();

    const changes = page.getByRole('region', { name: 'What you change' });
    await shown(changes.getByText('Nothing is different.'));
    const name = `People, stricter ${newName('Nova')}`;
    await page.getByLabel('Name', { exact: true }).first().fill(name);
    await page.getByLabel('Medium from').fill('90');
    await shown(changes.getByText('Medium from'));
    await page.getByText('Country of residence ·').click();
    const scores = page.locator('.risk-entry[open]').getByLabel('Scores');
    const written = await scores.inputValue();
    await scores.fill('{ "by": ');
    await shown(changes.getByText('Shown as soon as every JSON text is complete.'));
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await shown(page.getByText('This is not JSON.'));
    await scores.fill(written);
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await shown(page.locator('.field-error').first());
    await page.getByLabel('Medium from').fill('1');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await announced(page, 'The draft is saved.');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await shown(page.getByRole('region', { name: /What differs from version/ }).getByText('Medium from'));

    await page.getByRole('button', { name: 'Backtest' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start the backtest' }).click();
    await announced(page, 'The backtest is queued.');
    await page.getByText('Completed', { exact: true }).waitFor();
    await shown(page.getByRole('table', { name: 'Levels before and after' }));
    const movers = page.getByRole('table', { name: 'Who would move' });
    await movers.getByRole('link').first().waitFor();
    await page.getByRole('region', { name: 'Who would move' }).getByLabel('Level after').selectOption('prohibited');
    await shown(page.getByText('Nobody would move like that.'));

    await page.getByRole('region', { name: 'Summary' }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Request activation' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Request activation' }).click();
    await announced(page, 'The activation waits for a second person.');
    await shown(page.getByText('Somebody else has to review your request.'));
    expect(await page.getByRole('button', { name: 'Review the activation' }).count()).toBe(0);

    const other = await visit('/work?kind=activation', { as: team.second });
    await other.page.getByRole('link', { name: 'Activation to review: Risk model' }).first().click();
    await other.page.getByRole('heading', { level: 1, name }).waitFor();
    await other.page.getByRole('button', { name: 'Review the activation' }).click();
    await other.page.getByRole('dialog').getByRole('button', { name: 'Give the verdict' }).click();
    for (const missing of ['Choose a verdict.', 'Write what you looked at.'])
      await shown(other.page.getByText(missing));
    await giveVerdict(other.page, 'confirm');
    await announced(other.page, 'It is active.');
    await shown(other.page.getByRole('region', { name: 'Re-assessment of all subjects' }).getByText('finished'));
  });

  it('runs as a shadow for some days, does not change meanwhile, and keeps its results', async () => {
    const one = await team.draft();
    const { page } = await visit(modelPath(one), { as: team.officer });
    await page.getByRole('button', { name: 'Run as a shadow' }).click();
    await page.getByRole('dialog').getByLabel('Days').fill('14');
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await announced(page, 'The shadow run has begun.');
    await gone(page.getByRole('link', { name: 'Edit' }));
    await team.assessed();
    await page.getByRole('button', { name: 'End the shadow run' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End the shadow run' }).click();
    await announced(page, 'The shadow run is over.');
    await page
      .getByRole('table', { name: 'Backtests' })
      .getByRole('link', { name: /Shadow run/ })
      .click();
    await shown(page.getByRole('heading', { level: 1, name: /Shadow run: version/ }));
    await shown(page.getByText('What would change', { exact: true }));
  });

  it('shows how far a backtest is, and cancels it', async () => {
    const one = await team.draft();
    const { id } = await team.backtested(one);
    const { page } = await visit('/risk', { as: team.officer });
    await page.getByRole('heading', { level: 1, name: 'Risk models' }).waitFor();
    // A backtest of few subjects is over before anybody could cancel it, so the page is told that it runs.
    await page.route(`**/v1/risk/backtests/${id}*`, async (route) => {
      const response = await route.fetch();
      const running = {
        ...(await response.json()),
        status: 'running',
        total: 40,
        done: 10,
        results: null,
      };
      await route.fulfill({ response, json: running });
    });
    const cancelled: string[] = [];
    await page.route(`**/v1/risk/backtests/${id}/cancel`, async (route) => {
      cancelled.push(route.request().method());
      await page.unroute(`**/v1/risk/backtests/${id}*`);
      await route.fulfill({ status: 200, json: await (await route.fetch({ url: route.request().url() })).json() });
    });
    await page.goto(new URL(`/risk/backtests/${id}`, page.url()).href);
    await shown(page.getByText('10 of 40 scored.'));
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('10');
    await page.getByRole('button', { name: 'Cancel the backtest' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the backtest' }).click();
    await shown(page.getByText('Completed', { exact: true }));
    expect(cancelled).toEqual(['POST']);
  });

  it('is read by analysts, who are offered nothing that they may not do', async () => {
    const one = await team.draft();
    const { page } = await visit(modelPath(one), { as: team.analyst });
    await shown(page.getByRole('heading', { level: 2, name: 'Factors' }));
    await shown(page.getByText('Where a person lives decides which rules bind those who pay them').first());
    expect(await page.getByRole('region', { name: 'Backtests' }).count()).toBe(0);
    for (const name of ['Request activation', 'Backtest', 'Run as a shadow', 'Copy as a draft'])
      expect(await page.getByRole('button', { name }).count(), name).toBe(0);
  });
});

describe('a reference list', () => {
  it('is drafted in Portuguese and confirmed by a second officer', async () => {
    const { page } = await visit('/risk', { as: team.officer, locale: 'pt-BR' });
    await page.getByRole('button', { name: 'Nova lista' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Chave').fill(LIST);
    await dialog.getByLabel('Nome').fill('Países do teste');
    await dialog.getByLabel('Fonte').fill('GAFI, 24 de outubro de 2026');
    await dialog.getByLabel('Valores').fill('IR\nKP');
    await dialog.getByRole('button', { name: 'Salvar o rascunho' }).click();
    await page.getByRole('heading', { level: 1, name: 'Países do teste' }).waitFor();
    await page.getByRole('button', { name: 'Pedir a ativação' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pedir a ativação' }).click();
    await announced(page, 'A ativação aguarda outra pessoa.');
    await shown(page.getByText('Outra pessoa precisa revisar o seu pedido.'));

    const other = await visit('/work?kind=activation', { as: team.second });
    const link = other.page.getByRole('link', { name: 'Activation to review: Reference list' }).first();
    await expect.poll(() => link.getAttribute('href')).toContain('/risk/lists/');
    await link.click();
    await other.page.getByRole('button', { name: 'Review the activation' }).click();
    await giveVerdict(other.page, 'confirm');
    await announced(other.page, 'It is active.');
    await shown(other.page.getByRole('region', { name: 'Active version' }).getByText('IR', { exact: true }));
  });

  it('says under its field that a key is not as it should be', async () => {
    const { page, expectedConsoleErrors } = await visit('/risk', { as: team.officer });
    expectedConsoleErrors.add(400);
    expectedConsoleErrors.add(404);
    await page.getByRole('button', { name: 'New list' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Key').fill('Not A Key');
    await dialog.getByLabel('Name').fill('Countries');
    await dialog.getByLabel('Source').fill('FATF');
    await dialog.getByLabel('Values').fill('IR');
    await dialog.getByRole('button', { name: 'Save the draft' }).click();
    await shown(dialog.locator('.field-error, .problems').first());
  });
});
