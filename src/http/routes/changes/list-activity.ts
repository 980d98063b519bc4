import type { FastifyInstance } from 'fastify';
import { ActivityReply } from '../../../contract/activity.js';
import { showChanges } from '../../../domain/attributes/show-users.js';
import { listActivity } from '../../../domain/changes/list-activity.js';
import type { Database } from '../../../domain/database.js';
import { listRoute, timeParameters } from '../../list-route.js';
import { textParameter } from '../../query.js';
import { exampleCallId } from './examples.js';
import { changeParameters } from './list-changes.js';

export function listActivityRoute(app: FastifyInstance, database: Database): void {
  listRoute(app, database, {
    url: '/service/activity',
    scope: 'users:read',
    operationId: 'listActivity',
    summary: 'List what happened',
    description:
      'Newest first: the bulk calls of each request as one entry with counts, changes that were made one at a time, who planned, approved or cancelled a call for later, and edits of organizations and tags. Single changes, and the filters by what changed, require `audit:read`. A filtered search examines part of the log per request, so a page can have fewer entries than `limit`, or none, and still have a `nextCursor`. Of each call, it counts the first 10,000 changes.',
    tag: 'Changes',
    noun: 'Activity',
    reply: ActivityReply,
    example: {
      id: exampleCallId,
      at: '2026-11-15T02:00:00.000Z',
      finishedAt: '2026-11-15T02:00:04.000Z',
      actor: { kind: 'feed', id: 'nightly' },
      requestId: '0198c0de-7a11-7000-8000-5f1e2d3c4b5e',
      counts: { created: 14, reactivated: 2, deactivated: 6, removed: 0, changed: 128, failed: 3 },
      calls: {
        kind: 'upsert-bulk',
        state: 'done',
        ids: [exampleCallId],
        count: 1,
        items: 153,
        undoes: null,
        source: 'staff-2026-11-15.csv',
        note: 'Nightly sync',
        replaces: null,
        undone: null,
        patch: null,
      },
      change: null,
      decision: null,
      edit: null,
    },
    parameters: {
      actorId: textParameter('Done by this client, user, feed or external subject.', 'client-1f2e3d4c5b6a'),
      ...changeParameters,
      ...timeParameters,
    },
    page: async (database, page, { parameters, actor }) => {
      const listed = await listActivity(database, parameters, page, actor);
      if (!listed.ok) return listed;
      const changes = listed.items.flatMap(({ change }) => change ?? []);
      const shown = new Map(
        (await showChanges(database.pool, changes, actor)).map((each) => [each.sequence, each]),
      );
      const items = listed.items.map((entry) => ({
        ...entry,
        change: entry.change && (shown.get(entry.change.sequence) ?? null),
      }));
      return { ...listed, items };
    },
  });
}
