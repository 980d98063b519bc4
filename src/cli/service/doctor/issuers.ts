import type { IssuerSettings } from '../../../contract/issuers.js';
import { ExternalKeyRing, externalIssuersDefaults } from '../../../domain/access/external-keys.js';
import { type Finding, failed, good, note } from './finding.js';
import { checkTimeoutMs } from './time-limit.js';

export async function checkIssuers(issuers: readonly IssuerSettings[]): Promise<Finding[]> {
  if (issuers.length === 0) return [note('issuers', 'no external issuers configured')];
  return Promise.all(issuers.map(({ issuer }) => checkIssuer(issuer)));
}

async function checkIssuer(issuer: string): Promise<Finding> {
  let problem = 'its keys cannot be fetched.';
  const ring = new ExternalKeyRing(issuer, {
    ...externalIssuersDefaults,
    fetchTimeoutMs: checkTimeoutMs - 500,
    onFetchFailed: (_, told) => {
      problem = told;
    },
  });
  const keys = await ring.current();
  if (keys) return good('issuer', `fetched the keys of ${issuer}`);
  return failed('issuer', `${issuer}: ${problem}`, 'Check ROLLCALL_ISSUERS, and that the issuer is running.');
}
