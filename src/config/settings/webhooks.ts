import { type AllowedHost, parseAllowedHost } from '../../contract/webhook-hosts.js';
import { choice, type Setting, wholeNumber } from '../kinds.js';

const webhookTargets = ['public', 'any'] as const;

export const webhookSettings = {
  webhookTargets: choice(
    'ROLLCALL_WEBHOOK_TARGETS',
    webhookTargets,
    'public',
    'Where webhooks may point: `public` allows only HTTPS to public addresses; `any` also allows HTTP and your own network.',
  ),
  webhookHosts: {
    name: 'ROLLCALL_WEBHOOK_HOSTS',
    description:
      'Comma-separated hosts that webhooks are limited to: `hooks.example.com`, `*.example.com`, `hooks.example.com:8443`. Unset: any host.',
    fallback: [],
    valueName: 'hosts',
    expects: 'hosts like hooks.example.com, *.example.com or hooks.example.com:8443, separated by commas',
    parse: (value: string) => {
      const hosts = value.split(',').map((entry) => parseAllowedHost(entry.trim()));
      return hosts.every((host) => host !== undefined) ? hosts : undefined;
    },
  } satisfies Setting<readonly AllowedHost[]>,
  webhooksAtOnce: wholeNumber(
    'ROLLCALL_WEBHOOKS_AT_ONCE',
    16,
    0,
    64,
    'Webhooks that this node delivers to concurrently. 0 leaves delivery to other nodes.',
  ),
} as const;
