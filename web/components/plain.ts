// The API speaks of fields by their names on the wire; people read their labels.

const LABELS: Readonly<Record<string, string>> = {
  orderQty: 'the quantity',
  quoteOrderQty: 'the amount',
  price: 'the price',
  emailAuthCode: 'the code from the e-mail',
  googleAuthCode: 'the authenticator code',
  newPassword: 'the new password',
  password: 'the password',
  email: 'the e-mail address',
  applyAmount: 'the amount',
  amount: 'the amount',
  lockDay: 'the number of days',
  alias: 'the name',
  moduleIds: 'the privileges',
  ipAllowList: 'the addresses',
  expiresAt: 'the end',
};

/** Numbers of things, which a page sends and nobody has typed. */
const isIdentifier = (field: string): boolean => /(^id|Id)$/.test(field);

/** minLockDay → the min lock day, where there is no better word. */
const inWords = (field: string): string =>
  `the ${field.replace(/.*\./, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;

/** Invalid field: orderQty. It must be … → Check the quantity. It must be … */
export function plain(sentence: string): string {
  return sentence.replace(/^Invalid field: ([A-Za-z.]+)\.\s*/, (_, field: string) =>
    isIdentifier(field) ? '' : `Check ${LABELS[field] ?? inWords(field)}. `,
  );
}
