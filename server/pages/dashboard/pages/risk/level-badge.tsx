import { Badge } from '../../ui/badge.tsx';
import { type Level, LEVEL_TONES, useRiskNames } from './risk-words.ts';

/** A level of risk in a word. */
export function LevelBadge({ level }: { readonly level: Level }) {
  const { levels } = useRiskNames();
  return <Badge tone={LEVEL_TONES[level]}>{levels[level]}</Badge>;
}
