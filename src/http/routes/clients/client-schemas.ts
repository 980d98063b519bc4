import { Type } from 'typebox';

export const exampleClient = {
  id: 'client-1f2e3d4c5b6a',
  name: 'Nightly HR sync',
  scopes: ['users:read', 'users:write'],
  isActive: true,
  createdAt: '2026-11-15T08:30:00.000Z',
  secrets: [{ createdAt: '2026-11-15T08:30:00.000Z', expiresAt: null }],
};

export const clientParams = Type.Object({
  id: Type.String({ description: 'The ID of the client.', examples: [exampleClient.id] }),
});

export type ClientRequest = { Params: { id: string } };
