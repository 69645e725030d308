export interface CodeSample {
  readonly lang: 'curl' | 'typescript' | 'python';
  readonly label: 'curl' | 'TypeScript' | 'Python';
  readonly source: string;
}
