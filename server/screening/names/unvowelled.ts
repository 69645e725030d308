/**
 * How well a word in Arabic or Hebrew writing fits a word in Latin letters. Used by similarity.ts. Such writing has all
 * consonants and the long vowels, so a long vowel that the other word lacks is a difference, and a short one is not.
 */

/** Cost of a long vowel that the other side lacks. */
const MISSING = 0.5;
/** Cost of a long vowel where the other side has another vowel, as in dialects. */
const OTHER_VOWEL = 0.25;

const VOWELS = 'aiu';
/** Long vowels and semivowels of the writing, and the Latin sounds for them. */
const FITTING: Readonly<Record<string, string>> = {
  a: 'a',
  v: 'uv',
  i: 'iy',
  y: 'iy',
};

/** Returns the cost of reading a written sound as a Latin one; infinite if they are different consonants. */
function reading(written: string, latin: string): number {
  if (written === latin || FITTING[written]?.includes(latin) === true) return 0;
  return FITTING[written] !== undefined && VOWELS.includes(latin) ? OTHER_VOWEL : Infinity;
}

/**
 * Returns how much two sounds differ, given that their consonants are equal: 0 if the Latin one has each written vowel
 * at its place and only short vowels beside.
 */
export function misfitOf(written: string, latin: string): number {
  let last = Array.from({ length: latin.length + 1 }, () => Infinity);
  last[0] = 0;
  for (let i = 0; i <= written.length; i++) {
    const row = i === 0 ? last : Array.from({ length: latin.length + 1 }, () => Infinity);
    for (let j = 0; j <= latin.length; j++) {
      if (i > 0) {
        const isVowel = FITTING[written[i - 1]!] !== undefined;
        row[j] = Math.min(
          row[j]!,
          last[j]! + (isVowel ? MISSING : 1),
          j === 0 ? Infinity : last[j - 1]! + reading(written[i - 1]!, latin[j - 1]!),
        );
      }
      if (j > 0) row[j] = Math.min(row[j]!, row[j - 1]! + (VOWELS.includes(latin[j - 1]!) ? 0 : MISSING));
    }
    last = row;
  }
  return last[latin.length]!;
}
