/** Limits the files in a folder of a feature: more than that get subfolders, by what a person does there. */
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';

const MOST = 25;

export const filesOfAFolder = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      many: '{{ count }} files in one folder, {{ most }} at most: make subfolders by what a person does there.',
    },
  },
  create(context) {
    return {
      Program(node) {
        const entries = readdirSync(dirname(context.filename), { withFileTypes: true });
        const count = entries.filter((entry) => entry.isFile()).length;
        if (count > MOST) context.report({ node, messageId: 'many', data: { count, most: MOST } });
      },
    };
  },
};
