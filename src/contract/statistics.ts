import { Type } from 'typebox';
import { success } from './shapes.js';

const Count = Type.Integer({ minimum: 0 });

const UsersByStatus = Type.Object({ active: Count, inactive: Count });

const ChangeCounts = Type.Object({
  created: Count,
  updated: Count,
  rehired: Count,
  deleted: Count,
  erased: Count,
  deactivated: Type.Integer({ minimum: 0, description: 'Those updated that deactivated the user.' }),
  reactivated: Type.Integer({ minimum: 0, description: 'Those updated that reactivated the user.' }),
});

const Day = Type.String({ format: 'date', examples: ['2026-11-15'] });

export const StatisticsReply = success(
  'StatisticsReply',
  Type.Object(
    {
      timeZone: Type.String({ description: 'In which days begin and end.', examples: ['Europe/Berlin'] }),
      users: Type.Object(UsersByStatus.properties, { description: 'Now.' }),
      days: Type.Array(
        Type.Object({
          day: Day,
          users: Type.Object(UsersByStatus.properties, { description: 'At the end of the day, or now.' }),
          changes: ChangeCounts,
        }),
        { description: 'In order, including days without changes.' },
      ),
    },
    { title: 'Statistics' },
  ),
);
