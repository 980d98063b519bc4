import { Type } from 'typebox';
import { exampleCallId } from '../changes/examples.js';

export const callParams = Type.Object({
  id: Type.String({ description: 'The ID of the call.', examples: [exampleCallId] }),
});
