/** Types and words of the shared lists, also for refusals of their files. Used by the files of this folder. */
import { useQueryClient } from '@tanstack/react-query';
import { api, type Schemas } from '../../core/api.ts';
import { inLanguages } from '../../core/language.ts';
import { explainAlso } from '../../core/problem.ts';

export type WatchList = Schemas['WatchList'];
export type Proposal = Schemas['WatchListProposal'];
export type Format = Schemas['WatchListUpload']['format'];

/** An action on a list that waits for confirmation. */
export interface ListQuestion {
  readonly action: 'upload' | 'confirm' | 'return' | 'withdraw';
  readonly list: WatchList;
}

/** Formats that the service accepts. A format unknown to this page is not offered. */
const FORMATS: readonly (readonly [Format, string])[] = [
  ['ofac-xml', 'OFAC, XML'],
  ['ofac-csv', 'OFAC, CSV'],
  ['un-xml', 'UN, XML'],
  ['eu-xml', 'EU, XML 1.1'],
  ['uk-csv', 'UK, CSV'],
  ['us-csl', 'US CSL, CSV'],
  ['ftm-json', 'OpenSanctions, FtM JSON'],
  ['targets-csv', 'OpenSanctions, CSV'],
  ['cgu-pep', 'CGU, PEP'],
  ['cgu-penalties', 'CGU, CEIS · CNEP · CEAF'],
  ['cgu-cepim', 'CGU, CEPIM'],
];

export const formatsOf = ({ formats }: WatchList): readonly (readonly [Format, string])[] =>
  FORMATS.filter(([format]) => formats.includes(format));

export const listWords = inLanguages({
  en: {
    changed: (added: string, changed: string, removed: string) => `${added} new, ${changed} changed, ${removed} gone`,
  },
  pt: {
    changed: (added: string, changed: string, removed: string) =>
      `${added} novos, ${changed} alterados, ${removed} retirados`,
  },
});

explainAlso({
  en: {
    import_running: 'Another list is being imported. Try again in a few seconds.',
    proposal_not_pending: 'This file does not wait any more: it was confirmed or returned, or the list has changed.',
  },
  pt: {
    import_running: 'Outra lista está sendo importada. Tente de novo em alguns segundos.',
    proposal_not_pending: 'Este arquivo não espera mais: foi confirmado ou devolvido, ou a lista mudou.',
  },
});

/** Returns a function that reloads all lists after a change. */
export function useListsChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: api.queryOptions('get', '/v1/admin/screening-lists').queryKey });
}
