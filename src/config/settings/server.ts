import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { isEmail } from '../../contract/email.js';
import { choice, onOrOff, type Setting, text, wholeNumber } from '../kinds.js';

const workerCount = wholeNumber(
  'ROLLCALL_WORKERS',
  1,
  1,
  256,
  'Number of processes that share the port, or `auto` for one per core. More than one requires `DATABASE_URL`. See [operating.md](operating.md#multiple-workers).',
);

/** How the service listens and presents itself over HTTP. */
export const serverSettings = {
  host: text(
    'HOST',
    'localhost',
    'address',
    'Address to listen on. `0.0.0.0` listens on all interfaces, as containers require.',
  ),
  port: wholeNumber('PORT', 8080, 0, 65_535, 'Port to listen on. 0 picks a free port.'),
  workers: {
    ...workerCount,
    valueName: 'count',
    expects: `${workerCount.expects}, or auto`,
    parse: (value: string) => (value === 'auto' ? availableParallelism() : workerCount.parse(value)),
  } satisfies Setting<number>,
  publicUrl: {
    name: 'ROLLCALL_PUBLIC_URL',
    description:
      'URL at which callers reach the service, and the issuer of its tokens. Must be the same on all nodes. Unset: the listen address.',
    fallback: undefined,
    valueName: 'url',
    expects: 'a URL that begins with http:// or https://, with a host and an optional plain path',
    parse: (value: string) => {
      if (!/^https?:\/\//.test(value) || !URL.canParse(value)) return undefined;
      const { username, password, search, hash, pathname } = new URL(value);
      const isPlain = username + password + search + hash === '' && /^[A-Za-z0-9._~/-]*$/.test(pathname);
      return isPlain ? value.replace(/[?#]+$/, '').replace(/\/+$/, '') : undefined;
    },
  } satisfies Setting<string | undefined>,
  trustedProxies: {
    name: 'ROLLCALL_TRUSTED_PROXIES',
    description: 'Comma-separated addresses or networks of proxies whose X-Forwarded-For header is trusted.',
    fallback: [],
    valueName: 'networks',
    expects: 'IP addresses or networks like 10.0.0.0/8, separated by commas',
    parse: (value: string) => {
      const networks = value.split(',').map((entry) => entry.trim());
      return networks.every(isNetwork) ? networks : undefined;
    },
  } satisfies Setting<readonly string[]>,
  corsOrigins: {
    name: 'ROLLCALL_CORS_ORIGINS',
    description:
      'Comma-separated origins whose pages may call the API from a browser, such as `https://portal.example.com`. Unset: none.',
    fallback: [],
    valueName: 'origins',
    expects: 'origins like https://portal.example.com, separated by commas, without a path',
    parse: (value: string) => {
      const origins = value.split(',').map((entry) => entry.trim());
      return origins.every(isOrigin) ? origins : undefined;
    },
  } satisfies Setting<readonly string[]>,
  docs: choice(
    'ROLLCALL_DOCS',
    onOrOff,
    'on',
    'Whether the API documentation is public: the page at `/docs`, and `/openapi.json`.',
  ),
  securityContact: {
    name: 'ROLLCALL_SECURITY_CONTACT',
    description:
      'Where to report vulnerabilities, published in `/.well-known/security.txt`. Unset: the file is not served.',
    fallback: undefined,
    valueName: 'contact',
    expects: 'an email address, or a URI that begins with https://, mailto: or tel:',
    parse: (value: string) => {
      if (isEmail(value)) return `mailto:${value}`;
      return /^(?:https:\/\/|mailto:|tel:)[\x21-\x7e]+$/.test(value) && URL.canParse(value)
        ? value
        : undefined;
    },
  } satisfies Setting<string | undefined>,
} as const;

function isNetwork(value: string): boolean {
  const [, address = '', bits] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(value) ?? [];
  const version = isIP(address);
  const size = Number(bits ?? 1); // a network of size 0 would trust every caller
  return version !== 0 && size >= 1 && size <= (version === 4 ? 32 : 128);
}

/** As browsers send it: in lower case, without a default port, a path or a slash at the end. */
function isOrigin(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value) && new URL(value).origin === value;
}
