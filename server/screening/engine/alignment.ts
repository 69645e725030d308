/**
 * Types of an alignment of two names, as it is stored with a hit. Used by all files of the engine. Stored alignments
 * must stay readable, so members can be added but not changed.
 */
import type { Method } from '../names/similarity.ts';
import type { NameOf, NameToken } from '../names/token.ts';

/** A word of a name with its weight. */
export interface WeighedToken extends NameToken {
  readonly weight: number;
}

/** Words of both names that agree, as they are written. Alignments before the algorithm `m7` have them as compared. */
export interface Aligned {
  readonly subject: string;
  readonly listed: string;
  readonly method: Method | 'form' | 'joined';
  readonly similarity: number;
  readonly weight: number;
}

export interface Unmatched {
  readonly token: string;
  readonly weight: number;
}

/** Unmatched words as they are compared. */
export type Rest = Readonly<Record<Side, readonly WeighedToken[]>>;

/** Owner of a name: the subject that is screened, or the entity of a list. */
export type Side = 'subject' | 'listed';

/** Kind and owner of a name. */
export interface NameSide {
  readonly of: NameOf;
  readonly side: Side;
}

/** Rules by which the writing of a name limits a similarity of sound (`writing.ts`). */
export type WritingRule =
  | 'other_signs'
  | 'other_script'
  | 'syllable_missing'
  | 'syllable_differs'
  | 'syllables_in_other_order';

export type CapRule =
  | 'single_strong_token'
  | 'initials_only'
  | 'generic_words_only'
  | 'number_differs'
  | 'word_contradicted'
  | 'common_words_only'
  | WritingRule;

export interface Cap {
  readonly rule: CapRule;
  readonly to: number;
}

/** Alignment of a name of the subject with a name of the list. `scoreOf` computes the score from it. */
export interface Alignment {
  readonly aligned: readonly Aligned[];
  readonly unmatched: { readonly subject: readonly Unmatched[]; readonly listed: readonly Unmatched[] };
  readonly caps: readonly Cap[];
  /** Total weight of all words, stored so that a score does not change if the costs of words change. */
  readonly total?: number;
}

/** Words of both names that agree, by their positions. */
export interface Pair {
  readonly subject: readonly number[];
  readonly listed: readonly number[];
  readonly method: Aligned['method'];
  readonly similarity: number;
  readonly weight: number;
}
