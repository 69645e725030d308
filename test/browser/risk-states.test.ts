/** Browser tests of the states of the pages of risk: accessibility, colours and narrow screens. */
import { beforeAll } from 'vitest';
import { enter } from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { assessmentPath, barsOf, modelPath, riskTeam } from './support/risk.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();

let team: Awaited<ReturnType<typeof riskTeam>>;
beforeAll(async () => {
  team = await riskTeam();
});

examineStates(visit, [
  {
    name: 'the list of risk models',
    path: '/risk',
    as: () => team.officer,
    reach: async (page) => {
      await enter(page, team.officer);
      await page.getByRole('table', { name: 'Risk models' }).waitFor();
      await page.getByRole('table', { name: 'Reference lists' }).waitFor();
    },
  },
  {
    name: 'a risk model',
    path: '/risk',
    as: () => team.officer,
    reach: async (page) => {
      await enter(page, team.officer);
      const one = await team.draft();
      await page.goto(new URL(modelPath(one), page.url()).href);
      await page.getByRole('heading', { level: 2, name: 'Hard rules' }).waitFor();
    },
  },
  {
    name: 'the editor of a risk model with faults',
    path: '/risk',
    as: () => team.officer,
    reach: async (page) => {
      await enter(page, team.officer);
      const one = await team.draft();
      await page.goto(new URL(`${modelPath(one)}/edit`, page.url()).href);
      await page.getByText('Country of residence ·').click();
      await page.locator('.risk-entry[open]').getByLabel('Scores').fill('{');
      await page.getByRole('button', { name: 'Save the draft' }).click();
      await page.getByText('This is not JSON.').waitFor();
    },
  },
  {
    name: 'a completed backtest',
    path: '/risk',
    as: () => team.officer,
    reach: async (page) => {
      await enter(page, team.officer);
      await team.assessed();
      const { id } = await team.backtested(await team.draft());
      await page.goto(new URL(`/risk/backtests/${id}`, page.url()).href);
      await page.getByRole('table', { name: 'Levels before and after' }).waitFor();
    },
  },
  {
    name: 'a reference list',
    path: '/risk',
    as: () => team.officer,
    reach: async (page) => {
      await enter(page, team.officer);
      await page.getByRole('table', { name: 'Reference lists' }).getByRole('link').first().click();
      await page.getByRole('region', { name: 'Active version' }).waitFor();
    },
  },
  {
    name: 'an assessment',
    path: '/risk',
    as: () => team.officer,
    reach: async (page) => {
      await enter(page, team.officer);
      const found = await team.assessed();
      await page.goto(new URL(assessmentPath(found), page.url()).href);
      await barsOf(page);
    },
  },
  {
    name: 'the override of an assessment',
    path: '/risk',
    as: () => team.officer,
    reach: async (page) => {
      await enter(page, team.officer);
      const found = await team.assessed();
      await page.goto(new URL(assessmentPath(found), page.url()).href);
      await page.getByRole('button', { name: 'Override the level' }).click();
      await page.getByLabel('Note').waitFor();
    },
  },
]);
