import type { TestService } from './service.js';

export const metricsToken = 'a-token-only-for-tests';

/** Turns metrics on. */
export const measures = { ROLLCALL_METRICS_TOKEN: metricsToken };

/** The value of a series, such as `rollcall_sign_ins_total{outcome="failed"}`; 0 if there is none yet. */
export async function metricOf(service: TestService, series: string): Promise<number> {
  const { text } = await service.get('/metrics', { token: metricsToken });
  return valueIn(text, series);
}

export function valueIn(text: string, series: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}
