import { Type } from 'typebox';
import { flagField, lineField } from './fields.js';
import { viewLimits } from './limits.js';
import { bodyOf, optional, orNull, required, Serial, success, Timestamp } from './shapes.js';

const nameField = lineField({
  description: 'Different from your other views, or from other shared ones, ignoring case.',
  maxLength: viewLimits.nameMaxLength,
  example: 'Inactive in Berlin',
});
const queryField = lineField({
  description:
    'The part of the address of the user list after the question mark: search, filters, order and columns.',
  maxLength: viewLimits.queryMaxLength,
  example: 'isActive=false&columns=name,email',
});
const isSharedField = flagField(
  'Whether everybody who sees users has the view. Only its author and administrators can change or delete it.',
);

export const createViewFields = {
  name: required(nameField),
  query: required(queryField),
  isShared: optional(isSharedField),
} as const;

export const CreateView = bodyOf(createViewFields, {
  title: 'CreateView',
  description: 'A list of users under a name.',
});
export const PatchView = bodyOf(createViewFields, {
  title: 'PatchView',
  description: 'Changes of a view. Fields that are absent stay as they are.',
  patch: true,
});

const View = Type.Object(
  {
    id: Type.String({ examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5f'] }),
    name: nameField.schema,
    query: queryField.schema,
    isShared: isSharedField.schema,
    author: orNull(
      Type.Object(
        { serial: Serial, name: Type.String() },
        { description: 'Who saved the view; null if the user was removed or erased.' },
      ),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'View' },
);

export const ViewReply = success('ViewReply', View);
export const ViewListReply = success('ViewList', Type.Object({ items: Type.Array(View) }));
export const DeletedViewReply = success('DeletedView', Type.Object({ id: Type.String() }));
