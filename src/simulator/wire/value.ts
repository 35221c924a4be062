/** A checked XML body in the shape of values, for the rules between fields that definitions carry. */
import type { Field, Payload } from '../../protocol/definition.ts';
import type { XmlNode } from './xml-reader.ts';

export function xmlValue(payload: Payload, root: XmlNode): Record<string, unknown> {
  return objectValue(payload.fields, root);
}

function objectValue(fields: readonly Field[], node: XmlNode): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const field of fields) {
    if (field.kind === 'list' && field.bare) {
      const items = node.children.filter((child) => child.name === field.item.name);
      if (items.length > 0) value[field.name] = items.map((item) => fieldValue(field.item, item));
      continue;
    }
    const element = node.children.find((child) => child.name === field.name);
    if (element) value[field.name] = fieldValue(field, element);
  }
  return value;
}

function fieldValue(field: Field, element: XmlNode): unknown {
  const text = element.text.trim();
  switch (field.kind) {
    case 'object':
      return objectValue(field.fields, element);
    case 'list':
      return element.children
        .filter((child) => child.name === field.item.name)
        .map((item) => fieldValue(field.item, item));
    case 'int':
    case 'float':
      return text === '' ? undefined : Number(text);
    case 'bool':
      return text === '' ? undefined : text === 'true';
    case 'choice':
      return field.options.find((option) => String(option.value) === text)?.value;
    default:
      return field.kind === 'string' ? element.text : text;
  }
}
