/** Fixture of the tests of repeated screenings after list changes and releases. */
import { expect } from 'vitest';
import { shared, type Credential, type Tenant } from '../support/service.ts';
import { CLEAN, startMonitoringWorld } from './monitoring-world.ts';

export const row = (key: string, name: string, more = ',1971-08-09,,,sanction,'): string =>
  `${key},person,${name},${more}`;

export interface Watched {
  readonly tenant: Tenant;
  officer: Credential;
  readonly id: string;
  readonly name: string;
}

/**
 * Names that are on no shipped list and unlike every other name of this file. The files that one test process runs
 * share them, so there are more than they all take.
 */
const NAMES = [
  'Quirino Zagalho Tapajos',
  'Belisario Cunhambebe Rondon',
  'Damasceno Urupema Xingu',
  'Epaminondas Guararapes Lobato',
  'Frutuoso Itabirito Caldas',
  'Guiomar Paranapiacaba Teles',
  'Hermenegildo Sapucaia Frota',
  'Inocencio Mantiqueira Prado',
  'Jeronimo Botucatu Valadares',
  'Leopoldina Araraquara Bastos',
  'Maximiano Ubatuba Queiroz',
  'Norberto Jaguaribe Falcao',
  'Olegario Piracicaba Meireles',
  'Teodolinda Caraguatatuba Pimenta',
  'Policarpo Itacoatiara Nogueira',
  'Salustiano Cambuquira Vidigal',
  'Venancio Guarapuava Seixas',
  'Zeferino Tupaciguara Bulhoes',
  'Adalgisa Piracanjuba Moscoso',
  'Bonifacia Uruacu Camargo',
  'Clodomiro Jequitinhonha Brandao',
  'Deodato Abaetetuba Figueira',
  'Eustaquio Parnaiba Sepulveda',
  'Felisbela Corumbaiba Amorim',
  'Gaudencio Taquaritinga Leitao',
];

export const FULL = [1, 1, []];

/** Starts a service whose tenants each monitor one approved customer. */
export async function startMonitoringCoverageWorld() {
  const world = await shared(startMonitoringWorld());
  /** Returns a tenant of its own with one customer who was compared with all lists. */
  async function watched(more: Parameters<typeof world.approve>[0] = {}): Promise<Watched> {
    const tenant = await world.tenant();
    await world.database.sql('UPDATE tenant SET sandbox_enabled = true, sandbox_enabled_at = now() WHERE id = $1', [
      tenant.id,
    ]);
    const name = NAMES.shift();
    if (name === undefined) throw new Error('every name is taken: add more');
    const id = await world.approve({ ...CLEAN, ...more, fullName: name }, tenant);
    const officer = await tenant.user('compliance_officer', today());
    expect(await world.coverage(officer)).toMatchObject({
      approvedSubjects: 1,
      monitored: 1,
      upToDate: 1,
      outdatedCount: 0,
      outdated: [],
    });
    return {
      tenant,
      officer,
      id,
      name,
    };
  }
  /** Returns a distinct purpose for each hour, because users must sign in again after the clock was moved. */
  const today = (): { readonly purpose: string } => ({
    purpose: world.running.services.clock().toISOString().slice(0, 13),
  });
  const put = async ({ id }: Tenant, status: string) =>
    world.request('PUT', `/v1/admin/tenants/${id}/status`, {
      as: await world.platform.user('platform_admin', today()),
      body: { status, reasonCode: 'other' },
    });
  async function later(hours: number, ...people: Watched[]): Promise<void> {
    world.advance(hours * 3_600_000);
    for (const one of people) one.officer = await one.tenant.user('compliance_officer', today());
  }
  const alertsOf = async ({ id, officer }: Watched): Promise<string[]> =>
    (await world.alerts(`applicationId=${id}`, officer)).map(({ status }) => status);
  const covered = async ({ officer }: Watched): Promise<unknown[]> => {
    const { monitored, upToDate, outdated } = await world.coverage(officer);
    return [monitored, upToDate, outdated.map(({ gaps }) => gaps)];
  };
  return {
    world,
    watched,
    put,
    later,
    alertsOf,
    covered,
  };
}
