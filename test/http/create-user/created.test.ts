import { describe, expect, test } from 'vitest';
import { aUser, useService } from '../../support/service.js';

const service = useService();

describe('POST /service/users creates', () => {
  test('answers 201 with the success marker, a text and the serial, and where the user is', async () => {
    const reply = await service.post('/service/users', aUser());
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      status: 'success',
      message: expect.any(String),
      data: {
        serial: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
      },
    });
    expect(reply.headers.get('location')).toBe(`/service/users/${reply.json.data.serial}`);
  });
});
