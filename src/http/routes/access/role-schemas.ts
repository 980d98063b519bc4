import type { FastifyReply, FastifyRequest } from 'fastify';
import { RoleReply } from '../../../contract/sign-in.js';
import type { RoleOf } from '../../../domain/access/roles.js';
import { sendFailure } from '../../error-replies.js';
import { exampleSerial } from '../users/examples.js';

export const roleUrl = '/service/users/:serial/role';

export const roleReply = (description: string, message: string) => ({
  status: 200,
  description,
  schema: RoleReply,
  example: {
    status: 'success',
    message,
    data: { serial: exampleSerial, role: 'operator', formerRole: null },
  },
});

export function sendRole(
  request: FastifyRequest,
  reply: FastifyReply,
  found: RoleOf,
  message: string,
): FastifyReply {
  if (!found.ok) return sendFailure(request, reply, found.failure);
  const { serial, role, formerRole } = found;
  return reply.send({ status: 'success', message, data: { serial, role, formerRole } });
}
