import { AggregatorRegistry, Gauge, Registry } from 'prom-client';
import type { SharedFigures } from './shared-figures.js';
import { sharedGauges } from './shared-gauges.js';

/** What a process reports, in a form that can be sent to the process that supervises it. */
export type ProcessReport = readonly object[];

export interface ProcessReporter {
  /** What all nodes share is included on request: of several workers, one is enough. */
  report(options: { readonly withShared: boolean }): Promise<ProcessReport>;
}

export function processReporter(
  registry: Registry,
  readShared: () => Promise<SharedFigures | undefined>,
): ProcessReporter {
  return {
    report: async ({ withShared }) => {
      const shared = withShared ? await sharedGauges(await readShared()).getMetricsAsJSON() : [];
      return [...(await registry.getMetricsAsJSON()), ...shared];
    },
  };
}

/** What the process that supervises the workers knows. */
export async function workersReport(ready: number): Promise<ProcessReport> {
  const registry = new Registry();
  const help = 'Workers of this node that serve requests.';
  new Gauge({ name: 'rollcall_workers_ready', help, registers: [registry] }).set(ready);
  return registry.getMetricsAsJSON();
}

/** The reports of all processes of a node as one, in the text format of Prometheus. */
export async function prometheusText(reports: readonly ProcessReport[]): Promise<string> {
  return AggregatorRegistry.aggregate(reports as never).metrics(); // its types know neither form
}
