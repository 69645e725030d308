import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { components } from '../../../server/contract/generated/client-types.ts';
import { api } from './api.ts';
import { type Application, application, complete, newName, ownerToken } from './applications.ts';
import { person, type Person } from './people.ts';

type Schemas = components['schemas'];

/** Creates the people of a team that works on risk in the sandbox, and returns them with what they do by the API. */
export async function riskTeam() {
  await api('POST', '/v1/sandbox/enable', { token: await ownerToken() });
  const [analyst, officer, second, viewer] = [
    await person('analyst', 'Bruno Lima'),
    await person('compliance_officer', 'Carla Dias'),
    await person('compliance_officer', 'Dora Alves'),
    await person('viewer', 'Vera Reis'),
  ];
  const assess = ({ id }: Pick<Application, 'id'>) =>
    api<Schemas['RiskAssessment']>('POST', '/v1/risk/assessments', {
      token: analyst.token,
      body: { applicationId: id },
    });
  return {
    analyst,
    officer,
    second,
    viewer,
    assessed: async () => assess(await submitted()),
    draft: () => draft(officer),
    backtested: (model: Pick<Schemas['RiskModel'], 'id'>) => backtested(model, officer),
  };
}

export const submitted = (): Promise<Application> =>
  application({ submit: true }, { ...complete(), fullName: newName('Rosalva') });
export const assessmentPath = ({ id }: Schemas['RiskAssessment']): string => `/risk/assessments/${id}`;
export const modelPath = ({ id }: Pick<Schemas['RiskModel'], 'id'>): string => `/risk/models/${id}`;

/** Returns a draft that is a copy of the active model of people, with another name and another threshold. */
async function draft({ token }: Person): Promise<Schemas['RiskModel']> {
  const { items } = await api<{ items: Schemas['RiskModelSummary'][] }>(
    'GET',
    '/v1/risk/models?status=active&subjectType=individual',
    { token },
  );
  const { id } = items[0]!;
  return api('POST', '/v1/risk/models', { token, body: { subjectType: 'individual', baseModelId: id } });
}

/** Runs a backtest of a model outside of the browser until it is completed. */
async function backtested(
  { id }: Pick<Schemas['RiskModel'], 'id'>,
  { token }: Person,
): Promise<Schemas['RiskBacktest']> {
  const queued = await api<Schemas['RiskBacktest']>('POST', `/v1/risk/models/${id}/backtests`, { token, body: {} });
  const read = () => api<Schemas['RiskBacktest']>('GET', `/v1/risk/backtests/${queued.id}`, { token });
  await expect.poll(async () => (await read()).status).toBe('completed');
  return read();
}

/** Returns the points of the bars, and the sum that is shown. */
export async function barsOf(page: Page): Promise<{ readonly points: readonly number[]; readonly sum: number }> {
  const section = page.getByRole('region', { name: 'How the score adds up' });
  await section.getByText('Sum of all points').waitFor();
  const numbers = await section.locator('.risk-bar-head .number').allInnerTexts();
  const values = numbers.map((text) => Number(/[\d.]+/.exec(text)?.[0]));
  return { points: values.slice(0, -1), sum: values.at(-1)! };
}
