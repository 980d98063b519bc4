import { metricsToken } from './metrics.js';
import type { TestService } from './service.js';

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly tags: readonly string[] }>>>>;
}

/** The operations with these tags that no request to the service has used successfully so far, by its metrics. */
export async function unusedOperations(service: TestService, tags: readonly string[]): Promise<string[]> {
  const { text } = await service.get('/metrics', { token: metricsToken });
  const counted = text.matchAll(
    /^rollcall_http_requests_total\{route="([^"]+)",method="([A-Z]+)",status="2\d\d"\} [1-9]/gm,
  );
  const used = new Set(
    [...counted].map(([, route = '', method]) => `${method} ${route.replaceAll(/:(\w+)/g, '{$1}')}`),
  );
  const { paths }: Description = (await service.get('/openapi.json')).json;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.some((tag) => tags.includes(tag)))
      .map(([method]) => `${method.toUpperCase()} ${path}`)
      .filter((operation) => !used.has(operation)),
  );
}
