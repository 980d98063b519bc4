import type { FastifyInstance } from 'fastify';
import { BulkEraseReply } from '../../../contract/bulk-report.js';
import { BulkErase, eraseFields } from '../../../contract/erasure.js';
import {
  type EraseContext,
  eraseUsersBulk,
  parseErasure,
  previewErasures,
} from '../../../domain/erasure/erase-users-bulk.js';
import { lastAdministrator } from '../../../domain/users/plans/user-change.js';
import type { LargeBodies } from '../../large-bodies.js';
import { countParameter } from '../../query.js';
import { type BulkRouteContext, bulkRoute } from './bulk-route.js';
import { exampleSerial } from './examples.js';

export interface EraseRouteContext extends BulkRouteContext, EraseContext {}

const parameters = {
  confirm: countParameter(
    'Confirms the number of users to erase. Required unless it is a preview; a preview reports that many successes.',
  ),
};

export function eraseUsersBulkRoute(
  app: FastifyInstance,
  context: EraseRouteContext,
  largeBodies: LargeBodies,
): void {
  const fields = Object.keys(eraseFields);
  bulkRoute(app, context, largeBodies, {
    url: '/service/users/erase-bulk',
    operationId: 'eraseUsersBulk',
    summary: 'Erase users in bulk',
    description:
      'Each user is erased as by DELETE /service/users/{serial}. This cannot be undone. Preview the call with dryRun=true, then send it with the number of users as confirm. Users who are erased already count as successes.',
    scope: 'access:admin',
    isSensitive: true,
    body: BulkErase,
    reply: BulkEraseReply,
    example: {
      summary: 'A former user, and the last administrator',
      items: [{ serial: exampleSerial }, { serial: '0198c0de-7a11-7000-8000-5f1e2d3c4b5d' }],
      failure: lastAdministrator(1),
    },
    fields,
    echo: fields,
    sentFields: fields,
    parse: parseErasure,
    parameters,
    options: ({ confirm }) => ({ confirmed: confirm }),
    errors: ['ACCESS_PROOF_REQUIRED', 'CALL_CONFIRMATION_REQUIRED', 'CALL_EXCEEDS_SAFETY_LIMIT'],
    isInContract: false,
    run: (items, request) => eraseUsersBulk(context, items, request),
    preview: previewErasures,
  });
}
