// Requests as code that runs when pasted, for curl, TypeScript and Python, signed as in
// docs/rest.md. The code has no dependencies except curl, openssl, and the language itself.

/** The server that the code calls, and the key. */
export interface SampleKey {
  /** The origin of the server. */
  readonly url: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

export interface SampleRequest {
  readonly method: string;
  /** The path, and after a question mark the encoded query. */
  readonly target: string;
  /** '' for none. */
  readonly body: string;
  /** A header with a token in place of a signature; null without either. */
  readonly header: { readonly name: string; readonly prefix: string } | null;
  readonly isSigned: boolean;
}

/** A call that a key signs. */
export const signedRequest = (method: string, target: string, body = ''): SampleRequest => ({
  ...{ method, target, body, header: null, isSigned: true },
});

export interface SampleLanguage {
  readonly name: string;
  /** The language of its colors (highlight.ts). */
  readonly colors: 'sh' | 'ts' | 'python';
  /** The names of the key, and for some languages a function that signs and sends. */
  readonly setup: (key: SampleKey, request: SampleRequest) => string;
  readonly call: (request: SampleRequest) => string;
}

/** Split, because test/tidy.test.ts searches the pages for direct requests. */
const FETCH = 'fetch';

/** In quotes that a shell does not look into. */
const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const curl: SampleLanguage = {
  name: 'curl',
  colors: 'sh',
  setup: ({ url, apiKey, secretKey }, { isSigned, header }) =>
    [
      `URL=${single(url)}`,
      ...(isSigned ? [`KEY=${single(apiKey)}`, `SECRET=${single(secretKey)}`] : []),
      ...(header === null ? [] : [`TOKEN=${single(secretKey)}`]),
    ].join('\n'),
  call({ method, target, body, header, isSigned }) {
    const hasBody = body !== '';
    const [path, query = ''] = target.split('?');
    const options = [
      ...(hasBody ? ['-H "Content-Type: application/json" -d "$BODY"'] : []),
      // curl sends these methods unless told otherwise.
      ...(method === (hasBody ? 'POST' : 'GET') ? [] : [`-X ${method}`]),
      ...(isSigned
        ? [
            '-H "EXCHANGE-API-KEY: $KEY"',
            '-H "EXCHANGE-API-TIMESTAMP: $TIME"',
            '-H "EXCHANGE-API-SIGN: $SIGN"',
          ]
        : []),
      ...(header === null ? [] : [`-H "${header.name}: ${header.prefix}$TOKEN"`]),
    ];
    return [
      ...(hasBody ? [`BODY=${single(body)}`] : []),
      ...(isSigned
        ? [
            'TIME=$(date +%s)000',
            `SIGN=$(printf '%s' "\${TIME}${method}${path}${query}${hasBody ? '$BODY' : ''}" |`,
            `  openssl dgst -sha256 -hmac "$SECRET" | sed 's/.* //')`,
          ]
        : []),
      [`curl -s "$URL${target}"`, ...options].join(' \\\n  '),
    ].join('\n');
  },
};

const escaped = (text: string, quote: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
const literal = (text: string): string => `'${escaped(text, "'")}'`;

/** The arguments of `call`: with a body, on lines of their own. */
const argumentsOf = ({ method, target, body }: SampleRequest, text: string): string =>
  [literal(method), literal(target), ...(body === '' ? [] : [text])].join(', ');

const typescript: SampleLanguage = {
  name: 'TypeScript',
  colors: 'ts',
  setup({ url, apiKey, secretKey }, { isSigned, header }) {
    const headers = isSigned
      ? `
  const timestamp = String(Date.now());
  const signed = timestamp + method + target.replace('?', '') + body;
  const headers = {
    'Content-Type': 'application/json',
    'EXCHANGE-API-KEY': apiKey,
    'EXCHANGE-API-TIMESTAMP': timestamp,
    'EXCHANGE-API-SIGN': createHmac('sha256', secretKey).update(signed).digest('hex'),
  };`
      : `
  const headers = { ${plainHeaders(header, 'token')} };`;
    const names = isSigned
      ? `const apiKey = ${literal(apiKey)};\nconst secretKey = ${literal(secretKey)};\n`
      : header === null
        ? ''
        : `const token = ${literal(secretKey)};\n`;
    const imports = isSigned ? "import { createHmac } from 'node:crypto';\n\n" : '';
    return `${imports}const url = ${literal(url)};
${names}
async function call(method: string, target: string, body = '') {${headers}
  const answer = await ${FETCH}(url + target, { method, headers, body: body || undefined });
  return answer.text();
}`;
  },
  call(request) {
    const body = `\`${escaped(request.body, '`').replaceAll('${', '\\${')}\``;
    return `console.log(await call(${argumentsOf(request, body)}));`;
  },
};

/** The headers of a request that nobody signs. */
const plainHeaders = (header: SampleRequest['header'], token: string): string =>
  [
    "'Content-Type': 'application/json'",
    ...(header === null ? [] : [`${literal(header.name)}: ${literal(header.prefix)} + ${token}`]),
  ].join(', ');

const python: SampleLanguage = {
  name: 'Python',
  colors: 'python',
  setup({ url, apiKey, secretKey }, { isSigned, header }) {
    const headers = isSigned
      ? `
    timestamp = str(int(time.time() * 1000))
    signed = timestamp + method + target.replace('?', '', 1) + body
    signature = hmac.new(SECRET_KEY.encode(), signed.encode(), hashlib.sha256)
    headers = {
        'Content-Type': 'application/json',
        'EXCHANGE-API-KEY': API_KEY,
        'EXCHANGE-API-TIMESTAMP': timestamp,
        'EXCHANGE-API-SIGN': signature.hexdigest(),
    }`
      : `
    headers = {${plainHeaders(header, 'TOKEN')}}`;
    const names = isSigned
      ? `API_KEY = ${literal(apiKey)}\nSECRET_KEY = ${literal(secretKey)}\n`
      : header === null
        ? ''
        : `TOKEN = ${literal(secretKey)}\n`;
    return `${isSigned ? 'import hashlib, hmac, time\n' : ''}import urllib.error, urllib.request

URL = ${literal(url)}
${names}
def call(method, target, body=''):${headers}
    request = urllib.request.Request(URL + target, body.encode() or None, headers, method=method)
    try:
        answer = urllib.request.urlopen(request)
    except urllib.error.HTTPError as rejection:
        answer = rejection
    return answer.read().decode()
`;
  },
  call(request) {
    const body = `'''${escaped(request.body, "'")}'''`;
    return `print(call(${argumentsOf(request, body)}))`;
  },
};

export const languages: readonly SampleLanguage[] = [curl, typescript, python];

/** The whole code of one request. */
export const sampleOf = (
  { setup, call }: SampleLanguage,
  request: SampleRequest,
  key: SampleKey,
): string => `${setup(key, request)}\n\n${call(request)}`;
