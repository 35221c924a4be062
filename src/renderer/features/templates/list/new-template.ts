/** The text a new template begins with. */
import { findResource } from '#protocol/catalogue.ts';
import type { DeviceKind } from '#shared/model.ts';
import { memberText } from '../yaml/patch.ts';
import { renderBlock } from '../yaml/render.ts';

export function newTemplateText({
  name,
  kinds,
  sets,
}: {
  readonly name: string;
  readonly kinds: readonly DeviceKind[];
  readonly sets: readonly string[];
}): string {
  const lines = [
    'fieldwright: template/1',
    memberText('name', name, 0),
    ...(kinds.length > 0 ? [`appliesTo: { kinds: [${kinds.join(', ')}] }`] : []),
  ];
  if (sets.length === 0) return `${lines.join('\n')}\nsections: []\n`;
  const sections = sets.map((set) => {
    const resource = findResource(set);
    const params = Object.fromEntries(
      (resource?.put.params ?? []).map((param) => [
        param.name,
        param.default ?? (param.type === 'int' ? Math.max(1, param.min ?? 1) : '1'),
      ]),
    );
    const section = {
      set,
      ...(Object.keys(params).length > 0 && { params }),
      value: resource?.put.request.rootItem === undefined ? {} : [],
    };
    return `  - ${renderBlock(section, 4)}`;
  });
  return `${lines.join('\n')}\nsections:\n${sections.join('\n')}\n`;
}
