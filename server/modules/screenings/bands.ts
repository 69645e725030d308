/**
 * Which score makes a hit, and how strong it is, by the lines of the tenant's profile, without input or output. Used by
 * searching, presenting, dismissals and benchmarks. A line that is applied to the wrong kind of list hides hits.
 */
import type { components } from '../../contract/generated/types.ts';
import type { Judgement } from '../../screening/engine/judgement.ts';
import { type ScreeningProfile, withAlert } from '../tenant-settings/index.ts';

type Schemas = components['schemas'];
/** Lines for one kind of subject. */
export type Lines = Schemas['ScreeningLinesByList'];

const LIST_OF: Readonly<Record<Schemas['HitCategory'], keyof Lines>> = {
  sanction: 'sanctions',
  pep: 'pep',
  rca: 'pep',
  adverse: 'other',
  watchlist: 'other',
  disqualified: 'other',
};

/** Returns the kind of list whose lines apply to entities that are listed for this reason. */
export const kindOfList = (category: Schemas['HitCategory']): keyof Lines => LIST_OF[category];

export function linesFor(
  { type }: Pick<Schemas['ScreenedSubject'], 'type'>,
  { sanctions, pep, other }: ScreeningProfile,
): Lines {
  const of = type === 'person' ? 'person' : 'organisation';
  return { sanctions: sanctions[of], pep: pep[of], other: other[of] };
}

/** Returns the lines for entities that are listed for one reason. */
export const linesOf = (category: Schemas['HitCategory'], lines: Lines): Lines['other'] => lines[kindOfList(category)];

/**
 * Returns the effective lines of a request. If the request has a threshold of its own, the threshold replaces every
 * alert line.
 */
export function linesAt({ sanctions, pep, other }: Lines, threshold: number | undefined): Lines {
  const at = (lines: Lines['other']): Lines['other'] => (threshold === undefined ? lines : withAlert(lines, threshold));
  return { sanctions: at(sanctions), pep: at(pep), other: at(other) };
}

/** Score below which there is no hit. */
export const leastAlert = ({ sanctions, pep, other }: Lines): number =>
  Math.min(sanctions.alert, pep.alert, other.alert);

/** Returns the score from which an entity is a hit, by the reason of its listing. */
export function alertsOf(lines: Lines): Record<Schemas['HitCategory'], number> {
  const at = (category: Schemas['HitCategory']): number => linesOf(category, lines).alert;
  return {
    sanction: at('sanction'),
    pep: at('pep'),
    rca: at('rca'),
    adverse: at('adverse'),
    watchlist: at('watchlist'),
    disqualified: at('disqualified'),
  };
}

/**
 * Returns how strong a hit is. An equal number alone decides, because numbers are issued once. Only namesakes on lists
 * of sanctions are hits below the alert line (`isNamesake` in server/screening).
 */
export function bandOf(
  {
    category,
    score,
    judgement,
  }: {
    readonly category: Schemas['HitCategory'];
    readonly score: number;
    readonly judgement: Pick<Judgement, 'identifier'>;
  },
  lines: Lines,
): Schemas['HitBand'] {
  if (judgement.identifier !== null) return 'identifier';
  const { alert, review, strong } = linesOf(category, lines);
  if (score < alert) return 'namesake';
  if (score < review) return 'low';
  return score < strong ? 'review' : 'strong';
}
