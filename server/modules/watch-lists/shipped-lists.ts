/**
 * The invented lists of the sandbox, and their installation. Exported by the index and called by `server/start.ts`. No
 * entry may be about a real person. A changed list needs a later day of publication.
 */
import type { RealTime } from '../../base/time.ts';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../database/index.ts';
import type { WatchListId } from './catalogue.ts';
import { importList } from './import-list.ts';
import { rollBack } from './roll-back.ts';
import { activeVersions } from './store.ts';

/** Publication day of the invented entries. A changed list is a new version with a later day. */
const PUBLISHED = '2026-11-24';
const HEADER = 'key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks';

const namesakes = Array.from(
  { length: 12 },
  (_, index) =>
    `1${String(index + 1).padStart(2, '0')},person,Maria da Silva,,${1940 + 3 * index},BR,,sanction,One of twelve ` +
    'people of this name',
);

/**
 * Entries of the sandbox's lists, none of them about a real person. Each list that can be screened against has some
 * invented entries, so that an integration gets hits of each kind without a file of any publisher. They include the
 * personas of the sandbox whose checks find something (server/providers/personas).
 */
const LISTS: Readonly<Record<WatchListId, readonly string[]>> = {
  'un-csnu': [
    '1,person,Sergei Listado Petrov,Сергей Петров; O Contador,1961-04-02,RU,,sanction,Persona of the sandbox',
    '2,organisation,Frente Imaginária do Norte,Northern Imaginary Front,,,,sanction,',
    '3,person,Yusuf Inexistente Haddad,Yousef Haddad,1970,SY,,sanction,',
  ],
  'ofac-sdn': [
    '1,person,Sergei Listado Petrov,Sergey Petrov,1961,RU,,sanction,Also on the list of the United Nations',
    '2,organisation,Oceano Fictício Navegação Ltda,Fictitious Ocean Shipping,,PA,,sanction,',
    '3,vessel,Estrela Inventada,,,PA,,sanction,IMO unknown',
    ...namesakes,
  ],
  'ofac-consolidated': ['1,organisation,Banco Imaginário Oriental,Imaginary Eastern Bank,,,,sanction,'],
  'us-csl': ['1,organisation,Componentes Fantasma Trading,Phantom Components,,AE,,watchlist,'],
  'eu-fsf': ['1,person,Anton Ausente Volkov,Антон Волков,1968-09-12,BY,,sanction,'],
  'uk-ofsi': ['1,person,Anton Ausente Volkov,,1968-09-12,BY,,sanction,Also on the list of the European Union'],
  'cgu-pep': [
    '1,person,Paulo Exposto Lima,,,BR,***.222.222-**,pep,Persona of the sandbox',
    '2,person,Regina Exemplar Duarte,,,BR,***.314.159-**,pep,',
  ],
  'cgu-ceis': ['1,organisation,Oculta Importadora Ltda,,,BR,SANDBOX5000158,disqualified,Persona of the sandbox'],
  'cgu-cnep': ['1,organisation,Obras de Mentira S.A.,,,BR,,disqualified,'],
  'cgu-ceaf': ['1,person,Hugo Expulso Barbosa,,,BR,***.271.828-**,disqualified,'],
  'cgu-cepim': ['1,organisation,Instituto Impedido do Exemplo,,,BR,,disqualified,'],
  'opensanctions': [
    '1,person,Ivana Inventada Kovac,,1975-01-30,HR,,pep,',
    '2,person,Marko Inventado Kovac,,1973,HR,,rca,Husband of the one before',
  ],
};

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Makes the shipped lists the active ones of the sandbox. Returns how many were not active. */
export async function installShippedLists(database: Database, now: RealTime): Promise<number> {
  const active = await database.platform({ tenantId: null }, (tx) => activeVersions(tx, 'sandbox'));
  const files = Object.entries(LISTS).map(([listId, rows]) => ({
    listId: listId as WatchListId,
    text: [HEADER, ...rows].join('\n'),
  }));
  const missing = files.filter(
    ({ listId, text }) => !active.some((version) => version.listId === listId && version.sha256 === checksumOf(text)),
  );
  if (missing.length === 0) return 0;
  const folder = await mkdtemp(join(tmpdir(), 'shipped-lists-'));
  try {
    for (const { listId, text } of missing) {
      const main = join(folder, listId);
      await writeFile(main, text);
      const by = { type: 'system', id: 'shipped_lists', display: 'Lists of the sandbox' } as const;
      const version = `${PUBLISHED}.${checksumOf(text).slice(0, 8)}`;
      // An installation may return to an earlier release.
      const isRestored =
        (await rollBack(database, {
          environment: 'sandbox',
          listId,
          version,
          by,
          now,
        })) !== null;
      if (!isRestored)
        await importList(database, {
          environment: 'sandbox',
          listId,
          format: 'own',
          files: { main },
          version,
          publishedOn: PUBLISHED,
          mayShrink: true,
          by,
          now,
        });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return missing.length;
}
