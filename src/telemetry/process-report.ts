import { AggregatorRegistry, Gauge, Registry } from 'prom-client';
import { deliveriesCountedMax } from '../contract/limits.js';
import type { SharedFigures } from './shared-figures.js';

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

/**
 * Gauges with what all nodes share. Without figures, during a database outage, only `rollcall_database_up` is left: an
 * old number would look like a current one.
 */
export function sharedGauges(figures: SharedFigures | undefined): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry], aggregator: 'max' });
  const single = (name: string, help: string, value: number) => gauge(name, help).set(value);
  const byState = (name: string, help: string, counts: Readonly<Record<string, number>>) => {
    const each = gauge(name, help, ['state']);
    for (const [state, count] of Object.entries(counts)) each.set({ state }, count);
  };

  single('rollcall_database_up', 'Whether the database answered: 1 or 0.', figures ? 1 : 0);
  if (!figures) return registry;
  const { indexing } = figures;
  byState(
    'rollcall_deliveries',
    `Messages to users by state, counted up to ${deliveriesCountedMax.toLocaleString('en')}.`,
    figures.deliveries,
  );
  single(
    'rollcall_delivery_oldest_due_seconds',
    'How long the message that has been due longest has waited.',
    figures.oldestDueDeliverySeconds,
  );
  byState('rollcall_scim_targets', 'SCIM targets by state.', figures.scimTargets);
  byState(
    'rollcall_scim_queue',
    'Users and groups that wait to be pushed to SCIM targets, and those among them whose last attempt failed.',
    figures.scimQueue,
  );
  byState('rollcall_webhooks', 'Webhooks by state.', figures.webhooks);
  single(
    'rollcall_webhook_oldest_event_seconds',
    'Age of the oldest event that an active webhook has yet to receive.',
    figures.oldestWebhookEventSeconds,
  );
  byState('rollcall_planned_calls', 'Planned calls by state.', figures.plannedCalls);
  single(
    'rollcall_planned_call_oldest_due_seconds',
    'How long the planned call that has been due longest has waited to run.',
    figures.oldestDueCallSeconds,
  );
  byState('rollcall_feeds', 'Feeds by state.', figures.feeds);
  single(
    'rollcall_feed_oldest_due_seconds',
    'How long the feed that has been due longest has waited for its run.',
    figures.oldestDueFeedSeconds,
  );
  single('rollcall_changes_last', 'The last number in the change log.', figures.lastChange);
  single('rollcall_indexer_changes_behind', 'Changes that are not indexed yet.', indexing.changesBehind);
  single('rollcall_indexer_seconds_behind', 'Age of the oldest of these changes.', indexing.secondsBehind);
  single(
    'rollcall_indexer_building',
    'Whether the index is being built from scratch: 1 or 0.',
    indexing.isBuilding ? 1 : 0,
  );
  single('rollcall_database_bytes', 'Size of the database.', figures.databaseBytes);
  return registry;
}
