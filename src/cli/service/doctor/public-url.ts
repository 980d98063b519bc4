import type { Config } from '../../../config.js';
import { type Finding, failed, good, note, warning } from './finding.js';
import type { ServiceAnswer } from './service-answer.js';

export interface PublicUrl extends Pick<Config, 'publicUrl' | 'host'> {
  readonly answer: ServiceAnswer;
  /** From the port on this machine. */
  readonly localAnswer: ServiceAnswer;
}

export function publicUrlFindings(facts: PublicUrl): Finding[] {
  return [addressFinding(facts), answerFinding(facts)];
}

function addressFinding({ publicUrl, host }: PublicUrl): Finding {
  const { protocol, hostname } = new URL(publicUrl);
  if (!isLoopback(hostname)) {
    if (protocol === 'https:') return good('address', publicUrl);
    return warning(
      'address',
      `${publicUrl} is not encrypted: passwords and tokens can be intercepted`,
      'Put a TLS proxy in front, and set ROLLCALL_PUBLIC_URL to its https:// URL.',
    );
  }
  if (isLoopback(host)) return good('address', `${publicUrl}, only from this machine`);
  return warning(
    'address',
    `${publicUrl} does not work for callers on other machines, which HOST=${host} admits`,
    'Set ROLLCALL_PUBLIC_URL to the URL that callers use. Tokens and messages contain it.',
  );
}

function answerFinding({ publicUrl, answer, localAnswer }: PublicUrl): Finding {
  const fix = 'Check ROLLCALL_PUBLIC_URL, and the proxy in front of the service.';
  switch (answer.kind) {
    case 'rollcall':
      return good('response', 'Rollcall responds');
    case 'other':
      return failed('response', `another service responds at ${publicUrl} (status ${answer.status})`, fix);
    case 'none':
      return localAnswer.kind === 'rollcall'
        ? warning('response', `no response (${answer.reason}), although the service is running here`, fix)
        : note('response', `no response (${answer.reason}), and no service is running here`);
  }
}

export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || /^127\./.test(host);
}
