/** Browser tests of the figures below the lines of screening in the settings. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { LONGEST_TEST } from '../../scripts/test/limits.ts';
import type { components } from '../../server/contract/generated/client-types.ts';
import { api } from './support/api.ts';
import { ownerToken } from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { type Person, person } from './support/people.ts';
import { openSettings, section } from './support/settings-page.ts';
import { shown } from './support/shown.ts';
import { examineStates } from './support/states.ts';

type Schemas = components['schemas'];
type Lists = Schemas['ScreeningLists'];

const visit = useChromium();
const PATH = '/settings?section=screening';
let officer: Person;
let lists: Lists;

beforeAll(async () => {
  const token = await ownerToken();
  await api('POST', '/v1/sandbox/enable', { token });
  officer = await person('compliance_officer', 'Carla Dias');
  await vi.waitFor(
    async () => {
      lists = await api<Lists>('GET', '/v1/screenings/lists', { token });
      if (lists.estimate?.isCurrent !== true) throw new Error('the lines were not estimated');
    },
    { timeout: LONGEST_TEST, interval: 500 },
  );
});

/** Returns the figures of a line for people on sanctions lists, without and with their birth date, as they read. */
function figuresAt(line: number, locale: string) {
  const figures = [false, true].map(
    (withDate) =>
      lists.estimate!.figures.find(
        ({ kind, subject, withDateOfBirth }) =>
          kind === 'sanctions' && subject === 'person' && withDateOfBirth === withDate,
      )!,
  );
  const [plain, dated] = figures.map(({ lines }) => lines.find((one) => one.line === line)!);
  const read = (value: number): string => value.toLocaleString(locale, { maximumFractionDigits: 1 });
  return {
    line: line.toLocaleString(locale),
    clean: read(plain!.cleanPerMille),
    cleanDated: read(dated!.cleanPerMille),
    tried: read(figures[0]!.aliases),
    found: Math.round(plain!.aliasPercent!),
    foundDated: Math.round(dated!.aliasPercent!),
  };
}

const inEnglish = (at: number): string => {
  const { line, clean, cleanDated, tried, found, foundDated } = figuresAt(at, 'en-GB');
  return (
    `From ${line}: about ${clean} of 1,000 people who are on no list produce a hit, ${cleanDated} if their date of ` +
    `birth is given. Of ${tried} aliases tried, ${found} % are found, and ${foundDated} % if the date of birth is ` +
    'given.'
  );
};

const inPortuguese = (at: number): string => {
  const { line, clean, cleanDated, tried, found, foundDated } = figuresAt(at, 'pt-BR');
  return (
    `A partir de ${line}: de 1.000 pessoas que não constam em nenhuma lista, cerca de ${clean} geram ocorrência, ou ` +
    `${cleanDated} se a data de nascimento for informada. De ${tried} outros nomes testados, ${found} % são ` +
    `encontrados, e ${foundDated} % se a data de nascimento for informada.`
  );
};

/** Answers the page's request for the lists with another estimate. */
const answering = (page: Page, estimate: Lists['estimate']): Promise<unknown> =>
  page.route('**/v1/screenings/lists', (route) => route.fulfill({ json: { ...lists, estimate } }));

describe('the figures of a line', () => {
  it('follow the score that is typed, and say how and for which lists they were made', async () => {
    const { page } = await visit(PATH, { as: officer });
    await openSettings(page, officer);
    const part = await section(page, 'Screening');
    await shown(part.getByText(inEnglish(0.82)));
    const alert = part.getByLabel('Sanctions: people, A hit from');
    expect(await part.locator(`#${await alert.getAttribute('aria-describedby')}`).textContent()).toBe(inEnglish(0.82));
    await alert.fill('0.95');
    await shown(part.getByText(inEnglish(0.95)));
    await alert.fill('0.6');
    await shown(part.getByText('Figures are computed for scores from 0.7 on.'));
    await shown(part.getByText(/with the names of 6,000 invented people and 3,000 invented companies/));
    await shown(part.getByText(/Lists: cgu-pep \S+, ofac-sdn \S+, un-csnu \S+\. Your own list is left out\./));
    await shown(part.getByText('These are the invented lists of the sandbox.'));
    expect(await part.getByText('The figures are of earlier lists').count()).toBe(0);
  });

  it('are in Portuguese, too', async () => {
    const { page } = await visit(PATH, { as: officer, locale: 'pt-BR' });
    const part = page.getByRole('region', { name: 'Triagem', exact: true });
    await shown(part.getByText(inPortuguese(0.82)));
    await shown(part.getByText(/com os nomes de 6\.000 pessoas e 3\.000 empresas inventadas/));
  });

  it('are said to be earlier ones if the lists have changed since', async () => {
    const { page } = await visit('/', { as: officer });
    await answering(page, { ...lists.estimate!, isCurrent: false });
    await page.goto(new URL(PATH, page.url()).href);
    const part = page.getByRole('region', { name: 'Screening', exact: true });
    await shown(part.getByText(inEnglish(0.82)));
    await shown(part.getByText(/The figures are of earlier lists or an earlier algorithm/));
  });

  it('are announced if there are none yet', async () => {
    const { page } = await visit('/', { as: officer });
    await answering(page, null);
    await page.goto(new URL(PATH, page.url()).href);
    const part = page.getByRole('region', { name: 'Screening', exact: true });
    await shown(part.getByText(/is computed in the background and will be shown here/));
    expect(await part.getByText(/people who are on no list/).count()).toBe(0);
  });
});

examineStates(visit, [
  {
    name: 'the screening section with figures',
    path: PATH,
    as: () => officer,
    reach: (page) =>
      page
        .getByText(/of 1,000 people who are on no list/)
        .first()
        .waitFor(),
  },
]);
