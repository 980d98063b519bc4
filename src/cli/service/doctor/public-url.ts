import type { Config } from '../../../config.js';
import { type Finding, failed, good, note, warning } from './finding.js';
import type { ServiceAnswer } from './service-answer.js';

export interface PublicUrl extends Pick<Config, 'publicUrl' | 'host'> {
  readonly answer: ServiceAnswer;
  /** Of the port on this machine. */
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
      `${publicUrl} is not encrypted: passwords and tokens can be read on the way`,
      'Put a proxy with a certificate in front, and set ROLLCALL_PUBLIC_URL to its https:// address.',
    );
  }
  if (isLoopback(host)) return good('address', `${publicUrl}, for this machine alone`);
  return warning(
    'address',
    `${publicUrl} means nothing to callers on other machines, which HOST=${host} lets in`,
    'Set ROLLCALL_PUBLIC_URL to the address that callers use: it is in tokens and in messages.',
  );
}

function answerFinding({ publicUrl, answer, localAnswer }: PublicUrl): Finding {
  const mend = 'Check ROLLCALL_PUBLIC_URL, and the proxy in front of the service.';
  switch (answer.kind) {
    case 'rollcall':
      return good('answer', 'Rollcall answers there');
    case 'other':
      return failed('answer', `what answers at ${publicUrl} is not Rollcall (status ${answer.status})`, mend);
    case 'nobody':
      return localAnswer.kind === 'rollcall'
        ? warning('answer', `nobody answers there (${answer.reason}), while the service runs here`, mend)
        : note('answer', `nobody answers there (${answer.reason}), and no service runs here`);
  }
}

export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || /^127\./.test(host);
}
