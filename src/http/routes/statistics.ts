import type { FastifyInstance } from 'fastify';
import { StatisticsReply } from '../../contract/statistics.js';
import { cancelOnDisconnect, type Database } from '../../domain/database.js';
import { type DayRange, daysIn, daysMax, rangeOf, today } from '../../domain/statistics/days.js';
import { getStatistics } from '../../domain/statistics/get-statistics.js';
import { clientSignal } from '../client-signal.js';
import { commonErrors, describeOperation } from '../openapi.js';
import { dayParameter, invalidParameter, type Query, querySchema, readParameters } from '../query.js';
import { accepted } from '../request-rejected.js';

export interface StatisticsContext {
  readonly database: Database;
  readonly timeZone: string;
}

const parameters = {
  from: dayParameter('The first day; by default, the 30th from the last one.', '2026-10-17'),
  to: dayParameter('The last day; by default, today. Later days are left out.', '2026-11-15'),
};

const exampleStatistics = {
  timeZone: 'Europe/Berlin',
  users: { active: 9_871, inactive: 412 },
  days: [
    {
      day: '2026-11-15',
      users: { active: 9_871, inactive: 412 },
      changes: {
        ...{ created: 12, updated: 340, rehired: 1, deleted: 0, erased: 0 },
        ...{ deactivated: 7, reactivated: 2 },
      },
    },
  ],
};

export function getStatisticsRoute(app: FastifyInstance, context: StatisticsContext): void {
  app.get<{ Querystring: Query }>('/service/statistics', {
    config: { scope: 'users:read', isSearch: true },
    schema: describeOperation({
      operationId: 'getStatistics',
      summary: 'Count users and changes per day',
      description: `How many users were active and inactive at the end of each day, and how many changes there were of each kind. Days begin in ROLLCALL_TIME_ZONE; at most ${daysMax} at once.`,
      tag: 'Changes',
      secured: true,
      parameters: { querystring: querySchema(parameters) },
      success: {
        status: 200,
        description: 'The numbers of each day.',
        schema: StatisticsReply,
        example: { status: 'success', message: 'Statistics found.', data: exampleStatistics },
      },
      errors: ['REQUEST_PARAMETER_INVALID', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const range = readRange(request.query, today(context.timeZone, Date.now()));
      const statistics = accepted(
        await getStatistics(
          cancelOnDisconnect(context.database, clientSignal(reply)),
          context.timeZone,
          range,
        ),
      );
      return reply.send({ status: 'success', message: 'Statistics found.', data: statistics });
    },
  });
}

function readRange(query: Query, now: string): DayRange {
  const range = rangeOf(readParameters(query, parameters), now);
  if (range.from > range.to) throw invalidParameter('from', 'must not be after the last day.');
  if (daysIn(range).length > daysMax) {
    throw invalidParameter('from', `must be at most ${daysMax - 1} days before the last day.`);
  }
  return range;
}
