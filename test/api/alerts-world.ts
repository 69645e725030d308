/** Fixture of the tests of monitoring alerts. */
import type { Options } from '../support/service.ts';
import { newCpf } from '../support/cpf.ts';
import { type Alert, CLEAN, startMonitoringWorld } from './monitoring-world.ts';

const NAMES = (
  'Anacleto Bartira Cipriano Deodato Eleuterio Feliciano Gaudencio Herculano ' +
  'Iracema Juvenal Leocadia Malaquias Nepomuceno Otaviano Prudencio Quiteria'
).split(' ');
const SURNAMES = (
  'Itapuca Piratininga Urutau Jequitiba Mandacaru Sabarabucu Tocantins Caparao ' +
  'Ararangua Bertioga Cabreuva Doresopolis Embuguacu Garanhuns Horizontina Ituverava'
).split(' ');

/** An approved person who is monitored. */
export interface Watched {
  readonly name: string;
  readonly taxId: string;
  readonly id: string;
}

/** Starts a service with monitored people, none of whom is alike to another. */
export async function startAlertsWorld(options?: Options) {
  const world = await startMonitoringWorld(options);
  await world.follow();
  let count = 0;
  return {
    ...world,
    /** Approves another person. */
    async watched(): Promise<Watched> {
      const [name, taxId] = [`${NAMES[count]!} ${SURNAMES[count]!} Vasconcelos`, newCpf()];
      count++;
      const applicant = { ...CLEAN, fullName: name, taxId: { type: 'cpf', value: taxId, country: 'BR' } } as const;
      return { name, taxId, id: await world.approve(applicant) };
    },
    /** Returns the row of a list, with the number of the latest person. */
    row: (name: string, category = 'watchlist'): string => `${count},person,${name},,,,,${category},`,
    alertsOf: ({ id }: Pick<Watched, 'id'>, query = 'kind=sanctions&sort=firstSeenAt'): Promise<Alert[]> =>
      world.alerts(`applicationId=${id}&${query}`),
    /** Advances the clock of the sandbox. */
    async advance(days: number): Promise<void> {
      await world.request('POST', '/v1/sandbox/simulations', {
        as: await world.sandboxed.key(['admin'], { environment: 'test' }),
        body: { type: 'advance_clock', parameters: { seconds: days * 86_400 } },
      });
    },
  };
}
