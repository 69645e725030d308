import type { Impact } from './change.ts';

type Version = readonly [major: number, minor: number, patch: number];

/** The lowest version that may carry changes of this weight (semver.org); below 1.0.0 nothing is promised yet, and a break is a minor version. */
export function neededVersion(base: string, impact: Impact | null): string {
  const [major, minor, patch] = parse(base);
  switch (major === 0 && impact === 'major' ? 'minor' : impact) {
    case 'major': return `${major + 1}.0.0`;
    case 'minor': return `${major}.${minor + 1}.0`;
    case 'patch': return `${major}.${minor}.${patch + 1}`;
    case null: return base;
  }
}

/** Whether `version` is announced as one that breaks programs written for `base`. */
export function mayBreak(base: string, version: string): boolean {
  return isAtLeast(version, neededVersion(base, 'major'));
}

export function isAtLeast(version: string, needed: string): boolean {
  const [a, b] = [parse(version), parse(needed)];
  const index = a.findIndex((part, position) => part !== b[position]);
  return index < 0 || (a[index] ?? 0) > (b[index] ?? 0);
}

function parse(version: string): Version {
  const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(version);
  if (match === null) throw new Error(`info.version ${version} is not of the form 1.2.3`);
  return [Number(match[1]), Number(match[2]), Number(match[3])];
}
