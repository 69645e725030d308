import type { ApiModel } from '../generate/model.ts';

export interface Changelog {
  readonly file: string;
  /** What stands above the sections of a new file. */
  readonly head: string;
  readonly nameOf: (place: string) => string;
}

const SCHEME = 'Versions follow semver.org. What stands between the marks is written by `make changelog` from what\nchanged in the contract; the rest is written by hand.';

/** Three readers of the same changes: of the API, and of each SDK in its own names. */
export function changelogsOf({ operations }: ApiModel): readonly Changelog[] {
  const naming = (language: 'typescript' | 'python') => {
    const names = new Map(operations.map(({ method, path, sdk }) => [`${method.toUpperCase()} ${path}`, `client.${sdk[language]}`]));
    return (place: string) => {
      const [call = '', ...rest] = place.split(', ');
      return [names.get(call) ?? call, ...rest].join(', ');
    };
  };
  return [
    { file: 'docs/changelog.md', head: `# Changelog of the API\n\n${SCHEME}`, nameOf: (place) => place },
    { file: 'sdks/typescript/CHANGELOG.md', head: `# Changelog\n\n${SCHEME}`, nameOf: naming('typescript') },
    { file: 'sdks/python/CHANGELOG.md', head: `# Changelog\n\n${SCHEME}`, nameOf: naming('python') },
  ];
}
