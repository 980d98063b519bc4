/** Why a source cannot be read. Contains no secret, no URL and nothing that the source said. */
export type SourceProblem =
  | {
      readonly code:
        | 'host_unknown'
        | 'lookup_failed'
        | 'address_refused'
        | 'host_not_allowed'
        | 'insecure_url'
        | 'invalid_url'
        | 'invalid_path'
        | 'invalid_name'
        | 'invalid_private_key'
        | 'secret_missing'
        | 'authentication_failed'
        | 'access_denied'
        | 'container_missing'
        | 'not_a_file'
        | 'file_empty'
        | 'unknown_encoding'
        | 'corrupt_encoding'
        | 'length_unknown'
        | 'changed_while_read'
        | 'ended_early'
        | 'timed_out'
        | 'stopped';
    }
  | {
      readonly code:
        | 'unreachable'
        | 'connection_closed'
        | 'certificate_not_trusted'
        | 'tls_failed'
        | 'ssh_failed'
        | 'invalid_response'
        | 'file_unreadable';
      /** Such as `ECONNREFUSED`. */
      readonly errorCode: string | null;
    }
  | { readonly code: 'host_key_unknown'; readonly found: string }
  | { readonly code: 'host_key_changed'; readonly expected: string; readonly found: string }
  | {
      readonly code: 'redirect_refused';
      readonly reason: 'too_many' | 'not_https' | 'invalid' | 'unexpected';
    }
  | { readonly code: 'http_status'; readonly status: number }
  | { readonly code: 'too_large'; readonly bytesMax: number }
  | { readonly code: 'too_many_files'; readonly filesMax: number }
  | { readonly code: 'modified_recently'; readonly seconds: number };

export class SourceFailed extends Error {
  constructor(readonly problem: SourceProblem) {
    super(sourceProblemText(problem));
    this.name = 'SourceFailed';
  }
}

const passing: ReadonlySet<SourceProblem['code']> = new Set([
  ...(['lookup_failed', 'unreachable', 'connection_closed', 'timed_out'] as const),
  ...(['ended_early', 'changed_while_read', 'modified_recently'] as const),
]);
const tooManyRequests = 429;

/** Whether it may be over in a few minutes, without anybody doing something about it. */
export function mayPass(problem: SourceProblem): boolean {
  if (problem.code === 'http_status') return problem.status >= 500 || problem.status === tooManyRequests;
  return passing.has(problem.code);
}

const redirectTexts = {
  too_many: 'The server redirects too often.',
  not_https: 'The server redirects to a URL without HTTPS.',
  invalid: 'The server redirects to a URL that is not valid.',
  unexpected: 'The server redirects, which a storage service does for another region or bucket.',
} as const;

/** A sentence for administrators. */
export function sourceProblemText(problem: SourceProblem): string {
  switch (problem.code) {
    case 'host_unknown':
      return 'The host cannot be found.';
    case 'lookup_failed':
      return 'The host cannot be resolved at the moment.';
    case 'address_refused':
      return 'The host has an address that is not public.';
    case 'host_not_allowed':
      return 'The host and port are not among the allowed ones.';
    case 'insecure_url':
      return 'The URL must start with https://.';
    case 'invalid_url':
      return 'The URL is not valid, or contains a username or password.';
    case 'invalid_path':
      return 'The path leads out of the folder that files are read from.';
    case 'invalid_name':
      return 'The name of the file contains control characters.';
    case 'invalid_private_key':
      return 'The private key cannot be read. Check its format and its passphrase.';
    case 'secret_missing':
      return 'The password, token or key of the source is missing.';
    case 'authentication_failed':
      return 'The source rejects the credentials.';
    case 'access_denied':
      return 'The source denies access to the file.';
    case 'container_missing':
      return 'The folder or bucket does not exist.';
    case 'not_a_file':
      return 'The path is not that of a file.';
    case 'file_empty':
      return 'The file is empty.';
    case 'unknown_encoding':
      return 'The server sends the file in an unknown content encoding.';
    case 'corrupt_encoding':
      return 'The compressed response is damaged.';
    case 'length_unknown':
      return 'The server does not say where the file ends, so an incomplete file would go unnoticed.';
    case 'changed_while_read':
      return 'The file changed while it was read.';
    case 'ended_early':
      return 'The connection ended before the file was complete.';
    case 'timed_out':
      return 'The source did not respond in time.';
    case 'stopped':
      return 'Reading was stopped.';
    case 'unreachable':
      return `The source cannot be reached${codeText(problem.errorCode)}.`;
    case 'connection_closed':
      return `The source closed the connection${codeText(problem.errorCode)}.`;
    case 'certificate_not_trusted':
      return `The certificate of the server is not trusted${codeText(problem.errorCode)}.`;
    case 'tls_failed':
      return `Could not establish a secure connection${codeText(problem.errorCode)}.`;
    case 'ssh_failed':
      return `Could not establish an SSH connection${codeText(problem.errorCode)}.`;
    case 'invalid_response':
      return `The response is not valid${codeText(problem.errorCode)}.`;
    case 'file_unreadable':
      return `The file cannot be read${codeText(problem.errorCode)}.`;
    case 'host_key_unknown':
      return `The host key is not confirmed yet. The server has ${problem.found}.`;
    case 'host_key_changed':
      return `The host key changed from ${problem.expected} to ${problem.found}.`;
    case 'redirect_refused':
      return redirectTexts[problem.reason];
    case 'http_status':
      return `The server responded with ${problem.status}.`;
    case 'too_large':
      return `The file exceeds ${problem.bytesMax} bytes.`;
    case 'too_many_files':
      return `There are more than ${problem.filesMax} files to choose from.`;
    case 'modified_recently':
      return `The file was modified less than ${problem.seconds} seconds ago and may be incomplete.`;
  }
}

function codeText(errorCode: string | null): string {
  return errorCode === null ? '' : ` (${errorCode})`;
}
