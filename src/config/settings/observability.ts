import { isIP } from 'node:net';
import { optionalSecret, type Setting } from '../kinds.js';

/** Where something listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Metrics for Prometheus. Traces are configured by the OpenTelemetry SDK that the operator loads. */
export const observabilitySettings = {
  metricsAddress: {
    name: 'ROLLCALL_METRICS_ADDRESS',
    description:
      'Address of a separate server for `GET /metrics`. It asks for no token, so let only your monitoring reach it. See [observability.md](observability.md).',
    fallback: undefined,
    valueName: 'address',
    expects: 'a port, or an address and a port such as 127.0.0.1:9464 or [::1]:9464',
    parse: parseAddress,
  } satisfies Setting<ListenAddress | undefined>,
  metricsToken: {
    ...optionalSecret(
      'ROLLCALL_METRICS_TOKEN',
      'token',
      'Token for `GET /metrics` on the main port, sent as `Authorization: Bearer <token>`. Use at least 32 random characters.',
    ),
    expects: '16 to 256 printable ASCII characters without spaces',
    parse: (value: string) => (/^[\x21-\x7e]{16,256}$/.test(value) ? value : undefined),
  } satisfies Setting<string | undefined>,
} as const;

function parseAddress(value: string): ListenAddress | undefined {
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]+)\]:|([^:[\]]+):)?(\d{1,5})$/.exec(value) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535) return undefined;
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? { host: bracketed, port } : undefined;
  const host = plain ?? '127.0.0.1';
  return /^[A-Za-z0-9.-]+$/.test(host) ? { host, port } : undefined;
}
