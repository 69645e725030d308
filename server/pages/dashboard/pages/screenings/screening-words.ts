/** Types and words of screenings. Used by the files of this folder and where an application shows its screening. */
import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import type { Tone } from '../../ui/badge.tsx';

export type Hit = Schemas['ScreeningHit'];
export type Screening = Schemas['Screening'];
export type Result = Schemas['ScreeningResult'];
export type Verdict = Schemas['HitVerdict'];

/** Enumerations of the contract in words. A value that is renamed or added there no longer compiles here. */
interface ScreeningNames {
  readonly results: Readonly<Record<Result, string>>;
  readonly statuses: Readonly<Record<Hit['status'], string>>;
  readonly verdicts: Readonly<Record<Verdict, string>>;
  readonly reasons: Readonly<Record<Schemas['HitReason'], string>>;
  readonly bands: Readonly<Record<Hit['band'], string>>;
  readonly categories: Readonly<Record<Hit['category'], string>>;
}

const names = inLanguages<ScreeningNames>({
  en: {
    results: {
      clear: 'Nothing found',
      open_hits: 'Open hits',
      confirmed_match: 'Confirmed match',
      cleared: 'Cleared',
      not_comparable: 'Name not compared',
    },
    statuses: {
      open: 'Open',
      true_positive: 'The same',
      false_positive: 'Somebody else',
      inconclusive: 'Could not be found out',
      auto_dismissed: 'Dismissed by the allow-list',
    },
    verdicts: {
      false_positive: 'It is somebody else',
      true_positive: 'It is the same',
      inconclusive: 'It could not be found out',
    },
    reasons: {
      different_dob: 'Another date of birth',
      different_nationality: 'Another nationality',
      different_tax_id: 'Another tax number',
      different_gender: 'Another gender',
      name_only: 'Nothing but the name agrees',
      insufficient_data: 'Too little is known',
      same_person_confirmed: 'Confirmed to be the same',
      other: 'Another reason',
    },
    bands: {
      low: 'Weak match',
      review: 'Possible match',
      strong: 'Strong match',
      identifier: 'The same number',
      namesake: 'Namesake',
    },
    categories: {
      sanction: 'Sanctions',
      pep: 'Politically exposed',
      rca: 'Relative or close associate',
      adverse: 'Bad press',
      watchlist: 'Watch list',
      disqualified: 'Disqualified',
    },
  },
  pt: {
    results: {
      clear: 'Nada encontrado',
      open_hits: 'Ocorrências abertas',
      confirmed_match: 'Ocorrência confirmada',
      cleared: 'Descartada',
      not_comparable: 'Nome não comparado',
    },
    statuses: {
      open: 'Aberta',
      true_positive: 'É a mesma',
      false_positive: 'É outra pessoa',
      inconclusive: 'Não foi possível saber',
      auto_dismissed: 'Dispensada pela lista de exceções',
    },
    verdicts: { false_positive: 'É outra pessoa', true_positive: 'É a mesma', inconclusive: 'Não foi possível saber' },
    reasons: {
      different_dob: 'Outra data de nascimento',
      different_nationality: 'Outra nacionalidade',
      different_tax_id: 'Outro número fiscal',
      different_gender: 'Outro gênero',
      name_only: 'Só o nome coincide',
      insufficient_data: 'Sabe-se pouco demais',
      same_person_confirmed: 'Confirmado que é a mesma',
      other: 'Outro motivo',
    },
    bands: {
      low: 'Semelhança fraca',
      review: 'Semelhança possível',
      strong: 'Semelhança forte',
      identifier: 'O mesmo número',
      namesake: 'Homônimo',
    },
    categories: {
      sanction: 'Sanções',
      pep: 'Exposição política',
      rca: 'Parente ou pessoa próxima',
      adverse: 'Mídia negativa',
      watchlist: 'Lista de observação',
      disqualified: 'Impedimento',
    },
  },
});

export function useScreeningNames(): ScreeningNames {
  return useWords(names);
}

export const RESULT_TONES: Readonly<Record<Result, Tone>> = {
  clear: 'good',
  open_hits: 'warning',
  confirmed_match: 'danger',
  cleared: 'good',
  not_comparable: 'danger',
};
export const BAND_TONES: Readonly<Record<Hit['band'], Tone>> = {
  low: 'neutral',
  review: 'neutral',
  strong: 'warning',
  identifier: 'danger',
  namesake: 'neutral',
};
export const HIT_TONES: Readonly<Record<Hit['status'], Tone>> = {
  open: 'warning',
  true_positive: 'danger',
  false_positive: 'good',
  inconclusive: 'warning',
  auto_dismissed: 'neutral',
};

/** Returns the name of a subject. Users who see personal data masked see no name. */
export function calledOf({ names: [name] }: Schemas['ScreenedSubject']): string {
  return name ?? '***';
}
