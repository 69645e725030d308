/**
 * Measures the duration of a decision: it reads all evidence of the application under its lock, and writes the
 * decision, the application and two events. Used by main.ts.
 */
import { newCpf } from '../../test/support/cpf.ts';
import { amount, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';

type Answered = { readonly id: string; readonly evidenceDigest: string };

/** Returns the value below which this share of the values lies. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}

export async function measureDecisions({
  callers,
  startService,
  extent: {
    sdk: { calls },
  },
  say,
}: Laboratory): Promise<Section[]> {
  say(`${calls} decisions, one after the other …`);
  await using service = await startService();
  const { apiKey } = callers[0]!;
  const post = async (path: string, body: object, expected: number): Promise<Answered> => {
    const answer = await fetch(`${service.url}/v1/applications${path}`, {
      method: 'POST',
      headers: { ...apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== expected) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answered;
  };
  const milliseconds: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const applicant = {
      fullName: 'Maria da Silva',
      dateOfBirth: '1990-04-12',
      taxId: { type: 'cpf', value: newCpf() },
    };
    const { id, evidenceDigest } = await post(
      '',
      {
        purpose: 'account_opening',
        level: 'basic',
        submit: true,
        applicant,
      },
      201,
    );
    // The applicant has not been screened, so the decision needs a second reviewer: a review is written as well.
    const begun = performance.now();
    await post(
      `/${id}/decisions`,
      {
        outcome: 'approve',
        reasonCodes: ['identity_confirmed'],
        note: 'Passport and address agree.',
        evidenceDigest,
      },
      202,
    );
    milliseconds.push(performance.now() - begun);
  }
  return [
    {
      title: 'POST /v1/applications/{id}/decisions, one caller, commits that wait for the disk',
      raw: milliseconds,
      rows: [
        ['median', amount(quantile(milliseconds, 0.5), 'ms')],
        ['95 of 100 take at most', amount(quantile(milliseconds, 0.95), 'ms')],
      ],
    },
  ];
}
