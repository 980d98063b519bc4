import { VisuallyHidden } from '@mantine/core';
import { attributesCopy } from '../copy/copy.js';
import { type Attribute, attributeLabel } from './attribute-value.js';
import { Icon } from './icon.js';

/** The label of an attribute, with a lock if not everyone sees its values. */
export function AttributeName({ attribute }: { attribute: Attribute }) {
  return (
    <>
      {attributeLabel(attribute)}
      {attribute.isSensitive && (
        <span
          title={attributesCopy.sensitiveHint}
          style={{ display: 'inline-flex', verticalAlign: '-2px', marginInlineStart: 5 }}
        >
          <Icon name="lock" size={14} />
          <VisuallyHidden> {attributesCopy.sensitive}</VisuallyHidden>
        </span>
      )}
    </>
  );
}
