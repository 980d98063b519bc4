import { Fact } from '../components/facts.js';
import { formatDateTime, formatNumber } from '../copy/format.js';
import { provisioningCopy as copy } from '../copy/on-demand-copy.js';
import type { Provider } from './provider.js';

/** How a provider is doing. */
export function ProviderFacts({ provider }: { provider: Provider }) {
  const { settings, lastRequestAt, failedRequests } = provider;
  return (
    <>
      <Fact name={copy.kind}>{copy.kinds[settings.kind]}</Fact>
      <Fact name={copy.lastRequest}>
        {lastRequestAt === null ? copy.never : formatDateTime(lastRequestAt)}
      </Fact>
      <Fact name={copy.failed}>{failedRequests === 0 ? formatNumber(0) : copy.failedOf(failedRequests)}</Fact>
      <Fact name={copy.deactivations.name}>
        <Deactivations {...provider.deactivations} />
      </Fact>
    </>
  );
}

function Deactivations({ used, limit, allowedMore, allowedUntil }: Provider['deactivations']) {
  if (limit === null) return copy.deactivations.unlimited(used);
  return (
    <>
      <div>{copy.deactivations.used(used, limit)}</div>
      {allowedUntil !== null && (
        <div>{copy.deactivations.allowed(allowedMore, formatDateTime(allowedUntil))}</div>
      )}
    </>
  );
}
