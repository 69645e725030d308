/**
 * Changes a body so that everything in it that is masked is otherwise, and nothing else. Used by
 * every-operation-masked.test.ts; a new masked member needs an entry here.
 */
/** People on an invented public list. Their names must not be changed, or screenings would not find them. */
const LISTED: ReadonlySet<unknown> = new Set(['Sergei Listado Petrov', 'Yussuf Haddad', '1961-04-02']);

/** Returns another name of as many words with the same initials, because masking shows the initials; no list has it. */
const renamed =
  (end: string) =>
  (name: unknown): unknown =>
    LISTED.has(name)
      ? name
      : String(name)
          .split(' ')
          .map((word) => `${word.slice(0, 1)}${end}`)
          .join(' ');
const otherDay = (day: unknown): unknown => (LISTED.has(day) ? day : `${String(day).slice(0, 4)}-11-23`);
const otherText = (text: unknown): unknown => `${String(text)} It is otherwise.`;

type Otherwise = Readonly<Record<string, (value: unknown) => unknown>>;
const ADDRESS: Otherwise = {
  line1: () => 'Rua do Sol',
  number: () => '7',
  line2: () => 'Fundos',
  district: () => 'Batel',
  city: () => 'Londrina',
  postalCode: () => '80020000',
};
/** For each record with masked members, changes that make another record differ in these and in nothing else. */
const RECORDS: Readonly<Record<string, Otherwise>> = {
  applicant: {
    fullName: renamed('izyw'),
    socialName: renamed('izyw'),
    motherName: renamed('izyw'),
    dateOfBirth: otherDay,
    countryOfBirth: () => 'FR',
    email: () => 'somebody.else@example.org',
    phone: () => '+5541988887777',
    address: (address) => otherwise(address, ADDRESS),
    occupation: () => 'Baker',
    monthlyIncome: () => ({ amount: 1, currency: 'USD' }),
    // Whether an office is declared determines the number of reviewers, which every reader sees.
    pepDeclaration: (declaration) =>
      otherwise(declaration, {
        role: () => 'Senator',
        relationship: () => 'relative',
        since: () => '2011-01-01',
        until: () => '2014-12-31',
      }),
    taxResidencies: () => [{ country: 'US', tin: '987' }],
  },
  parties: {
    name: renamed('izyw'),
    taxId: (number) => (String(number) === '52998224725' ? '11144477735' : number),
    dateOfBirth: otherDay,
  },
  edges: { source: (source) => source },
  signers: { taxId: () => '11144477735' },
  act: { counterparty: () => '11144477735' },
  subject: {
    names: (names) => (names as unknown[]).map(renamed('izyw')),
    dateOfBirth: otherDay,
    gender: () => 'female',
  },
};
/** Changes of names only, to names that no list has either. */
export const ANYBODY: typeof RECORDS = { applicant: { fullName: renamed('uxok'), socialName: renamed('uxok') } };
const TEXTS: Otherwise = {
  note: otherText,
  applicantMessage: otherText,
  internalNote: otherText,
  messageToApplicant: otherText,
  source: otherText,
  ip: () => '198.51.100.7',
  userAgent: () => 'Another/1.0',
  file: (file) => (file instanceof Blob ? new File([file], 'somebody-else.jpg') : file),
};

export function otherwise(value: unknown, members: Otherwise = {}, records = RECORDS, texts = TEXTS): unknown {
  if (Array.isArray(value)) return value.map((item) => otherwise(item, members, records, texts));
  if (typeof value !== 'object' || value === null || value instanceof Blob || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const change = members[name] ?? texts[name];
      return [
        name,
        change !== undefined && member !== null && member !== undefined
          ? change(member)
          : otherwise(member, records[name], records, texts),
      ];
    }),
  );
}
