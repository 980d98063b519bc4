import { type TSchema, Type } from 'typebox';
import {
  CallEventView,
  EventBatchView,
  FeedEventView,
  PlannedCallEventView,
  UserEventView,
} from '../contract/events.js';
import { exampleEvent } from './routes/changes/examples.js';

const header = (name: string, description: string, schema: TSchema) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

/** What the service sends to the receivers of webhooks. */
export const webhookMessages = {
  events: {
    post: {
      operationId: 'receiveEvents',
      summary: 'Receive events',
      description:
        'What a receiver created by POST /service/webhooks gets, as specified by Standard Webhooks. Verify the signature, and use webhook-id to recognize a message that is sent again.',
      tags: ['Changes'],
      security: [],
      parameters: [
        header('webhook-id', 'The same for every attempt to send the message.', Type.String()),
        header('webhook-timestamp', 'When this attempt was made, in seconds.', Type.String()),
        header(
          'webhook-signature',
          'Signatures of the message, separated by spaces: one for each current secret.',
          Type.String(),
        ),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: Type.Union([
              UserEventView,
              CallEventView,
              PlannedCallEventView,
              FeedEventView,
              EventBatchView,
            ]),
            examples: { renamed: { summary: 'A user was renamed', value: exampleEvent } },
          },
        },
      },
      responses: {
        '2XX': { description: 'Received.' },
        '410': { description: 'No more messages are wanted: the webhook is disabled.' },
        default: { description: 'Not received: the message is sent again later.' },
      },
    },
  },
};
